//! Parquet and Arrow IPC: the only module that sees Arrow's types.

mod read;
mod write;

pub(super) use read::{
    infer_ipc, infer_parquet, ipc_names, parquet_names, read_ipc, read_parquet, read_texts_ipc,
    read_texts_parquet,
};
pub(super) use write::ParquetCells;
