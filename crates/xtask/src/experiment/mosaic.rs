//! Mosaic on real tables: the cost ratio of cells and synthetic rows beside the ceiling and the floor.
//!
//! Domains are public: bounds from `bounds.csv`, trees from the taxonomy files, ICD-9 the whole code set. Four columns
//! of diabetes130 have no file for their values, though the source documents them: the lists are taken from the file of
//! all encounters. Restarts follow the measuring protocol.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use pleiad::Silent;
use pleiad::cluster::{Algorithm, Encoding, Points};
use pleiad::evaluate::{Comparison, LabelledBy, Protocol, Reference};
use pleiad::mask::mosaic::Mosaic;
use pleiad::mask::private::PrivateMethod;
use pleiad::privacy::budget::{AddRemove, Cost, Epsilon, Purse, SealedTable};
use pleiad::privacy::noise::PrivateRandom;
use pleiad::spec::Spec;
use pleiad::table::{Table, read_table};

use crate::bench::say;
use crate::workspace;

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The table.
    #[arg(long, value_enum, default_value_t = Data::AdultSet)]
    data: Data,
    /// Privacy budgets, as exact numbers.
    #[arg(long, value_delimiter = ',', default_values_t = ["1".to_owned(), "0.1".to_owned()])]
    epsilon: Vec<String>,
    /// Numbers of clusters; 3, 5 and 8 (Adult in one-hot code: 2 and 5) if none is given.
    #[arg(long, value_delimiter = ',')]
    clusters: Vec<usize>,
    /// Releases of each kind.
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// Releases of which the synthetic rows are clustered too; all if not given.
    #[arg(long)]
    row_runs: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Data {
    /// Heterogeneous Adult: 28,308 rows, three numbers, seven categories, sets of occupations.
    AdultSet,
    /// First encounters of 71,518 diabetes patients: three numbers, eight categories, sets of ICD-9 codes.
    Diabetes,
    /// MAGIC: 19,020 rows of ten numbers.
    Magic,
    /// Adult, all 14 attributes, any two different values equally far apart.
    AdultOneHot,
}

/// Runs the experiment.
pub(super) fn run(options: &Options) -> Result<()> {
    let table = read(options.data)?;
    let clusters = match (&options.clusters[..], options.data) {
        ([], Data::AdultOneHot) => vec![2, 5],
        ([], _) => vec![3, 5, 8],
        (given, _) => given.to_vec(),
    };
    let raw = Points::new(&table, Encoding::Semantic);
    say(&format!(
        "{} rows × {} columns, {} runs; cost ratio and F-near, mean (standard error)",
        table.n_rows(),
        table.fields().len(),
        options.runs
    ))?;
    let mut references = Vec::new();
    for &n_clusters in &clusters {
        let protocol = Protocol {
            floor_draws: 0,
            ..Protocol::new(Algorithm::KMeans, n_clusters)
        };
        let reference = Reference::new(&raw, &protocol, &Silent)?;
        say(&format!(
            "  k={n_clusters}  ceiling: cost {:.4}, F {:.3}; {} optima; one cluster for all: {:.3}",
            reference.ceiling_cost_ratio,
            reference.ceiling.f,
            reference.optima.len(),
            one_cluster_cost(&raw) / reference.cost,
        ))?;
        references.push((protocol, reference));
    }
    for epsilon in &options.epsilon {
        say(&format!("ε = {epsilon}"))?;
        let epsilon: Epsilon<AddRemove> = epsilon.parse()?;
        let mosaic = Mosaic::new(table.fields(), &epsilon)?;
        let judge = Judge {
            table: &table,
            raw: &raw,
            references: &references,
            epsilon: &epsilon,
        };
        let row_runs = options.row_runs.unwrap_or(options.runs);
        judge.repeat("mosaic", &mosaic, options.runs, row_runs)?;
        let marginals = mosaic.marginals_only();
        judge.repeat("marginals only", &marginals, row_runs, row_runs)?;
    }
    Ok(())
}

/// The cost of all rows under their common mean.
fn one_cluster_cost(raw: &Points<'_>) -> f64 {
    pleiad::cluster::spread(raw, &vec![0; raw.n_rows()], 1)
}

/// What releases are judged by.
struct Judge<'a> {
    table: &'a Table,
    raw: &'a Points<'a>,
    references: &'a [(Protocol, Reference)],
    epsilon: &'a Epsilon<AddRemove>,
}

/// What repeated releases came to.
#[derive(Default)]
struct Results {
    cost_ratios: Vec<f64>,
    f_near: Vec<f64>,
}

