//! `pleiad demo`: the whole way on a table that it makes itself.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use pleiad::evaluate::agreement::{adjusted_rand, moved_share};
use pleiad::evaluate::contingency::Contingency;
use pleiad::generate::Hospital;
use pleiad::release::{EVALUATION_FILE, MANIFEST_FILE, Manifest, REPORT_FILE, ROWS_FILE};
use pleiad::table::Format;
use pleiad::{Amount, Error, Progress};

use crate::clustering::{self, Findings};
use crate::commands::release;
use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{Source, read_spec};
use crate::summary;
use crate::summary::text::{self, counted, grouped, percent};
use crate::terminal::{self, FAINT, STRONG, Terminal, program, shown, styled};

/// The demo is the same for everybody.
const SEED: u64 = 42;

/// The release, within the demo's folder.
const RELEASE_FOLDER: &str = "release";

/// Make a hospital table, release it, see what came of it
///
/// Makes a hospital table of patients who do not exist, with a spec and taxonomies, into a new folder. Reads it as its
/// spec says, finds its clusters, prints what they look like, and compares them with the kinds of patient that were
/// planted in the table. Then publishes it, as `pleiad release` would, and says what is promised and what survived.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// Rows of the table: stays in the hospital
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    rows: u32,

    /// The folder to make
    #[arg(long, value_name = "FOLDER", default_value = "pleiad-demo")]
    out: PathBuf,

    /// Replace the files of an earlier demo in the folder
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad demo
      20,000 rows and their release into the folder `pleiad-demo`
  pleiad demo --rows 1000000 --out large-demo
      a larger table
  pleiad demo --force
      the same once more";

/// Makes the table, clusters it, compares with what was planted, releases it.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    let hospital = Hospital::new(u64::from(options.rows), SEED);
    let bars = Bars::new(terminal);
    make(&hospital, options, &bars)?;
    let folder = shown(&options.out);
    terminal.say(&format!(
        "Made a hospital table of {} in {folder}.",
        counted(hospital.n_rows(), "row")
    ));
    let spec_path = options.out.join(Hospital::SPEC_FILE);
    let spec = read_spec(&spec_path)?;
    let source = Source::of_spec(&spec_path, spec.clone());
    let findings = clustering::find(&source, &spec.cluster, &bars, terminal)?;
    drop(bars);
    terminal.say("");
    let (summary, _) = text::summary(&findings, terminal::width(), false);
    let comparison = comparison(&hospital, &findings);
    terminal::print(|out| write!(out, "{summary}\n{comparison}"))?;
    terminal.say("\nReleasing it: masking, then clustering again and again to see what survived.");
    let released = release::make(
        &spec,
        &options.out.join(RELEASE_FOLDER),
        Format::Csv,
        terminal,
    )?;
    let summary = summary::release::summary(&released, terminal::width());
    terminal::print(|out| write!(out, "\n{summary}"))?;
    terminal.say(&next_steps(&options.out));
    Ok(())
}

/// Writes the folder; what was begun and could not be finished is taken away again.
fn make(hospital: &Hospital, options: &Options, progress: &dyn Progress) -> Outcome<()> {
    let folder = &options.out;
    let files = demo_files(folder);
    let releases = release_folders(folder);
    if let Some(path) = files.iter().chain(&releases).find(|path| path.exists()) {
        check_replaceable(path, folder, options.force)?;
    }
    let failed = |source| Failure::cannot_write(Error::system("write the demo to", folder, source));
    for release in releases.iter().filter(|path| path.exists()) {
        fs::remove_dir_all(release).map_err(failed)?;
    }
    for file in files.iter().filter(|file| file.exists()) {
        fs::remove_file(file).map_err(failed)?;
    }
    let is_new_folder = !folder.exists();
    progress.begin("making the table", 0, Amount::Rows);
    let written = hospital.write_folder(folder);
    progress.end();
    written.map_err(|source| {
        // Nothing more can be done about a rest that cannot be removed.
        for file in &files {
            let _ = fs::remove_file(file);
        }
        if is_new_folder {
            let _ = fs::remove_dir(folder);
        }
        failed(source)
    })
}

/// Refuses to replace an earlier demo without being told to, and anything else in any case.
fn check_replaceable(found: &Path, folder: &Path, force: bool) -> Outcome<()> {
    let spec_path = folder.join(Hospital::SPEC_FILE);
    let first_line = |text: &str| text.lines().next().map(str::to_owned);
    let spec = fs::read_to_string(&spec_path).unwrap_or_default();
    let strange = if first_line(&spec) == first_line(&Hospital::spec(Hospital::DATA_FILE)) {
        strange_file(folder)
    } else {
        Some(found.to_owned())
    };
    if let Some(strange) = strange {
        let error = Error::refused(format!(
            "{} is in the way and no part of an earlier demo",
            strange.display()
        ));
        return Err(Failure::from(error).hint("choose another folder with `--out FOLDER`"));
    }
    if force {
        return Ok(());
    }
    let error = Error::refused(format!("{} holds a demo already", folder.display()));
    Err(Failure::from(error)
        .hint(format!(
            "look at it once more: `pleiad cluster -c {}`",
            spec_path.display()
        ))
        .hint("make it anew with `--force`, or elsewhere with `--out FOLDER`"))
}

