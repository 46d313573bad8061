//! `pleiad cluster`: the clusters of a table in the words of its columns.

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pleiad::Error;
use pleiad::spec::{Algorithm, ClusterSpec, Encoding, Seeding, Tuning};

use crate::arguments::count_from;
use crate::clustering::{self, Findings};
use crate::failure::{Failure, Outcome};
use crate::labels::LabelsFile;
use crate::progress::Bars;
use crate::source::{DEFAULT_RESTARTS, Source};
use crate::summary::{json, suggestion, text};
use crate::terminal::{self, Terminal, shown};

/// Find the clusters of a table and describe them
///
/// Finds the clusters of a table and describes each of them by the columns that set it apart most from the whole
/// table: the mean of a numeric column, the values of a categorical one, the typical items of a set-valued one, each
/// beside what they are in all rows.
///
/// A spec says what the columns are and how many clusters there are. It is the file named by --spec, or a
/// `pleiad.toml` beside the table that is about this table; options win over its section [cluster]. Without a spec
/// the kinds of the columns are guessed, and -k says how many clusters there are; --suggest helps to find a number, and
/// DBSCAN needs none.
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

    /// Try several numbers of clusters and propose one [default: 2..12]
    ///
    /// Prints the cost and the silhouette of each number, where an optimised canopy and the elbow of the costs put it,
    /// and proposes the number of largest silhouette. Nothing else is done.
    #[arg(
        long, value_name = "FROM..TO", value_parser = numbers_to_try,
        num_args = 0..=1, default_missing_value = "2..12",
        conflicts_with_all = ["clusters", "labels", "all_columns"]
    )]
    suggest: Option<RangeInclusive<usize>>,

    /// How clusters are found [default: kmeans, or what the spec says]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<AlgorithmName>,

    /// Where kmeans and kprototypes start [default: plus-plus, or what the spec says]
    #[arg(long, value_name = "NAME")]
    seeding: Option<SeedingName>,

    /// kprototypes: what a category that differs counts for [default: half the mean deviation of the numbers]
    ///
    /// A number counts for the square of its difference, as a share of its range.
    #[arg(long, value_name = "WEIGHT", value_parser = positive)]
    gamma: Option<f64>,

    /// dbscan: how far from each other neighbours may lie [default: where the distances between neighbours bend]
    #[arg(long, value_name = "DISTANCE", value_parser = positive)]
    radius: Option<f64>,

    /// dbscan: rows within the radius, itself included, that make a row the core of a cluster [default: 5]
    #[arg(long, value_name = "N", value_parser = neighbour_count)]
    neighbours: Option<u32>,

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
    /// in the summary; -1 is noise. Rows that the spec leaves out are not in it.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Replace the labels file if it exists
    #[arg(long, requires = "labels")]
    force: bool,

    /// Print one JSON document instead of the summary
    ///
    /// It has all columns of all clusters (or, with --suggest, all numbers tried), and keys that stay;
    /// `docs/reference/cluster-json.md` describes them.
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
  pleiad cluster patients.csv --suggest
      how many clusters there may be
  pleiad cluster patients.csv --algorithm dbscan
      as many clusters as there are, and what belongs to none of them
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
    /// As kmeans, with the most frequent value of a category instead of a mean
    Kprototypes,
    /// Rows with enough neighbours, and what they reach; the rest is noise
    Dbscan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SeedingName {
    /// Rows drawn far from each other, several times
    PlusPlus,
    /// The row in the middle, then always the farthest; no draws
    Canopy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingName {
    /// Values that are close in their taxonomy are close to each other
    Semantic,
    /// Any two different values are equally far apart
    OneHot,
}

/// One cluster is no clustering.
const LEAST_CLUSTERS: usize = 2;

fn cluster_count(text: &str) -> Result<usize, String> {
    count_from(text, LEAST_CLUSTERS, "there must be at least 2 clusters")
}

fn restart_count(text: &str) -> Result<usize, String> {
    count_from(text, 1, "there must be at least 1 start")
}

fn neighbour_count(text: &str) -> Result<u32, String> {
    let count = count_from(
        text,
        1,
        "there must be at least 1 neighbour: a row counts itself",
    )?;
    u32::try_from(count).map_err(|_| "no row has so many neighbours".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number > 0.0 => Ok(number),
        _ => Err("it must be a finite number above 0".to_owned()),
    }
}

fn numbers_to_try(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| "write the first and the last number, such as 2..12".to_owned())?;
    let (from, to) = (cluster_count(from)?, cluster_count(to)?);
    if from > to {
        return Err(format!("{from} is more than {to}"));
    }
    Ok(from..=to)
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
    if let Some(numbers) = &options.suggest {
        let trial = clustering::suggest(&source, &settings, numbers.clone(), &bars, terminal)?;
        drop(bars);
        return suggestion::print(&trial, options.json, terminal);
    }
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
    let algorithm = options.algorithm.map(|name| match name {
        AlgorithmName::Kmeans => Algorithm::KMeans,
        AlgorithmName::Bisecting => Algorithm::Bisecting,
        AlgorithmName::Kprototypes => Algorithm::KPrototypes,
        AlgorithmName::Dbscan => Algorithm::Dbscan,
    });
    let algorithm = algorithm
        .or(spec.map(|spec| spec.algorithm))
        .unwrap_or_default();
    // Nobody has to say a number that is not used.
    let is_found = algorithm == Algorithm::Dbscan || options.suggest.is_some();
    let said = options.clusters.or(spec.map(|spec| spec.clusters));
    let Some(clusters) = said.or(is_found.then_some(LEAST_CLUSTERS)) else {
        // Whoever mistyped the name of the table should hear of that first.
        File::open(&source.data).map_err(|error| Error::system("open", &source.data, error))?;
        let data = shown(&source.data);
        return Err(Failure::usage(
            "the number of clusters is not known: there is no spec, and no -k",
        )
        .hint(format!("say how many: `pleiad cluster {data} -k 6`"))
        .hint(format!(
            "see how many there may be: `pleiad cluster {data} --suggest`"
        )));
    };
    let encoding = options.encoding.map(|name| match name {
        EncodingName::Semantic => Encoding::Semantic,
        EncodingName::OneHot => Encoding::OneHot,
    });
    Ok(ClusterSpec {
        algorithm,
        clusters,
        restarts: options
            .restarts
            .or(spec.map(|spec| spec.restarts))
            .unwrap_or(DEFAULT_RESTARTS),
        seed: options.seed.or(spec.map(|spec| spec.seed)).unwrap_or(0),
        encoding: encoding
            .or(spec.map(|spec| spec.encoding))
            .unwrap_or_default(),
        tuning: tuning(options, algorithm, spec.map(|spec| spec.tuning))?,
    })
}

