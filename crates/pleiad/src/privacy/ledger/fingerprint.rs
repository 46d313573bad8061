//! Fingerprints of data files, by which an owner is warned of one table under two names.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The hash of a data file. It is the owner's: a release never carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a file.
    pub fn of_file(path: &Path) -> Result<Self> {
        let mut hash = Sha256::new();
        File::open(path)
            .and_then(|mut file| io::copy(&mut file, &mut hash))
            .map_err(|error| Error::system("read", path, error))?;
        Ok(Self(format!("{:x}", hash.finalize())))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }
}
