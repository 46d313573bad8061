//! `pleiad evaluate`: what any masked table comes to, whoever made it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use pleiad::Error;
use pleiad::evaluate::Sides;
use pleiad::release::{Evaluation, JudgeOptions, MANIFEST_FILE, Rows, Show, judge};
use pleiad::spec::ClusterSpec;
use pleiad_report::report_of_evaluation;

use crate::arguments::count_from;
use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{DEFAULT_RESTARTS, Source, is_same_file};
use crate::summary::evaluation;
use crate::terminal::{self, Terminal, shown};

/// Judge any masked table beside the raw one, whoever made it
///
/// Says how much of the clusters survived, how much the values lost, how likely it is that somebody is found, and which
/// rows are suppressed or missing. The masked table may be a release, or what ARX, sdcMicro or a synthesiser wrote.
///
/// Masked values are read as the raw table's spec says: values, nodes of a taxonomy, `*`, `NA` or `⊥` for what is hidden,
/// and numbers as `37`, `[20, 40)`, `[20, 40[`, `[20, 40]`, `(20, 40]`, `]20, 40]`, `20-39`, `<40`, `>=40` or `{20, 40}`.
///
/// Who looks for people is taken to know the quasi columns, or all where the spec names none. The result is made from the
/// raw table and stays with its owner; a private release that is chosen by it is no longer covered by its ε alone.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The raw table: CSV (also gzipped), Parquet or Arrow IPC
    raw: PathBuf,

    /// The masked table, or the folder of a release
    masked: PathBuf,

    /// The spec of the raw table [default: `pleiad.toml` beside it]
    #[arg(long, short = 'c', value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Number of clusters, at least 2 [default: what the spec says]
    #[arg(long, short = 'k', value_name = "N", value_parser = cluster_count)]
    clusters: Option<usize>,

    /// Align rows by this column, which both tables have
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["map", "synthetic"])]
    key: Option<String>,

    /// Align rows by the owner's map of a release
    ///
    /// Without it the `rows.parquet` in the owner's folder beside a release is used, and for any other table the order
    /// of the rows.
    #[arg(long, value_name = "FILE", conflicts_with = "synthetic")]
    map: Option<PathBuf>,

    /// Do not align rows: none of them is somebody's
    ///
    /// Clusters are then compared by their centres.
    #[arg(long)]
    synthetic: bool,

    /// A table of the people among whom those of the table hide
    ///
    /// It has the quasi columns, with a row for each person, or the spec's column of persons.
    #[arg(long, value_name = "FILE", conflicts_with = "synthetic")]
    population: Option<PathBuf>,

    /// What counts as a high risk, above 0 and below 1
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    threshold: f64,

    /// Take cells in no known form as suppressed, and count them
    #[arg(long)]
    suppress_unknown: bool,

    /// Print the evaluation as JSON instead of the summary
    #[arg(long)]
    json: bool,

    /// Write the evaluation to this file too
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the report to this file too: one page of HTML, with charts, to read, print and sign
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad evaluate patients.csv masked.csv
      rows in the same order, columns as `pleiad.toml` beside the raw table says
  pleiad evaluate patients.csv masked.csv --key id --out evaluation.json
      rows in any order, aligned by a column; the measures also in a file
  pleiad evaluate patients.csv masked.csv --report report.html
      the same as a page to read, print and sign
  pleiad evaluate patients.csv release
      a release, its rows aligned by the owner's map
  pleiad evaluate patients.csv drawn.csv --synthetic
      rows that nobody is behind
  pleiad evaluate patients.csv masked.csv --json | jq '.risk.prosecutor'
      for programs";

fn cluster_count(text: &str) -> Result<usize, String> {
    count_from(text, 2, "there must be at least 2 clusters")
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err("it must be above 0 and below 1".to_owned())
    }
}

