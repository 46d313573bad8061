//! Two folders that appear whole or not at all.
//!
//! Both are written under other names, `NAME.incomplete` and `NAME.owner.incomplete`. When everything is on the disk the
//! owner's folder is renamed first and the public one last: where there is a `NAME`, there is all of it and its owner's
//! part. A run that is killed leaves at most folders that the next run to the same place knows as its own kind of rest
//! and takes away.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::private::{CELLS_FILE, OUTPUTS_FILE};
use super::verify::describe_file;
use super::{EVALUATION_FILE, MANIFEST_FILE, POSITIONS_FILE, README_FILE, REPORT_FILE, ROWS_FILE};
use crate::error::{Error, Result};

/// Where a release goes.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) public: PathBuf,
    pub(super) owner: PathBuf,
    unfinished_public: PathBuf,
    unfinished_owner: PathBuf,
}

impl Target {
    /// A place for a release of these inputs; nothing is written yet.
    ///
    /// # Errors
    /// Something is in the way, an input is where the release goes, or the folder to put it in does not exist.
    pub(super) fn check(name: &Path, inputs: &[&Path]) -> Result<Self> {
        let Some(last) = name.file_name() else {
            return Err(Error::spec(format!(
                "{} is no name for a release",
                name.display()
            )));
        };
        let beside = |suffix: &str| {
            let mut own = OsString::from(last);
            own.push(suffix);
            name.with_file_name(own)
        };
        let target = Self {
            public: name.to_owned(),
            owner: beside(".owner"),
            unfinished_public: beside(".incomplete"),
            unfinished_owner: beside(".owner.incomplete"),
        };
        let parent = target.parent();
        if !parent.is_dir() {
            return Err(Error::system(
                "write to",
                parent,
                io::ErrorKind::NotFound.into(),
            ));
        }
        target.refuse_inputs(inputs)?;
        target.refuse_what_is_in_the_way()?;
        Ok(target)
    }

    fn unfinished(&self) -> [&PathBuf; 2] {
        [&self.unfinished_public, &self.unfinished_owner]
    }

    /// What is read must not lie where folders are made and cleared away.
    fn refuse_inputs(&self, inputs: &[&Path]) -> Result<()> {
        for input in inputs {
            let Ok(input) = input.canonicalize() else {
                continue;
            };
            for folder in self.unfinished() {
                if let Ok(folder) = folder.canonicalize()
                    && input.starts_with(&folder)
                {
                    return Err(Error::refused(format!(
                        "{} lies in a folder that a release to {} would clear away",
                        input.display(),
                        self.public.display()
                    )));
                }
            }
        }
        Ok(())
    }

    fn parent(&self) -> &Path {
        match self.public.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        }
    }

    fn refuse_what_is_in_the_way(&self) -> Result<()> {
        let is_in_the_way = |path: &Path| {
            Err(
                Error::refused(format!("{} exists already", path.display())).hint(
                    "a release never replaces another: choose another name, or move that one away",
                ),
            )
        };
        if exists(&self.public) {
            return is_in_the_way(&self.public);
        }
        if exists(&self.owner) && !self.owner_is_a_rest() {
            return is_in_the_way(&self.owner);
        }
        for folder in self.unfinished() {
            if exists(folder) && !holds_only_our_files(folder) {
                return Err(Error::refused(format!(
                    "{} exists already, and is not the rest of a release that was broken off",
                    folder.display()
                ))
                .hint("choose another name, or move that folder away"));
            }
        }
        Ok(())
    }

    /// Whether the owner's folder was left by a run that was killed between its two last steps: the public half that it
    /// evaluates is still waiting beside it.
    fn owner_is_a_rest(&self) -> bool {
        let evaluated = || {
            let text = fs::read_to_string(self.owner.join(EVALUATION_FILE)).ok()?;
            let evaluation: serde_json::Value = serde_json::from_str(&text).ok()?;
            Some(evaluation.get("manifest_sha256")?.as_str()?.to_owned())
        };
        let waiting = || {
            let manifest = self.unfinished_public.join(MANIFEST_FILE);
            Some(describe_file(&manifest).ok()?.sha256)
        };
        !exists(&self.public)
            && !exists(&self.unfinished_owner)
            && holds_only_our_files(&self.owner)
            && evaluated().is_some_and(|hash| Some(hash) == waiting())
    }

    /// Takes the place: clears away what a killed run left and makes the two folders to fill.
    pub(super) fn claim(self) -> Result<Workplace> {
        let failed = |source| Error::system("write to", &self.unfinished_public, source);
        // Only one claims at a time; where folders cannot be locked, creating them below still is one's own.
        let parent = File::open(self.parent()).ok();
        let _claiming = parent.as_ref().map(File::lock);
        self.refuse_what_is_in_the_way()?;
        if let Ok(folder) = File::open(&self.unfinished_public)
            && let Err(TryLockError::WouldBlock) = folder.try_lock()
        {
            return Err(Error::refused(format!(
                "another release is being written to {}",
                self.public.display()
            )));
        }
        if exists(&self.owner) {
            // It was found to be a rest just now.
            remove(&self.owner).map_err(failed)?;
        }
        remove(&self.unfinished_owner).map_err(failed)?;
        remove(&self.unfinished_public).map_err(failed)?;
        fs::create_dir(&self.unfinished_public).map_err(failed)?;
        let lock = File::open(&self.unfinished_public).ok();
        if let Some(lock) = &lock {
            // A file system without locks is no reason not to write.
            let _ = lock.try_lock();
        }
        let workplace = Workplace {
            target: self,
            _lock: lock,
            is_done: false,
        };
        create_private_folder(&workplace.target.unfinished_owner)
            .map_err(|source| Error::system("write to", workplace.owner_folder(), source))?;
        Ok(workplace)
    }
}

