//! The peers: scripts that use Python packages.

use std::process::Command;

use anyhow::Result;

use crate::python;

/// A peer's script as a child on one thread; its packages are installed first, if need be.
pub(super) fn script(name: &str, arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Result<Command> {
    let mut command = Command::new(python::interpreter()?);
    command.arg(python::peers_folder().join(name));
    for argument in arguments {
        command.arg(argument);
    }
    for variable in [
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "POLARS_MAX_THREADS",
    ] {
        command.env(variable, "1");
    }
    Ok(command)
}
