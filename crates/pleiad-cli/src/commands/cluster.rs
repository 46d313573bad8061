//! `pleiad cluster`: the clusters of a table in the words of its columns.

use std::fs::File;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pleiad::Error;
use pleiad::spec::{Algorithm, ClusterSpec, Encoding};

use crate::arguments::count_from;
use crate::clustering::{self, Findings};
use crate::failure::{Failure, Outcome};
use crate::labels::LabelsFile;
use crate::progress::Bars;
use crate::source::{DEFAULT_RESTARTS, Source};
use crate::summary::{json, text};
use crate::terminal::{self, Terminal, shown};

/// Find the clusters of a table and describe them
///
/// Finds the clusters of a table and describes each of them by the columns that set it apart most from the whole
/// table: the mean of a numeric column, the values of a categorical one, the typical items of a set-valued one, each
/// beside what they are in all rows.
///
/// A spec says what the columns are and how many clusters there are. It is the file named by --spec, or a
/// `pleiad.toml` beside the table that is about this table; options win over its section [cluster]. Without a spec
/// the kinds of the columns are guessed, and -k says how many clusters there are.
///
/// A folder that `pleiad release` made is clustered as its manifest says: in the space that it describes, with masked
/// values where it says that they lie.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The table: CSV (also gzipped), Parquet, Arrow IPC or the folder of a release [default: what the spec names]
    data: Option<PathBuf>,

    /// The spec [default: `pleiad.toml` beside the table, or here]
    #[arg(long, short = 'c', value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Number of clusters, at least 2 [default: what the spec says]
    #[arg(long, short = 'k', value_name = "N", value_parser = cluster_count)]
    clusters: Option<usize>,

    /// How clusters are found [default: kmeans, or what the spec says]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<AlgorithmName>,

    /// How values become coordinates [default: semantic, or what the spec says]
    #[arg(long, value_name = "NAME")]
    encoding: Option<EncodingName>,

    /// Starts of which the best is taken [default: 10, or what the spec says]
    #[arg(long, value_name = "N", value_parser = restart_count)]
    restarts: Option<usize>,

    /// Where the random numbers start [default: 0, or what the spec says]
    ///
    /// The same seed gives the same clusters.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Write the cluster of every row to this file, `.csv` or `.parquet`
    ///
    /// The file has the columns `row`, counted from 1 at the first row below the header, and `cluster`, numbered as
    /// in the summary. Rows that the spec leaves out are not in it.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Replace the labels file if it exists
    #[arg(long, requires = "labels")]
    force: bool,

    /// Print one JSON document instead of the summary
    ///
    /// It has all columns of all clusters, and keys that stay; `docs/reference/cluster-json.md` describes them.
    #[arg(long)]
    json: bool,

    /// Describe each cluster by all columns
    #[arg(long, conflicts_with = "json")]
    all_columns: bool,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad cluster patients.csv -k 6
      six clusters of a table that nobody described
  pleiad cluster
      the table and the clusters that `pleiad.toml` in this folder describes
  pleiad cluster -c pleiad.toml -k 4 --algorithm bisecting
      the same table, another number of clusters, another algorithm
  pleiad cluster patients.csv -k 6 --labels labels.csv
      also writes which row is in which cluster
  pleiad cluster release
      what the recipient of a release finds
  pleiad cluster patients.csv -k 6 --json | jq '.clusters[].rows'
      for programs";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlgorithmName {
    /// Rows go to the nearest centre, centres to the middle of their rows
    Kmeans,
    /// The loosest cluster is cut in two, again and again
    Bisecting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingName {
    /// Values that are close in their taxonomy are close to each other
    Semantic,
    /// Any two different values are equally far apart
    OneHot,
}

fn cluster_count(text: &str) -> Result<usize, String> {
    count_from(text, 2, "there must be at least 2 clusters")
}

fn restart_count(text: &str) -> Result<usize, String> {
    count_from(text, 1, "there must be at least 1 start")
}

/// Reads, clusters, writes labels, prints.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    let labels = options
        .labels
        .as_ref()
        .map(|path| LabelsFile::check(path, options.force))
        .transpose()?;
    let source = Source::find(options.data.as_deref(), options.spec.as_deref(), terminal)?;
    if let Some(labels) = &labels {
        labels.check_spares(&source)?;
    }
    let settings = settings(options, &source)?;
    let bars = Bars::new(terminal);
    let findings = clustering::find(&source, &settings, &bars, terminal)?;
    say_exceptions(&findings, terminal);
    if let Some(labels) = &labels {
        labels.write(&findings)?;
    }
    drop(bars);
    if options.json {
        terminal::print(|out| json::write(&findings, out))?;
    } else {
        print_summary(&findings, options.all_columns, terminal)?;
    }
    if let Some(labels) = &labels {
        terminal.say(&format!("Labels are in {}.", shown(labels.path())));
    }
    Ok(())
}

/// Prints the readable summary.
fn print_summary(findings: &Findings, all_columns: bool, terminal: &Terminal) -> Outcome<()> {
    let (summary, some_left_out) = text::summary(findings, terminal::width(), all_columns);
    if terminal.is_watched() {
        terminal.say("");
    }
    terminal::print(|out| out.write_all(summary.as_bytes()))?;
    if some_left_out {
        terminal
            .say("\nShown are the columns that set a cluster apart most; --all-columns shows all.");
    }
    Ok(())
}

/// What was asked for, else what the spec says, else the defaults.
fn settings(options: &Options, source: &Source) -> Outcome<ClusterSpec> {
    let spec = source.cluster_spec();
    let spec = spec.as_ref();
    let Some(clusters) = options.clusters.or(spec.map(|spec| spec.clusters)) else {
        // Whoever mistyped the name of the table should hear of that first.
        File::open(&source.data).map_err(|error| Error::system("open", &source.data, error))?;
        return Err(Failure::usage(
            "the number of clusters is not known: there is no spec, and no -k",
        )
        .hint(format!(
            "say how many: `pleiad cluster {} -k 6`",
            shown(&source.data)
        )));
    };
    let algorithm = options.algorithm.map(|name| match name {
        AlgorithmName::Kmeans => Algorithm::KMeans,
        AlgorithmName::Bisecting => Algorithm::Bisecting,
    });
    let encoding = options.encoding.map(|name| match name {
        EncodingName::Semantic => Encoding::Semantic,
        EncodingName::OneHot => Encoding::OneHot,
    });
    Ok(ClusterSpec {
        algorithm: algorithm
            .or(spec.map(|spec| spec.algorithm))
            .unwrap_or_default(),
        clusters,
        restarts: options
            .restarts
            .or(spec.map(|spec| spec.restarts))
            .unwrap_or(DEFAULT_RESTARTS),
        seed: options.seed.or(spec.map(|spec| spec.seed)).unwrap_or(0),
        encoding: encoding
            .or(spec.map(|spec| spec.encoding))
            .unwrap_or_default(),
    })
}

/// Says what a reader of the result might not expect.
fn say_exceptions(findings: &Findings, terminal: &Terminal) {
    let n_dropped = findings.reading.dropped_rows.len() as u64;
    if n_dropped > 0 {
        let rows = text::counted(n_dropped, "row");
        terminal.say(&format!("Left out because a value is missing: {rows}."));
    }
    let (found, asked) = (findings.clustering.n_clusters, findings.settings.clusters);
    if found < asked {
        terminal.say(&format!(
            "Only {found} of {asked} clusters could be made: no cluster is left that can be cut."
        ));
    }
    if !findings.clustering.converged {
        terminal
            .say("The clusters had not settled when the rounds ran out; more --restarts may help.");
    }
}
