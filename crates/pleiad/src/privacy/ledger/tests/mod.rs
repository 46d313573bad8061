//! Ledgers in one process, in many, and in trouble.

mod accounts;
mod files;
mod processes;

use std::path::{Path, PathBuf};

use super::{Act, Ledger, Total};
use crate::privacy::budget::{AddRemove, Cost, Rational, Relation};

/// A folder with a ledger in which one population, `people`, has this ε.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(epsilon: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let ledger = Ledger::create(&folder.ledger_path()).unwrap();
        let total = Total::<AddRemove>::Pure(epsilon.parse().unwrap());
        ledger.declare("people", &total).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn ledger_path(&self) -> PathBuf {
        self.path().join(Ledger::DEFAULT_FILE)
    }

    fn ledger(&self) -> Ledger {
        Ledger::open(&self.ledger_path()).unwrap()
    }
}

fn pure<R: Relation>(epsilon: &str) -> Cost<R> {
    Cost::Pure(epsilon.parse().unwrap())
}

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

const MOSAIC: Act<'static> = Act {
    method: "mosaic",
    note: "",
    data: None,
};
