//! `pleiad demo`: the whole way on a table that it makes itself.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use pleiad::evaluate::agreement::{adjusted_rand, moved_share};
use pleiad::evaluate::contingency::Contingency;
use pleiad::generate::Hospital;
use pleiad::spec::Spec;
use pleiad::{Amount, Error, Progress};

use crate::clustering::{self, Findings};
use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::summary::text::{self, counted, grouped, percent};
use crate::terminal::{self, FAINT, STRONG, Terminal, shown, styled};

/// The demo is the same for everybody.
const SEED: u64 = 42;

/// Make a hospital table, find its clusters, see what to do next
///
/// Makes a hospital table of patients who do not exist, with a spec and taxonomies, into a new folder. Reads it as its
/// spec says, finds its clusters, prints what they look like, and compares them with the kinds of patient that were
/// planted in the table.
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
      20,000 rows into the folder `pleiad-demo`
  pleiad demo --rows 1000000 --out large-demo
      a larger table
  pleiad demo --force
      the same once more";

/// Makes the table, clusters it, compares with what was planted.
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
    let spec = Spec::read(&spec_path).map_err(Failure::in_spec)?;
    let findings = clustering::find(
        &spec.data_path,
        Some(&spec_path),
        &spec.plan,
        &spec.cluster,
        &bars,
    )?;
    drop(bars);
    terminal.say("");
    let (summary, _) = text::summary(&findings, terminal::width(), false);
    let comparison = comparison(&hospital, &findings);
    terminal::print(|out| write!(out, "{summary}\n{comparison}"))?;
    terminal.say(&next_steps(&options.out));
    Ok(())
}

/// Writes the folder; what was begun and could not be finished is taken away again.
fn make(hospital: &Hospital, options: &Options, progress: &dyn Progress) -> Outcome<()> {
    let folder = &options.out;
    let files = demo_files(folder);
    if let Some(file) = files.iter().find(|file| file.exists()) {
        check_replaceable(file, folder, options.force)?;
    }
    let failed = |source| Failure::cannot_write(Error::system("write the demo to", folder, source));
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
fn check_replaceable(file: &Path, folder: &Path, force: bool) -> Outcome<()> {
    let spec_path = folder.join(Hospital::SPEC_FILE);
    let first_line = |text: &str| text.lines().next().map(str::to_owned);
    let found = fs::read_to_string(&spec_path).unwrap_or_default();
    if first_line(&found) != first_line(&Hospital::spec(Hospital::DATA_FILE)) {
        let error = Error::refused(format!(
            "{} is in the way and no part of an earlier demo",
            file.display()
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
    let in_folder = |name: &str| shown(&folder.join(name));
    let (data, spec) = (
        in_folder(Hospital::DATA_FILE),
        in_folder(Hospital::SPEC_FILE),
    );
    let width = data.len().max(spec.len());
    let note = |words: &str| styled(FAINT, words);
    format!(
        "\n{}\n  {data:<width$}  the table\n  {spec:<width$}  its spec: columns, roles, taxonomies, clusters\n\
         \n{}\n  \
         pleiad cluster {data} -k 4\n      {}\n  \
         pleiad cluster {data} --all-columns\n      {}\n  \
         pleiad cluster {data} --labels labels.csv\n      {}\n  \
         pleiad help cluster\n      {}\n",
        styled(STRONG, "Where to look"),
        styled(STRONG, "What to try"),
        note("another number of clusters"),
        note("every cluster by all of its columns"),
        note("which row is in which cluster"),
        note("how to bring a table of your own"),
    )
}