/// What the clusterer is told; an option that it would not hear is a mistake.
fn tuning(options: &Options, algorithm: Algorithm, spec: Option<Tuning>) -> Outcome<Tuning> {
    let is_centred = matches!(algorithm, Algorithm::KMeans | Algorithm::KPrototypes);
    let (is_prototypes, is_dense) = (
        algorithm == Algorithm::KPrototypes,
        algorithm == Algorithm::Dbscan,
    );
    for (is_said, is_heard, option, by) in [
        (
            options.seeding.is_some(),
            is_centred,
            "--seeding",
            "kmeans and kprototypes",
        ),
        (
            options.gamma.is_some(),
            is_prototypes,
            "--gamma",
            "kprototypes",
        ),
        (options.radius.is_some(), is_dense, "--radius", "dbscan"),
        (
            options.neighbours.is_some(),
            is_dense,
            "--neighbours",
            "dbscan",
        ),
    ] {
        if is_said && !is_heard {
            let name = algorithm.in_words();
            return Err(
                Failure::usage(format!("{option} is for {by}, not for {name}"))
                    .hint("`--algorithm` says how clusters are found"),
            );
        }
    }
    let spec = spec.unwrap_or_default();
    let seeding = options.seeding.map(|name| match name {
        SeedingName::PlusPlus => Seeding::PlusPlus,
        SeedingName::Canopy => Seeding::Canopy,
    });
    Ok(Tuning {
        seeding: seeding.unwrap_or(spec.seeding),
        gamma: options.gamma.or(spec.gamma),
        radius: options.radius.or(spec.radius),
        neighbours: options.neighbours.or(spec.neighbours),
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
    if found < asked && findings.settings.algorithm != Algorithm::Dbscan {
        terminal.say(&format!(
            "Only {found} of {asked} clusters could be made: no cluster is left that can be cut."
        ));
    }
    if !findings.clustering.converged {
        terminal
            .say("The clusters had not settled when the rounds ran out; more --restarts may help.");
    }
}
