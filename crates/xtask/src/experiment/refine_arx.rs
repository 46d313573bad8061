//! Top-down refinement beside ARX on ARX's own example: the same file, the same hierarchies, the same requirement.
//!
//! All nine columns are one quasi-identifier, five people or more look alike, rows are clustered in one-hot code. Age is
//! a hierarchy of values here, as ARX has it, and numeric beside it, as a spec would say.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use pleiad::Silent;
use pleiad::cluster::{Clusterer as _, Clustering, Encoding, KMeans, Points, assign};
use pleiad::evaluate::Agreement;
use pleiad::evaluate::contingency::Contingency;
use pleiad::mask::positions::{Positions, spreads};
use pleiad::mask::refine::{RefineParams, refine};
use pleiad::privacy::{QuasiIdentifier, Requirement};
use pleiad::spec::Spec;
use pleiad::table::{
    Codes, Column, Domain, Field, Leaf, MaskedDictionary, MaskedValue, Table, Taxonomy, Tree,
    read_table,
};

use super::public_tables::data_folder;
use crate::bench::say;

const CLUSTERS: usize = 6;
const AT_LEAST: u32 = 5;
const SEEDS: u64 = 3;
const RESTARTS: usize = 40;

/// The seed of the first start on a release: never one of the raw table's.
const RELEASE_SEED: u64 = 1000;

const COLUMNS: [&str; 9] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
];

/// What age is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    Hierarchy,
    Numeric,
}

/// Masks the file and prints what is left of its clusters.
pub(super) fn run() -> Result<()> {
    let folder = data_folder()?.join("adult");
    say(&format!(
        "ARX's example, all {} columns in one quasi-identifier, at least {AT_LEAST} alike, one-hot code, {CLUSTERS} \
         clusters, means over {SEEDS} seeds",
        COLUMNS.len()
    ))?;
    say("                            F     match point  adjusted Rand  cost ratio")?;
    say("ARX global, run with ARX     0.47  0.77         0.23")?;
    say("ARX local, run with ARX      0.63  0.82         0.40")?;
    for age in [Age::Hierarchy, Age::Numeric] {
        let table = read(&folder, age)?;
        say(match age {
            Age::Hierarchy => "age as ARX's hierarchy",
            Age::Numeric => "age as a number",
        })?;
        beside_arx(&table)?;
    }
    Ok(())
}

fn read(folder: &Path, age: Age) -> Result<Table> {
    let mut text = format!(
        "[data]\npath = '{}'\n\n[columns]\n",
        folder.join("adult_arx.csv").display()
    );
    for column in COLUMNS {
        if column == "age" && age == Age::Numeric {
            text.push_str("age = { kind = \"numeric\", bounds = [17, 90], step = 1 }\n");
            continue;
        }
        let hierarchy = folder.join(format!("hierarchies_arx/adult_hierarchy_{column}.csv"));
        writeln!(
            text,
            "{column} = {{ kind = \"categorical\", taxonomy = '{}' }}",
            hierarchy.display()
        )?;
    }
    writeln!(text, "\n[cluster]\nclusters = {CLUSTERS}")?;
    let spec = Spec::parse(&text, Path::new("arx.toml"))?;
    Ok(read_table(&spec.data_path, &spec.plan, &Silent)?.table)
}

/// Sums over seeds.
#[derive(Default)]
struct Sums {
    f: f64,
    match_point: f64,
    adjusted_rand: f64,
    cost_ratio: f64,
}

impl Sums {
    fn add(&mut self, raw: &[u32], other: &[u32], cost_ratio: f64) {
        let agreement = Agreement::of(&Contingency::from_labels(raw, other, None));
        self.f += agreement.f;
        self.match_point += agreement.match_point;
        self.adjusted_rand += agreement.adjusted_rand;
        self.cost_ratio += cost_ratio;
    }

    fn say(&self, name: &str) -> Result<()> {
        let mean = |sum: f64| sum / SEEDS as f64;
        let cost_ratio = match mean(self.cost_ratio) {
            // New symbols are no place in the raw table's space.
            ratio if ratio.is_nan() => String::new(),
            ratio => format!("{ratio:.3}"),
        };
        say(&format!(
            "  {name:24}  {:.3} {:.3}        {:.3}          {cost_ratio}",
            mean(self.f),
            mean(self.match_point),
            mean(self.adjusted_rand),
        ))
    }
}

