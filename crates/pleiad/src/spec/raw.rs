//! What was written, before it is checked. The descriptions are what an editor shows beside a key.

mod protect;

use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::check::Source;
use super::{Algorithm, Encoding, Seeding, words};
use crate::error::{Place, Result};

pub(super) use protect::{Amount, Anonymity, Protect, Recipient, Requirement};

/// A value and the bytes that it was written in.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        Ok(Self {
            span: spanned.span(),
            value: spanned.into_inner(),
        })
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Describes a release: the table, its columns, the structure that the release keeps, and how people are protected.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "pleiad.toml")]
#[schemars(extend("required" = ["data", "columns", "cluster"]))]
pub(super) struct Spec {
    /// The table and how to read it.
    pub(super) data: Option<At<Data>>,
    /// The columns by name, in the order in which they are published. Every column of the table is listed.
    #[schemars(with = "Option<IndexMap<String, Column>>")]
    pub(super) columns: Option<At<Columns>>,
    /// The structure that the release keeps.
    pub(super) cluster: Option<At<Cluster>>,
    /// How the people in the table are protected. Only a release needs it.
    pub(super) protect: Option<At<Protect>>,
    /// How the recipient will cluster the release, where it differs from [cluster].
    pub(super) recipient: Option<Recipient>,
}

/// The columns by name.
pub(super) type Columns = IndexMap<Spanned<String>, At<Column>>;

/// The table and how to read it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a section [data]")]
#[schemars(extend("required" = ["path"]))]
pub(super) struct Data {
    /// The file: CSV (also gzipped), Parquet or Arrow IPC. A relative path starts in the folder of this spec.
    pub(super) path: Option<At<String>>,
    /// The character between two fields of a CSV file. Without it, it is found from the header.
    #[schemars(length(equal = 1))]
    pub(super) delimiter: Option<At<String>>,
    /// Fields that mean "no value".
    #[schemars(extend("default" = [""]))]
    pub(super) missing: Option<Vec<String>>,
    /// What to do with a row that lacks a value where none may be missing.
    #[schemars(extend("default" = "refuse"))]
    pub(super) incomplete_rows: Option<IncompleteRows>,
    /// The column that says whom a row is about: the unit of protection. It is an identifier and never leaves the
    /// owner. Without it, each row is a person.
    pub(super) person: Option<At<String>>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum IncompleteRows {
    /// Stop with an error that says how many there are.
    #[default]
    Refuse,
    /// Leave them out and say how many.
    Drop,
}

/// A column: what it is to the release and what its values can be.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ kind = \"numeric\" }`"
)]
pub(super) struct Column {
    /// What the column is to the release.
    #[schemars(extend("default" = "plain"))]
    pub(super) role: Option<Role>,
    /// What its values are. Only an identifier has none.
    pub(super) kind: Option<At<Kind>>,
    /// The least and the greatest value of a numeric or date column, as public knowledge. Dates are written
    /// `"YYYY-MM-DD"`. Without bounds they are taken from the data.
    #[schemars(length(equal = 2))]
    pub(super) bounds: Option<At<Vec<At<Bound>>>>,
    /// The distance of neighbouring values of a numeric column, such as 1 for whole numbers. The bounds are a whole
    /// number of steps apart. Without it the grid is as fine as it can be.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(super) step: Option<At<f64>>,
    /// All values of a categorical column, or all items of a set-valued one, where there is no taxonomy: such a column
    /// is masked by suppression. Without either, the values are taken from the data.
    #[schemars(length(min = 1))]
    pub(super) values: Option<At<Vec<At<String>>>>,
    /// A file with one line per value, `value;…;root`: such a column is masked by generalisation. A relative path
    /// starts in the folder of this spec. In a numeric column the values are its numbers, as in the hierarchies of ARX.
    pub(super) taxonomy: Option<At<String>>,
    /// What stands between two items of a set-valued column.
    #[schemars(length(min = 1), extend("default" = ";"))]
    pub(super) separator: Option<At<String>>,
    /// The share of the column in the distance of two rows, compared with the other columns.
    #[schemars(extend("exclusiveMinimum" = 0, "default" = 1.0))]
    pub(super) weight: Option<At<f64>>,
    /// Whether a row may be without a value.
    #[schemars(extend("default" = false))]
    pub(super) may_be_missing: Option<At<bool>>,
    /// Where bounds or values come from, if they are not public knowledge. Methods with a privacy guarantee refuse
    /// such a column until somebody has replaced them and taken this mark away.
    pub(super) from: Option<At<Origin>>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    /// Names a person. Never leaves the owner.
    Identifier,
    /// Together with others it may single out a person: masked.
    Quasi,
    /// Published as it is; what must not be learnt about a person.
    Sensitive,
    /// Neither: published as it is.
    #[default]
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// Numbers.
    Numeric,
    /// Days, written `YYYY-MM-DD`.
    Date,
    /// One of several values.
    Categorical,
    /// Any number of items.
    Set,
}

/// A number, or a date `"YYYY-MM-DD"`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Bound {
    Number(f64),
    Text(String),
    /// TOML has dates of its own, which need no quotes.
    #[schemars(skip)]
    Date(toml::value::Datetime),
    /// Refused where the kind of the column, and so what was meant, is known.
    #[schemars(skip)]
    Other(serde::de::IgnoredAny),
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// Drafted from the data.
    Data,
}

/// The structure that the release keeps.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a section [cluster]")]
#[schemars(extend("required" = ["clusters"]))]
pub(super) struct Cluster {
    /// How clusters are found.
    #[schemars(extend("default" = "kmeans"))]
    pub(super) algorithm: Option<Algorithm>,
    /// Number of clusters; `pleiad cluster --suggest` proposes one. DBSCAN, which finds its own number, leaves it to the
    /// recipient's other tools.
    #[schemars(range(min = 2))]
    pub(super) clusters: Option<At<usize>>,
    /// Number of runs from different starts; the best is taken.
    #[schemars(range(min = 1), extend("default" = 10))]
    pub(super) restarts: Option<At<usize>>,
    /// Where the random numbers start: the same seed gives the same clusters.
    #[schemars(extend("default" = 0))]
    pub(super) seed: Option<u64>,
    /// How values become coordinates.
    #[schemars(extend("default" = "semantic"))]
    pub(super) encoding: Option<Encoding>,
    /// Where k-means and k-prototypes start.
    #[schemars(extend("default" = "plus-plus"))]
    pub(super) seeding: Option<At<Seeding>>,
    /// k-prototypes: what a category that differs counts for, where a number counts for the square of its difference as a
    /// share of its range. Without it, half the mean standard deviation of the numbers.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(super) gamma: Option<At<f64>>,
    /// DBSCAN: how far from each other neighbours may lie. Without it, the elbow of the distances between neighbours.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub(super) radius: Option<At<f64>>,
    /// DBSCAN: how many rows within the radius, itself included, make a row the core of a cluster.
    #[schemars(range(min = 1, max = u32::MAX), extend("default" = 5))]
    pub(super) neighbours: Option<At<u64>>,
}

/// Reads the text, with errors in our own words.
pub(super) fn parse(source: &Source<'_>) -> Result<Spec> {
    toml::from_str(source.text).map_err(|error| {
        let place = match error.span() {
            Some(span) => source.place(span),
            None => Place::file(source.path),
        };
        words::reword(error.message()).at(place)
    })
}
