//! Chromium and its driver, for what is tested in a real browser.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// The programs that are needed and the Debian packages that have them.
const PROGRAMS: [(&str, &str); 2] = [
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
];

/// Sees to it that both are there, by `apt-get` where the system has it.
pub(crate) fn install() -> Result<()> {
    let missing = || {
        let programs = PROGRAMS.iter();
        programs
            .filter(|(program, _)| !answers(program))
            .map(|(_, package)| *package)
    };
    let packages: Vec<&str> = missing().collect();
    if packages.is_empty() {
        return Ok(());
    }
    if answers("apt-get") {
        let prefix: &[&str] = if answers("sudo") {
            &["sudo", "-n"]
        } else {
            &[]
        };
        for arguments in [
            &["update"][..],
            &["install", "--yes", "--no-install-recommends"],
        ] {
            let mut words = prefix
                .iter()
                .copied()
                .chain(["apt-get", "--quiet"])
                .chain(arguments.iter().copied());
            let mut command = Command::new(words.next().expect("there is a program to run"));
            command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
            if arguments[0] == "install" {
                command.args(&packages);
            }
            // Whether it helped is seen below: an old list of packages may do.
            let _ = command.status();
        }
    }
    if missing().next().is_some() {
        bail!(
            "the report is tested in Chromium: install it with its driver (Debian: `apt-get install {}`), so that \
             `chromium` and `chromedriver` can be run",
            packages.join(" ")
        );
    }
    Ok(())
}

fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