fn clustered(points: &Points<'_>, seed: u64) -> Result<(Clustering, f64)> {
    let clusterer = KMeans::new(CLUSTERS).restarts(RESTARTS).seed(seed);
    let clustering = clusterer.cluster(points, &Silent)?;
    let cost = clustering.cost.context("k-means has a cost")?;
    Ok((clustering, cost))
}

fn cost_on(raw: &Points<'_>, clustering: &Clustering) -> Result<f64> {
    let centres = clustering.centres.as_ref().context("k-means has centres")?;
    Ok(assign(raw, centres).1)
}

fn beside_arx(table: &Table) -> Result<()> {
    let flat = one_hot(table);
    let raw = Points::new(&flat, Encoding::Semantic);
    let requirement = Requirement::new(&[QuasiIdentifier::new(
        (0..COLUMNS.len()).collect(),
        AT_LEAST,
    )?])?;
    let kinds = [Positions::Uniform, Positions::Table, Positions::Group];
    let names = ["uniform", "table", "group"];
    let mut raw_again = Sums::default();
    let mut by_kind: [Sums; 3] = Default::default();
    let mut symbols = Sums::default();
    for seed in 0..SEEDS {
        let (reference, cost) = clustered(&raw, seed * RESTARTS as u64)?;
        let release_seed = RELEASE_SEED + seed * RESTARTS as u64;
        let (again, cost_again) = clustered(&raw, release_seed)?;
        raw_again.add(&reference.labels, &again.labels, cost_again / cost);
        let masked = refine(
            table,
            &reference.labels,
            &requirement,
            &RefineParams::default(),
            &Silent,
        )?
        .table;
        let flat_masked = one_hot(&masked);
        for (positions, sums) in kinds.into_iter().zip(&mut by_kind) {
            let told = spreads(table, &masked, &requirement, positions);
            let points = Points::in_space(&flat_masked, raw.space().clone())
                .with_spreads(&flat_masked, &told);
            let (released, _) = clustered(&points, release_seed)?;
            sums.add(
                &reference.labels,
                &released.labels,
                cost_on(&raw, &released)? / cost,
            );
        }
        // What a tool does that takes `Non-Government` for one more word beside the others.
        let as_symbols = Points::new(&masked, Encoding::OneHot);
        let (released, _) = clustered(&as_symbols, release_seed)?;
        symbols.add(&reference.labels, &released.labels, f64::NAN);
    }
    raw_again.say("raw against raw")?;
    for (sums, name) in by_kind.iter().zip(names) {
        sums.say(&format!("refine, {name}"))?;
    }
    symbols.say("refine, as new symbols")
}

/// The table in one-hot code with room for positions: every hierarchy becomes a mere list of its leaves, so that any two
/// differ by 2, a number by at most 1, and a masked value is the region of its leaves.
fn one_hot(table: &Table) -> Table {
    let (fields, columns) = table
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| {
            let Domain::Values(tree) = &field.domain else {
                let field = Field {
                    weight: 1.0,
                    ..field.clone()
                };
                return (field, column.clone());
            };
            let labels = (0..tree.taxonomy.n_leaves() as Leaf)
                .map(|leaf| tree.taxonomy.leaf_label(leaf).to_owned());
            let star = Tree {
                taxonomy: Taxonomy::star(labels).expect("the labels of a tree are different words"),
                is_star: true,
            };
            let column = match column {
                Column::Masked(codes, dictionary) => as_regions(tree, codes, dictionary),
                other => other.clone(),
            };
            let field = Field {
                domain: Domain::Values(star),
                weight: 2.0,
                ..field.clone()
            };
            (field, column)
        })
        .unzip();
    Table::new(fields, columns, None)
}

fn as_regions(tree: &Tree, codes: &Codes, dictionary: &MaskedDictionary) -> Column {
    let mut regions = MaskedDictionary::default();
    for value in dictionary.values() {
        let leaves = value.leaf_shares(tree).into_iter().map(|(leaf, _)| leaf);
        regions.code(MaskedValue::Region(leaves.collect()));
    }
    Column::Masked(codes.clone(), regions)
}
