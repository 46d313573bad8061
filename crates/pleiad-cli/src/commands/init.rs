//! `pleiad init`: looks at a table and drafts its spec.

use std::fs;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use pleiad::Error;
use pleiad::draft::{Draft, TAXONOMY_FOLDER, draft_spec};

use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{SPEC_FILE, is_same_file};
use crate::summary::draft;
use crate::terminal::{self, Terminal, program, shown};

/// Look at a table and draft its spec
///
/// Looks at a table, guesses what its columns are, and writes a spec that can be released as it is: kinds, bounds and
/// values, what means "no value", which columns name people and are left out, which are known to others and are masked,
/// taxonomies for codes and bands of numbers, and how many people are alone with their values. Each guess stands in
/// the file with its reason, for somebody who knows the table to correct.
///
/// The spec and the taxonomies beside it hold values of the table: they are not public. What is printed has none.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The table: CSV (also gzipped), Parquet or Arrow IPC
    data: PathBuf,

    /// The spec to write; taxonomies go into a folder beside it
    #[arg(long, short, value_name = "FILE", default_value = SPEC_FILE)]
    out: PathBuf,

    /// Replace the spec and its taxonomies if they exist
    #[arg(long)]
    force: bool,

    /// Print one JSON document instead of the summary
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad init patients.csv
      drafts `pleiad.toml` here
  pleiad init data/patients.parquet -o data/pleiad.toml
      a spec beside the table
  pleiad init patients.csv --json | jq '.columns[] | select(.role == \"quasi\") | .name'
      for programs

Then read the draft, correct what is wrong, and `pleiad release`.";

/// Drafts, writes, says what was found.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    check_out(options)?;
    let bars = Bars::new(terminal);
    let drafted = draft_spec(&options.data, &bars)?;
    drop(bars);
    let files = files(&drafted, options);
    check_free(files.iter().map(|(path, _)| path.as_path()), options.force)?;
    write(&files)?;
    if options.json {
        return terminal::print(|out| draft::write_json(&drafted, &options.out, out));
    }
    let summary = draft::summary(&drafted, terminal::width());
    terminal::print(|out| out.write_all(summary.as_bytes()))?;
    terminal.say(&next_steps(&drafted, options));
    Ok(())
}

/// Refuses before the work what could not be written afterwards.
fn check_out(options: &Options) -> Outcome<()> {
    if is_same_file(&options.data, &options.out) {
        let error = Error::refused("the spec would replace the table");
        return Err(Failure::from(error).hint("choose another file with `--out FILE`"));
    }
    if options.out.is_dir() {
        let error = Error::refused(format!("{} is a folder", options.out.display()));
        let file = options.out.join(SPEC_FILE);
        return Err(Failure::from(error).hint(format!("name a file: `--out {}`", file.display())));
    }
    check_free([options.out.as_path()].into_iter(), options.force)
}

fn check_free<'p>(mut paths: impl Iterator<Item = &'p Path>, force: bool) -> Outcome<()> {
    match paths.find(|path| path.exists() && !force) {
        None => Ok(()),
        Some(path) => {
            let error = Error::refused(format!("{} exists already", path.display()));
            Err(Failure::from(error)
                .hint("`--force` replaces it and its taxonomies")
                .hint("or choose another file with `--out FILE`"))
        }
    }
}

/// The taxonomies, and last the spec that names them.
fn files(drafted: &Draft, options: &Options) -> Vec<(PathBuf, String)> {
    let folder = options.out.parent().unwrap_or(Path::new(""));
    let taxonomies = drafted
        .taxonomies()
        .map(|(path, text)| (folder.join(path), text.to_owned()));
    let data_path = path_from(folder, &options.data);
    let spec = (options.out.clone(), drafted.text(&data_path));
    taxonomies.chain([spec]).collect()
}

/// Writes all files beside their places first, so that none is there unless all can be.
fn write(files: &[(PathBuf, String)]) -> Outcome<()> {
    let mut partials: Vec<PathBuf> = Vec::new();
    let mut new_folders: Vec<&Path> = Vec::new();
    let mut write_all = || {
        for (path, text) in files {
            let failed = |source| Error::system("write", path, source);
            if let Some(folder) = path.parent()
                && folder.ends_with(TAXONOMY_FOLDER)
                && !folder.exists()
            {
                fs::create_dir(folder).map_err(failed)?;
                new_folders.push(folder);
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let partial = path.with_file_name(format!(".partial-{}-{name}", std::process::id()));
            partials.push(partial.clone());
            fs::write(&partial, text).map_err(failed)?;
        }
        for ((path, _), partial) in files.iter().zip(&partials) {
            fs::rename(partial, path).map_err(|source| Error::system("write", path, source))?;
        }
        Ok(())
    };
    let written: Result<(), Error> = write_all();
    written.map_err(|error| {
        // The error that is reported says why there is no draft; a rest that cannot be removed adds nothing.
        for partial in &partials {
            let _ = fs::remove_file(partial);
        }
        for folder in new_folders {
            let _ = fs::remove_dir(folder);
        }
        Failure::cannot_write(error)
    })
}

/// A path as seen from a folder; whole where there is no way between the two.
fn path_from(folder: &Path, path: &Path) -> String {
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let relative = match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => way(&folder, &path).unwrap_or(path),
        _ => path.to_owned(),
    };
    relative.to_string_lossy().replace('\\', "/")
}

fn way(folder: &Path, path: &Path) -> Option<PathBuf> {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), path.components().collect());
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // Without a shared folder beyond the root, or on another drive, the whole path is plainer.
    if n_shared < 2 {
        return None;
    }
    let up = from[n_shared..].iter().map(|_| Component::ParentDir);
    Some(up.chain(to[n_shared..].iter().copied()).collect())
}

fn next_steps(drafted: &Draft, options: &Options) -> String {
    let program = program();
    let spec = shown(&options.out);
    let with_spec = if options.out == Path::new(SPEC_FILE) {
        String::new()
    } else {
        format!(" -c {spec}")
    };
    let taxonomies = match drafted.taxonomies().count() {
        0 => String::new(),
        1 => format!(", with a taxonomy in `{TAXONOMY_FOLDER}` beside it"),
        many => format!(", with {many} taxonomies in `{TAXONOMY_FOLDER}` beside it"),
    };
    format!(
        "\nThe draft is {spec}{taxonomies}. It holds values of the table: it is not public.\n\
         Read it and correct what is wrong, then:\n  \
         {program} release{with_spec}\n  \
         {program} cluster{with_spec}"
    )
}
