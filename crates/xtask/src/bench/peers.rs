//! The peers: Python packages in a virtual environment of their own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{folder, say};
use crate::workspace;

/// A peer's script as a child on one thread; its packages are installed first, if need be.
pub(super) fn script(name: &str, arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Result<Command> {
    let mut command = Command::new(python()?);
    command.arg(peers_folder().join(name));
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

fn peers_folder() -> PathBuf {
    workspace().join("crates/xtask/peers")
}

/// The interpreter of the environment, which is made when the list of packages is new.
fn python() -> Result<PathBuf> {
    let environment = folder()?.join("peers");
    let python = environment.join("bin/python");
    let wanted = std::fs::read_to_string(peers_folder().join("requirements.txt"))?;
    let marker = environment.join("installed.txt");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    say("installing the peers (once)")?;
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&environment))?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--requirement"])
        .arg(peers_folder().join("requirements.txt")))?;
    std::fs::write(&marker, wanted)?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
