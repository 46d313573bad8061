//! Python, for what is measured beside its packages and for what a recipient does with them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// The folder of scripts and of the list of packages.
pub(crate) fn peers_folder() -> PathBuf {
    workspace().join("crates/xtask/peers")
}

/// The interpreter of an environment of its own, which is made when the list of packages is new.
pub(crate) fn interpreter() -> Result<PathBuf> {
    let environment = workspace().join("target/python");
    let python = environment.join("bin/python");
    let requirements = peers_folder().join("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements)?;
    let marker = environment.join("installed.txt");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&environment))
    .context("this needs Python 3 with its module venv (Debian: python3-venv)")?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--requirement"])
        .arg(&requirements))?;
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