impl Results {
    fn add(&mut self, comparison: &Comparison) {
        self.cost_ratios.push(comparison.release.cost_ratio);
        self.f_near.push(comparison.release.f_near);
    }

    fn text(&self) -> String {
        if self.cost_ratios.is_empty() {
            return "—".to_owned();
        }
        let (cost, near) = (with_error(&self.cost_ratios), with_error(&self.f_near));
        format!("cost {cost}  F-near {near}")
    }
}

fn with_error(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squared: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squared / (n - 1.0).max(1.0) / n).sqrt();
    format!("{mean:.4} ({error:.4})")
}

impl Judge<'_> {
    /// Releases the table again and again; the rows of some of the releases are clustered too.
    fn repeat(&self, name: &str, mosaic: &Mosaic, runs: usize, row_runs: usize) -> Result<()> {
        let none = || self.references.iter().map(|_| Results::default());
        let mut of_cells: Vec<Results> = none().collect();
        let mut of_rows: Vec<Results> = none().collect();
        for run in 0..runs {
            let mut purse = Purse::new(&Cost::Pure(self.epsilon.clone()));
            let mut random = PrivateRandom::new()?;
            let sealed = SealedTable::seal(self.table);
            let outputs = mosaic.measure(&sealed, &mut purse, &mut random)?;
            let publication = mosaic.publish(&outputs)?;
            let cells = &publication.cells;
            let cell_of_rows = mosaic.cell_of_rows(self.table, &outputs, cells);
            let space = self.raw.space();
            let cell_points = Points::in_space(&cells.table, space.clone())
                .with_spreads(&cells.table, &cells.spreads);
            let row_points = Points::in_space(&publication.rows, space.clone());
            for (number, (protocol, _)) in self.references.iter().enumerate() {
                if cells.table.n_rows() >= protocol.n_clusters {
                    let labelled_by = LabelledBy::Cell(&cell_of_rows);
                    of_cells[number].add(&self.compare(number, &cell_points, labelled_by)?);
                }
                if run < row_runs {
                    of_rows[number].add(&self.compare(number, &row_points, LabelledBy::Centre)?);
                }
            }
        }
        for (number, (protocol, _)) in self.references.iter().enumerate() {
            let k = protocol.n_clusters;
            say(&format!(
                "  k={k}  {name}, cells: {}",
                of_cells[number].text()
            ))?;
            say(&format!(
                "  k={k}  {name}, rows:  {}",
                of_rows[number].text()
            ))?;
        }
        Ok(())
    }

    fn compare(
        &self,
        number: usize,
        release: &Points<'_>,
        labelled_by: LabelledBy<'_>,
    ) -> Result<Comparison> {
        let (protocol, reference) = &self.references[number];
        Ok(Comparison::new(
            self.raw,
            reference,
            release,
            labelled_by,
            protocol,
            &Silent,
        )?)
    }
}

fn data_folder() -> Result<PathBuf> {
    let folder = workspace().join("../shared/data");
    folder
        .canonicalize()
        .context("this experiment needs the tables in ../shared/data")
}

fn read(data: Data) -> Result<Table> {
    let folder = data_folder()?;
    let text = match data {
        Data::AdultSet => adult_set(&folder)?,
        Data::Diabetes => diabetes(&folder)?,
        Data::Magic => magic(&folder)?,
        Data::AdultOneHot => adult_one_hot(&folder)?,
    };
    let spec = Spec::parse(&text, Path::new("mosaic.toml"))?;
    Ok(read_table(&spec.data_path, &spec.plan, &Silent)?.table)
}

/// The beginning of a spec.
fn head(data: &Path) -> String {
    format!("[data]\npath = '{}'\n\n[columns]\n", data.display())
}

/// The lines of the numeric columns of a data set, with their public bounds.
fn bounds(folder: &Path, dataset: &str) -> Result<Vec<(String, String)>> {
    let file = std::fs::read_to_string(folder.join("bounds.csv"))?;
    let lines = file.lines().skip(1).map(|line| line.split(',').collect());
    let own = lines.filter(|fields: &Vec<&str>| fields[0] == dataset);
    let columns: Vec<(String, String)> = own
        .map(|fields| {
            let [_, column, low, high, step] = fields[..] else {
                anyhow::bail!("bounds.csv has five columns");
            };
            let line = format!("kind = \"numeric\", bounds = [{low}, {high}], step = {step}");
            Ok((column.to_owned(), line))
        })
        .collect::<Result<_>>()?;
    ensure!(!columns.is_empty(), "no bounds for {dataset}");
    Ok(columns)
}