fn demo_files(folder: &Path) -> Vec<PathBuf> {
    let taxonomies = Hospital::taxonomies();
    let names = taxonomies.iter().map(|(name, _)| *name);
    names
        .chain([Hospital::SPEC_FILE, Hospital::DATA_FILE])
        .map(|name| folder.join(name))
        .collect()
}

/// The folder to hand over and the owner's.
fn release_folders(folder: &Path) -> [PathBuf; 2] {
    let owner = format!("{RELEASE_FOLDER}.owner");
    [folder.join(RELEASE_FOLDER), folder.join(owner)]
}

/// What somebody else put into the release of an earlier demo, if anything.
fn strange_file(folder: &Path) -> Option<PathBuf> {
    let [public, owner] = release_folders(folder);
    let manifest = Manifest::read(&public.join(MANIFEST_FILE)).ok();
    let is_public = |name: &str| {
        let mut manifests = manifest.iter();
        name == MANIFEST_FILE || manifests.any(|manifest| manifest.files.contains_key(name))
    };
    let is_owners = |name: &str| [EVALUATION_FILE, REPORT_FILE, ROWS_FILE].contains(&name);
    let strange_in = |folder: &Path, is_ours: &dyn Fn(&str) -> bool| {
        if !folder.is_dir() {
            return folder.exists().then(|| folder.to_owned());
        }
        let mut files = fs::read_dir(folder).ok()?.flatten();
        let strange = files.find(|file| !is_ours(&file.file_name().to_string_lossy()))?;
        Some(strange.path())
    };
    strange_in(&public, &is_public).or_else(|| strange_in(&owner, &is_owners))
}

/// How well the clusters agree with the planted ones, in words.
fn comparison(hospital: &Hospital, findings: &Findings) -> String {
    let planted: Vec<u32> = (0..hospital.n_rows())
        .map(|row| hospital.planted_cluster(row) as u32)
        .collect();
    let table = Contingency::from_labels(&planted, &findings.clustering.labels, None);
    let index = adjusted_rand(&table);
    let verdict = match index {
        0.9.. => "almost exactly",
        0.7.. => "to a large part",
        0.4.. => "in part",
        _ => "hardly",
    };
    format!(
        "{}\n\
         The table was made of {} kinds of patient, which the clustering did not know.\n\
         It found them {verdict}: {} of the rows are in the cluster that\n\
         matches their kind. Adjusted Rand index {index:.2} (1 is perfect, 0 is chance).\n",
        styled(STRONG, "Found and planted"),
        grouped(Hospital::CLUSTERS as u64),
        percent(1.0 - moved_share(&table)),
    )
}

fn next_steps(folder: &Path) -> String {
    let program = program();
    let in_folder = |name: &str| shown(&folder.join(name));
    let (data, spec) = (
        in_folder(Hospital::DATA_FILE),
        in_folder(Hospital::SPEC_FILE),
    );
    let [public, owner] = release_folders(folder);
    let report = shown(&owner.join(REPORT_FILE));
    let public = shown(&public);
    let look = [
        (data.as_str(), "the raw table"),
        (
            &spec,
            "its spec: columns, roles, taxonomies, clusters, promises",
        ),
        (&public, "the release; begin with its README.md"),
        (&report, "the owner's report: open it in a browser"),
    ];
    let width = look.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let look = look.map(|(path, words)| format!("  {path:<width$}  {words}\n"));
    let try_these = [
        (
            format!("cluster {public}"),
            "what the recipient of the release finds",
        ),
        (format!("check {public}"), "counts the promise once more"),
        (
            format!("release -c {spec} --out second"),
            "after a change to the spec: `anonymity = 20`, say",
        ),
        (
            format!("cluster {data} -k 4"),
            "another number of clusters of the raw table",
        ),
        (
            "init patients.csv".to_owned(),
            "the first step with a table of your own",
        ),
    ];
    let try_these = try_these
        .map(|(command, words)| format!("  {program} {command}\n      {}\n", styled(FAINT, words)));
    format!(
        "\n{}\n{}\n{}\n{}",
        styled(STRONG, "Where to look"),
        look.concat(),
        styled(STRONG, "What to try"),
        try_these.concat(),
    )
}
