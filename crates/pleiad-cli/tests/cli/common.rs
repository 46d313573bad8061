//! Running the built command in a folder of its own.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder that is removed afterwards.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file; the folder, to write one after the other.
    pub(crate) fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.path(name), text).expect("the folder can be written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is text")
    }

    /// Names of the files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        self.files_in(".")
    }

    /// Names of the files of a folder within, sorted.
    pub(crate) fn files_in(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("a name")
            })
            .collect();
        names.sort();
        names
    }

    /// The command, about to run in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        self.within(&mut command);
        command
    }

    /// Any command, about to run in this folder.
    pub(crate) fn within<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.current_dir(self.0.path())
    }

    /// Runs the command in this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        finish(&mut self.command(arguments))
    }
}

/// The command without the colours or the width of whoever runs the tests.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleiad"));
    command.args(arguments).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the command starts");
    Run {
        exit: output.status.code().expect("the command ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Two groups of people that nobody could confuse.
pub(crate) const PEOPLE: &str = "\
age,ward,diagnoses
81,Cardiology,I50;I10
79,Cardiology,I50
84,Cardiology,I50;I10
77,Surgery,I50;I10
80,Cardiology,I50
31,Maternity,O80
29,Maternity,O80
33,Maternity,O80;D50
30,Surgery,O80;D50
";

/// What the columns of [`PEOPLE`] are.
pub(crate) const SPEC: &str = "\
[data]
path = \"people.csv\"

[columns]
age = { kind = \"numeric\", role = \"quasi\", bounds = [0, 120], step = 1 }
ward = { kind = \"categorical\", role = \"plain\" }
diagnoses = { kind = \"set\", role = \"sensitive\", separator = \";\" }

[cluster]
clusters = 2
";

/// A folder with the people and their spec.
pub(crate) fn people() -> Folder {
    Folder::new()
        .with("people.csv", PEOPLE)
        .with("pleiad.toml", SPEC)
}

/// Says what the columns of [`patients`] are, and what is promised.
pub(crate) const PATIENTS_SPEC: &str = "\
[data]
path = \"patients.csv\"
person = \"id\"

[columns]
id = { role = \"identifier\" }
age = { kind = \"numeric\", role = \"quasi\", bounds = [0, 120], step = 1 }
sex = { kind = \"categorical\", role = \"quasi\", values = [\"F\", \"M\"] }
ward = { kind = \"categorical\", role = \"plain\" }
score = { kind = \"numeric\", role = \"sensitive\", bounds = [0, 100] }

[cluster]
clusters = 2

[protect]
anonymity = 5
";

/// A folder with 240 stays of 160 patients of two kinds, one of them called Zacharias, and their spec.
pub(crate) fn patients() -> Folder {
    let mut table = String::from("id,age,sex,ward,score\n");
    for row in 0..240 {
        let person = row * 2 / 3;
        let name = match person {
            77 => "Zacharias".to_owned(),
            _ => format!("P{person}"),
        };
        let (age, ward, score) = if person % 2 == 0 {
            (70 + person % 23, "Cardiology", 60 + row % 17)
        } else {
            (20 + person % 19, "Maternity", 20 + row % 13)
        };
        let ward = if row % 11 == 0 { "Surgery" } else { ward };
        let sex = if person % 3 == 0 { "F" } else { "M" };
        let _ = writeln!(table, "{name},{age},{sex},{ward},{score}");
    }
    Folder::new()
        .with("patients.csv", &table)
        .with("pleiad.toml", PATIENTS_SPEC)
}

/// Whether a text has codes that steer a terminal.
pub(crate) fn has_escapes(text: &str) -> bool {
    text.contains('\u{1b}')
}

/// Whether a path is there.
pub(crate) fn exists(path: &Path) -> bool {
    path.try_exists().expect("the folder can be read")
}
