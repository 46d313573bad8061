//! The table of labels: which row of the file is in which cluster.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use pleiad::Error;
use pleiad::cluster::written_labels;
use pleiad::table::{
    Codes, Column, Domain, Extra, Field, Format, Interval, Role, Table, Unit, write_table,
};

use crate::clustering::Findings;
use crate::failure::{Failure, Outcome};
use crate::source::{Source, is_same_file};

/// A file for labels that was found fit to be written before the work began.
#[derive(Debug)]
pub(crate) struct LabelsFile {
    path: PathBuf,
    /// Written first and renamed when it is whole; nothing where the target is a device.
    partial: Option<PathBuf>,
}

impl LabelsFile {
    /// Checks that labels can be written there.
    pub(crate) fn check(path: &Path, force: bool) -> Outcome<Self> {
        let failed = |source| Failure::cannot_write(Error::system("write", path, source));
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            return Ok(Self {
                path: path.to_owned(),
                partial: None,
            });
        }
        let (Some(name), Some("csv" | "parquet")) = (path.file_name(), extension(path).as_deref())
        else {
            let message = format!(
                "labels are written as CSV or Parquet, not as {}",
                path.display()
            );
            return Err(Failure::usage(message).hint("name the file `.csv` or `.parquet`"));
        };
        if path.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        if path.exists() && !force {
            let error = Error::refused(format!("{} exists already", path.display()));
            return Err(Failure::from(error).hint("`--force` replaces it"));
        }
        // A partial file has the name's extension, which says its format.
        let mut partial_name =
            std::ffi::OsString::from(format!(".partial-{}-", std::process::id()));
        partial_name.push(name);
        let partial = path.with_file_name(partial_name);
        File::create_new(&partial).map_err(failed)?;
        fs::remove_file(&partial).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            partial: Some(partial),
        })
    }

    /// Refuses to replace what is read, whatever was forced.
    pub(crate) fn check_spares(&self, source: &Source) -> Outcome<()> {
        let is_read = |path: &Path| is_same_file(path, &self.path);
        if is_read(&source.data) || source.spec_path().is_some_and(is_read) {
            let error = Error::refused(format!(
                "labels would replace {}, which is read",
                self.path.display()
            ));
            return Err(Failure::from(error).hint("choose another file for `--labels`"));
        }
        let own_folder = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if let Some(release) = source.release_folder()
            && is_same_file(release, own_folder)
        {
            let error = Error::refused(format!(
                "labels in {} would break the release: it has the files that its manifest names, and no others",
                release.display()
            ));
            return Err(Failure::from(error).hint("choose a file in another folder"));
        }
        Ok(())
    }

    /// Writes the label of every row that was read.
    pub(crate) fn write(&self, findings: &Findings) -> Outcome<()> {
        let rows: Vec<u32> = findings.reading.kept_rows().collect();
        let clusters = written_labels(&findings.clustering.marked_labels());
        let table = row_numbers(&rows)?;
        let extra = [Extra {
            name: "cluster",
            values: &clusters,
        }];
        let target = self.partial.as_ref().unwrap_or(&self.path);
        let written = write_table(target, &table, &extra).and_then(|()| match &self.partial {
            Some(partial) => fs::rename(partial, &self.path)
                .map_err(|source| Error::system("write", &self.path, source)),
            None => Ok(()),
        });
        written.map_err(|error| {
            if let Some(partial) = &self.partial {
                // The error that is reported says why there is no file; a rest that cannot be removed adds nothing.
                let _ = fs::remove_file(partial);
            }
            Failure::cannot_write(error)
        })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn extension(path: &Path) -> Option<String> {
    match Format::of_path(path) {
        Format::Parquet => Some("parquet".to_owned()),
        _ => path
            .extension()
            .map(|extension| extension.to_string_lossy().to_lowercase()),
    }
}

/// A table of one column `row`.
fn row_numbers(rows: &[u32]) -> Outcome<Table> {
    let last = f64::from(rows.last().copied().unwrap_or(1).max(2));
    let interval = Interval::new(1.0, last, Some(1.0), Unit::Number, true)?;
    let codes = Codes::pack(
        rows.iter().map(|row| row - 1),
        interval.missing() as usize + 1,
    );
    let field = Field {
        name: "row".to_owned(),
        role: Role::Plain,
        domain: Domain::Numbers {
            interval,
            may_be_missing: false,
        },
        weight: 1.0,
    };
    Ok(Table::new(vec![field], vec![Column::Numbers(codes)], None))
}
