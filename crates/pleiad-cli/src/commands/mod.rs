//! One file for each command: its options, its help and what it does.

pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod init;
pub(crate) mod ledger;
pub(crate) mod release;
pub(crate) mod taxonomy;
