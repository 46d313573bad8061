//! The summary as one JSON document; its keys are described in `docs/reference/cluster-json.md`.

use std::io::{self, Write};

use pleiad::cluster::{ColumnPortrait, NOISE, Portrait, ValueShare, written_labels};
use pleiad::spec::{Algorithm, Encoding, Seeding};
use pleiad::table::Field;
use serde::Serialize;

use crate::clustering::Findings;
use pleiad_report::telling::distinction;

/// Raised when a key changes its meaning or goes.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    pleiad: &'static str,
    data: String,
    spec: Option<String>,
    rows: u64,
    dropped_rows: u64,
    left_out: &'a [String],
    algorithm: Algorithm,
    encoding: Encoding,
    restarts: usize,
    seed: u64,
    seeding: Seeding,
    gamma: Option<f64>,
    radius: Option<f64>,
    neighbours: Option<u32>,
    cost: Option<f64>,
    rounds: usize,
    converged: bool,
    whole: Group<'a>,
    clusters: Vec<Group<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<i64>,
    rows: u64,
    share: f64,
    columns: Vec<Column<'a>>,
}

#[derive(Serialize)]
struct Column<'a> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    distinction: Option<f64>,
    #[serde(flatten)]
    portrait: PortraitJson<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PortraitJson<'a> {
    Mean {
        mean: Option<Mean<'a>>,
        missing: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        shift: Option<f64>,
    },
    Values {
        values: Vec<Frequency<'a>>,
    },
    Items {
        items: Vec<Frequency<'a>>,
    },
}

/// A number, or the text of a date.
#[derive(Serialize)]
#[serde(untagged)]
enum Mean<'a> {
    Number(f64),
    Date(&'a str),
}

#[derive(Serialize)]
struct Frequency<'a> {
    value: &'a str,
    share: f64,
    share_overall: f64,
}

/// Writes the document and a line's end.
pub(crate) fn write(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let fields = findings.reading.table.fields();
    let mut numbers: Vec<u32> = (0..findings.clustering.n_clusters as u32).collect();
    if findings.clustering.noise.is_some()
        && let Some(last) = numbers.last_mut()
    {
        *last = NOISE;
    }
    let numbers = written_labels(&numbers);
    let document = Document {
        format: FORMAT,
        pleiad: env!("CARGO_PKG_VERSION"),
        data: findings.data.display().to_string(),
        spec: findings
            .spec
            .as_ref()
            .map(|path| path.display().to_string()),
        rows: findings.whole.n_rows,
        dropped_rows: findings.reading.dropped_rows.len() as u64,
        left_out: &findings.left_out,
        algorithm: findings.settings.algorithm,
        encoding: findings.settings.encoding,
        restarts: findings.settings.restarts,
        seed: findings.settings.seed,
        seeding: findings.settings.tuning.seeding,
        gamma: findings.clustering.gamma,
        radius: findings.clustering.radius,
        neighbours: findings.neighbours(),
        cost: findings.clustering.cost,
        rounds: findings.clustering.rounds,
        converged: findings.clustering.converged,
        whole: group(None, &findings.whole, &findings.whole, fields),
        clusters: findings
            .clusters
            .iter()
            .zip(numbers)
            .map(|(cluster, number)| group(Some(number), cluster, &findings.whole, fields))
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
    writeln!(out)
}

/// A cluster, or the whole table, which has no number and is not compared with itself.
fn group<'a>(
    cluster: Option<i64>,
    portrait: &'a Portrait,
    whole: &Portrait,
    fields: &'a [Field],
) -> Group<'a> {
    let columns = fields.iter().zip(&portrait.columns).zip(&whole.columns);
    Group {
        cluster,
        rows: portrait.n_rows,
        share: portrait.share,
        columns: columns
            .map(|((field, column), of_whole)| Column {
                name: &field.name,
                kind: field.domain.kind(),
                distinction: cluster.map(|_| distinction(column, of_whole)),
                portrait: portrait_json(column, field, cluster.is_some()),
            })
            .collect(),
    }
}

fn portrait_json<'a>(
    column: &'a ColumnPortrait,
    field: &Field,
    is_compared: bool,
) -> PortraitJson<'a> {
    match column {
        ColumnPortrait::Mean {
            mean,
            text,
            missing,
            shift,
        } => PortraitJson::Mean {
            mean: mean.map(|mean| match field.domain.kind() {
                "date" => Mean::Date(text),
                _ => Mean::Number(mean),
            }),
            missing: *missing,
            shift: is_compared.then_some(*shift),
        },
        ColumnPortrait::Most(values) => PortraitJson::Values {
            values: values.iter().map(frequency).collect(),
        },
        ColumnPortrait::Typical(items) => PortraitJson::Items {
            items: items.iter().map(frequency).collect(),
        },
    }
}

fn frequency(value: &ValueShare) -> Frequency<'_> {
    Frequency {
        value: &value.value,
        share: value.share,
        share_overall: value.share_overall,
    }
}