/// Two folders that are being filled; they vanish with this value unless they are put in place.
#[derive(Debug)]
pub(super) struct Workplace {
    target: Target,
    /// Held as long as this value lives, so that a run that is under way is not taken for a rest.
    _lock: Option<File>,
    is_done: bool,
}

impl Workplace {
    /// The public folder while it is being filled.
    pub(super) fn public_folder(&self) -> &Path {
        &self.target.unfinished_public
    }

    /// The owner's folder while it is being filled.
    pub(super) fn owner_folder(&self) -> &Path {
        &self.target.unfinished_owner
    }

    /// Puts both folders in place.
    pub(super) fn finish(mut self) -> Result<()> {
        let put = |from: &Path, to: &Path| {
            sync_folder(from)
                .and_then(|()| fs::rename(from, to))
                .map_err(|source| Error::system("write", to, source))
        };
        put(self.owner_folder(), &self.target.owner)?;
        if let Err(error) = put(self.public_folder(), &self.target.public) {
            // The owner's folder goes back to where the rest of this run is cleared away from.
            let _ = fs::rename(&self.target.owner, self.owner_folder());
            return Err(error);
        }
        self.is_done = true;
        // Both are in place; whether their names have reached the disk is the file system's next step in any case.
        let _ = sync_folder(self.target.parent());
        Ok(())
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if !self.is_done {
            // The error that brought us here is the one to report.
            let _ = remove(&self.target.unfinished_owner);
            let _ = remove(&self.target.unfinished_public);
        }
    }
}

/// Writes a file and waits until it is on the disk.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = || {
        let mut file = File::create_new(path)?;
        io::Write::write_all(&mut file, bytes)?;
        file.sync_all()
    };
    written().map_err(|source| Error::system("write", path, source))
}

/// A folder that only its owner may look into, where the system knows such a thing.
fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether a folder holds nothing but files with names that a release gives.
fn holds_only_our_files(folder: &Path) -> bool {
    let is_ours = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| {
            let name = entry.file_name();
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            is_file && name.to_str().is_some_and(is_file_of_a_release)
        })
    };
    let is_folder = folder
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_dir());
    is_folder && fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_ours))
}

/// Whether a name is one that a release gives to a file.
pub(super) fn is_file_of_a_release(name: &str) -> bool {
    let number = name
        .strip_prefix("groups")
        .and_then(|rest| rest.strip_suffix(".csv"));
    let is_groups = number.is_some_and(|number| {
        let digits = number.strip_prefix('-').unwrap_or(number);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let others = [
        "data.csv",
        "data.parquet",
        CELLS_FILE,
        OUTPUTS_FILE,
        POSITIONS_FILE,
        MANIFEST_FILE,
        README_FILE,
        EVALUATION_FILE,
        REPORT_FILE,
        ROWS_FILE,
    ];
    is_groups || others.contains(&name)
}

/// Whether there is anything with this name, a dangling link included.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    // Some systems cannot open or sync a folder; there the rename is as durable as it gets.
    match File::open(path).and_then(|folder| folder.sync_all()) {
        Err(error) if error.raw_os_error().is_none() => Err(error),
        _ => Ok(()),
    }
}
