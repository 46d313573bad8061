//! What has to pass before a change lands.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{browser, python, workspace};

/// Runs every check, the quick ones first, and ends with the test runner's own summary.
pub(crate) fn run() -> Result<()> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ])?;
    // The library alone: the comments of the command are its help, and brackets there are no links.
    let mut doc = command(&[
        "doc",
        "--package",
        "pleiad",
        "--no-deps",
        "--locked",
        "--quiet",
    ]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    finish(doc)?;
    cargo(&["test", "--workspace", "--doc", "--locked", "--quiet"])?;
    walk_as_a_recipient()?;
    read_the_report()?;
    if has_nextest() {
        cargo(&[
            "nextest",
            "run",
            "--workspace",
            "--locked",
            "--no-fail-fast",
        ])
    } else {
        cargo(&[
            "test",
            "--workspace",
            "--all-targets",
            "--locked",
            "--no-fail-fast",
        ])
    }
}

/// The test that needs Python: a recipient clusters a release with pandas and scikit-learn.
fn walk_as_a_recipient() -> Result<()> {
    // With the whole workspace, so that nothing is compiled once more with other features.
    let mut walk = command(&["test", "--workspace", "--test", "recipient", "--locked"]);
    walk.args(["--", "--ignored"]);
    walk.env("PLEIAD_PYTHON", python::interpreter()?);
    finish(walk)
}

/// The test that needs a browser: the owner's report in Chromium.
fn read_the_report() -> Result<()> {
    browser::install()?;
    let mut read = command(&["test", "--workspace", "--test", "browser", "--locked"]);
    // One browser at a time: each wants a core of its own.
    read.args(["--", "--ignored", "--test-threads", "1"]);
    finish(read)
}

fn has_nextest() -> bool {
    command(&["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn command(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(workspace());
    command
}

fn cargo(arguments: &[&str]) -> Result<()> {
    finish(command(arguments))
}

fn finish(mut command: Command) -> Result<()> {
    let status = command.status().context("cargo could not be started")?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