/// Judges and says what came of it.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    for path in options.out.iter().chain(&options.report) {
        check_out(path, options)?;
    }
    let source = Source::find(Some(&options.raw), options.spec.as_deref(), terminal)?;
    let bars = Bars::new(terminal);
    let plan = source.plan(&bars, terminal)?;
    let cluster = settings(options, &source)?;
    let report = options.report.as_ref().map(|path| {
        let subject = options.masked.display().to_string();
        move |evaluation: &Evaluation, sides: Sides<'_>| {
            let page = report_of_evaluation(&subject, evaluation, sides);
            fs::write(path, page).map_err(|source| Error::system("write", path, source))
        }
    });
    let judged = judge(
        &JudgeOptions {
            raw: &source.data,
            plan: &plan,
            recipient: source.recipient().unwrap_or(cluster.algorithm),
            cluster: &cluster,
            masked: &options.masked,
            rows: rows(options),
            population: options.population.as_deref(),
            threshold: options.threshold,
            suppress_unknown: options.suppress_unknown,
        },
        report.as_ref().map(|report| report as Show<'_>),
        &bars,
    )?;
    drop(bars);
    for note in evaluation::notes(&judged) {
        terminal.say(&note);
    }
    if let Some(path) = &options.out {
        write(path, &judged)?;
    }
    if options.json {
        terminal::print(|out| out.write_all(judged.text().as_bytes()))?;
    } else {
        if terminal.is_watched() {
            terminal.say("");
        }
        let summary = evaluation::summary(&judged, terminal::width());
        terminal::print(|out| out.write_all(summary.as_bytes()))?;
    }
    if let Some(path) = &options.out {
        terminal.say(&format!("All measures are in {}.", shown(path)));
    }
    if let Some(path) = &options.report {
        terminal.say(&format!("The report is {}.", shown(path)));
    }
    Ok(())
}

fn rows(options: &Options) -> Option<Rows> {
    if options.synthetic {
        return Some(Rows::Synthetic);
    }
    let key = options.key.clone().map(Rows::Key);
    key.or_else(|| options.map.clone().map(Rows::Map))
}

fn settings(options: &Options, source: &Source) -> Outcome<ClusterSpec> {
    let spec = source.cluster_spec();
    let Some(clusters) = options.clusters.or(spec.as_ref().map(|spec| spec.clusters)) else {
        return Err(Failure::usage(
            "the number of clusters is not known: there is no spec, and no -k",
        )
        .hint("say how many: `-k 6`")
        .hint("a spec also says which columns are quasi, and knows taxonomies: `-c pleiad.toml`"));
    };
    let spec = spec.unwrap_or(ClusterSpec {
        algorithm: pleiad::spec::Algorithm::default(),
        clusters,
        restarts: DEFAULT_RESTARTS,
        seed: 0,
        encoding: pleiad::spec::Encoding::default(),
        tuning: pleiad::spec::Tuning::default(),
    });
    Ok(ClusterSpec { clusters, ..spec })
}

/// Finds out before the work whether the evaluation can be written there, and may be.
fn check_out(path: &Path, options: &Options) -> Outcome<()> {
    let is_read = [Some(&options.raw), Some(&options.masked)]
        .into_iter()
        .flatten()
        .any(|read| is_same_file(read, path));
    if path.exists() || is_read {
        let error = Error::refused(format!("{} exists already", path.display()));
        return Err(Failure::from(error).hint("choose another name, or move that file away"));
    }
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if parent.join(MANIFEST_FILE).exists() {
        let error = Error::refused(format!(
            "{} is handed over, and an evaluation is made from the raw table",
            parent.display()
        ));
        return Err(Failure::from(error).hint("write it elsewhere, beside the owner's files"));
    }
    if !parent.is_dir() {
        let missing = std::io::ErrorKind::NotFound.into();
        return Err(Failure::cannot_write(Error::system("write", path, missing)));
    }
    Ok(())
}

fn write(path: &Path, judged: &Evaluation) -> Outcome<()> {
    File::create_new(path)
        .and_then(|mut file| file.write_all(judged.text().as_bytes()))
        .map_err(|source| Failure::cannot_write(Error::system("write", path, source)))
}