fn add(spec: &mut String, column: &str, line: &str) -> Result<()> {
    writeln!(spec, "{column} = {{ {line} }}").context("a string can be written to")
}

const END: &str = "\n[cluster]\nclusters = 5\n";

const ADULT_TREES: [&str; 7] = [
    "workclass",
    "education",
    "marital-status",
    "relationship",
    "race",
    "sex",
    "native-country",
];

fn adult_set(folder: &Path) -> Result<String> {
    let adult = folder.join("adult");
    let tree = |name: &str| adult.join("taxonomy").join(format!("{name}.csv"));
    let mut spec = head(&adult.join("adult_setvalued.csv"));
    for (column, line) in bounds(folder, "adult")? {
        if ["age", "education-num", "hours-per-week"].contains(&&*column) {
            add(&mut spec, &column, &line)?;
        }
    }
    for column in ADULT_TREES {
        let tree = tree(column);
        let line = format!("kind = \"categorical\", taxonomy = '{}'", tree.display());
        add(&mut spec, column, &line)?;
    }
    let tree = tree("occupation");
    let line = format!("kind = \"set\", taxonomy = '{}'", tree.display());
    add(&mut spec, "occupation", &line)?;
    Ok(spec + END)
}

/// One-hot code is a space like any other: stars, where two values differ by 2, and numbers, which differ by at most 1.
fn adult_one_hot(folder: &Path) -> Result<String> {
    let adult = folder.join("adult");
    let mut spec = head(&adult.join("adult.csv.gz"));
    for (column, line) in bounds(folder, "adult")? {
        add(&mut spec, &column, &format!("{line}, weight = 1"))?;
    }
    for column in ADULT_TREES.iter().chain(&["occupation"]) {
        let tree = std::fs::read_to_string(adult.join("taxonomy").join(format!("{column}.csv")))?;
        let leaves = tree.lines().filter_map(|line| line.split(';').next());
        let line = format!(
            "kind = \"categorical\", values = [{}], weight = 2",
            quoted(leaves)
        );
        add(&mut spec, column, &line)?;
    }
    spec.push_str("income = { role = \"identifier\" }\n");
    Ok(spec + END)
}

fn magic(folder: &Path) -> Result<String> {
    let mut spec = head(&folder.join("magic/magic.csv"));
    for (column, line) in bounds(folder, "magic")? {
        add(&mut spec, &column, &line)?;
    }
    spec.push_str("class = { role = \"identifier\" }\n");
    Ok(spec + END)
}

fn diabetes(folder: &Path) -> Result<String> {
    let diabetes = folder.join("diabetes130");
    let mut spec = head(&diabetes.join("diabetes130_first_encounter.csv.gz"));
    for (column, line) in bounds(folder, "diabetes130")? {
        add(&mut spec, &column, &line)?;
    }
    let bands: Vec<String> = (0..10)
        .map(|ten| format!("[{}-{})", 10 * ten, 10 * ten + 10))
        .collect();
    let line = format!(
        "kind = \"categorical\", values = [{}]",
        quoted(bands.iter().map(String::as_str))
    );
    add(&mut spec, "age", &line)?;
    let labels = std::fs::read_to_string(diabetes.join("id_labels.csv"))?;
    for column in [
        "admission_type_id",
        "discharge_disposition_id",
        "admission_source_id",
    ] {
        let own = labels.lines().filter_map(|line| {
            let rest = line.strip_prefix(column)?.strip_prefix(',')?;
            rest.split(',').next()
        });
        let line = format!("kind = \"categorical\", values = [{}]", quoted(own));
        add(&mut spec, column, &line)?;
    }
    let mut text = String::new();
    let encounters = File::open(diabetes.join("diabetes130.csv.gz"))?;
    flate2::read::MultiGzDecoder::new(BufReader::new(encounters)).read_to_string(&mut text)?;
    for (column, number, may_be_missing) in [
        ("race", 0, true),
        ("gender", 1, false),
        ("payer_code", 6, true),
        ("medical_specialty", 7, true),
    ] {
        let cells = text
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').nth(number));
        let values: BTreeSet<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let line = format!(
            "kind = \"categorical\", values = [{}], may_be_missing = {may_be_missing}",
            quoted(values.into_iter())
        );
        add(&mut spec, column, &line)?;
    }
    let tree = diabetes.join("icd9_taxonomy_full.csv");
    let line = format!(
        "kind = \"set\", taxonomy = '{}', may_be_missing = true",
        tree.display()
    );
    add(&mut spec, "icd9", &line)?;
    Ok(spec + END)
}

fn quoted<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = values.map(|value| format!("'{value}'")).collect();
    quoted.join(", ")
}
