//! `manifest.json`: what a release promises and how to read it.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Place, Result};
use crate::spec::{Algorithm, Encoding, Positions, Score, Tuning, schema_text};
use crate::table::{
    ColumnPlan, Domain, Field, Interval, Kind, Leaf, Node, Role, Taxonomy, Tree, TreeSource, Unit,
};

/// The layout of the manifest that this version writes and reads.
pub(super) const FORMAT: u32 = 1;

/// What a release promises and how to read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "manifest.json")]
pub struct Manifest {
    /// The version of this layout.
    pub format: u32,
    /// The program that wrote the release.
    pub made_by: String,
    /// What is promised to the people in the table.
    pub guarantee: Guarantee,
    /// How the promise was kept.
    pub method: Method,
    /// Where masked values lie.
    pub positions: PositionsEntry,
    /// The structure that the release was made to keep, and the space it is in.
    pub cluster: ClusterEntry,
    /// The table.
    pub data: DataEntry,
    /// The columns of the table, in its order.
    pub columns: Vec<ColumnEntry>,
    /// Every file of the release but this one.
    pub files: BTreeMap<String, FileEntry>,
}

/// What is promised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Guarantee {
    /// Nobody can be looked up: so many people look alike.
    Anonymity {
        /// The promise in words.
        in_words: Vec<String>,
        /// What it does not promise, in words.
        not_promised: Vec<String>,
        /// What is counted.
        unit: UnitEntry,
        /// Columns by which somebody could be looked up, and how many people look alike there.
        requirements: Vec<RequirementEntry>,
    },
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnitEntry {
    /// People, told apart by a column that stays with the owner. A person may have several rows.
    People,
    /// Rows: one row is one person, as the owner asserts.
    Rows,
}

/// One promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequirementEntry {
    /// The columns.
    pub columns: Vec<String>,
    /// How many people look alike in them.
    pub at_least: u32,
}

/// How the promise was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "name", rename_all = "lowercase", deny_unknown_fields)]
pub enum Method {
    /// Top-down refinement: everything is hidden at first, and disclosed step by step as far as the promise allows.
    Refine {
        /// What made one step better than another.
        score: Score,
    },
}

/// Where masked values lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionsEntry {
    /// What is disclosed about the people behind a masked value.
    pub disclosed: Positions,
    /// The same in words.
    pub in_words: String,
    /// The file that says it.
    pub file: String,
    /// What its lines are about.
    pub keyed_by: KeyedBy,
}

/// What a line of the file of positions is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyedBy {
    /// A published value; in set columns one item of it.
    Published,
    /// A group of rows, by its number in the column's file of groups.
    Group,
}

/// The structure and its space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterEntry {
    /// How the owner expects clusters to be found.
    pub algorithm: Algorithm,
    /// Number of clusters.
    pub clusters: usize,
    /// How values become coordinates.
    pub encoding: Encoding,
    /// What else the clusterer is told, where the owner said so.
    #[serde(default, skip_serializing_if = "Tuning::is_usual")]
    pub tuning: Tuning,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DataEntry {
    /// The file.
    pub file: String,
    /// Number of rows.
    pub rows: u64,
}

/// A file and how to know that it is the one that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 hash, in hexadecimal.
    pub sha256: String,
}

/// A column and its domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnEntry {
    /// The name in the header.
    pub name: String,
    /// What its values are.
    pub kind: KindEntry,
    /// What it is to the release.
    pub role: RoleEntry,
    /// Whether its values are masked; otherwise they are published as they are.
    pub masked: bool,
    /// Whether its bounds or values were taken from the data: that a value is listed then says that somebody has it.
    pub from_data: bool,
    /// Its share in the squared distance of two rows; the shares of all columns sum to 1.
    pub weight: f64,
    /// Whether a row may be without a value; such a cell is empty.
    pub may_be_missing: bool,
    /// The least and the greatest value of a numeric or date column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[String; 2]>,
    /// The distance of neighbouring values of a numeric or date column, if it has a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// What stands between two items of a set column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<String>,
    /// The values of a categorical or set column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeEntry>,
    /// The values that a cell `*` may stand for, in a column where others are disclosed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Vec<String>>,
    /// The file of groups by which the positions of this column are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<String>,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KindEntry {
    /// Numbers.
    Numeric,
    /// Days.
    Date,
    /// One of several values.
    Categorical,
    /// Any number of items.
    Set,
}

/// What a published column is to the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoleEntry {
    /// Together with others it may single out a person.
    Quasi,
    /// What must not be learnt about a person.
    Sensitive,
    /// Neither.
    Plain,
}

/// A tree of values: nodes in the order root first, every node after the one above it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeEntry {
    /// The text of each node. An empty one is the missing value; `none` is the empty set of a set column.
    pub labels: Vec<String>,
    /// The node above each, by its place in this list; nothing above the root.
    pub above: Vec<Option<Node>>,
    /// Whether it is a mere list of values under a root.
    pub is_list: bool,
}

/// The JSON schema of `manifest.json`.
pub fn manifest_schema() -> String {
    schema_text::<Manifest>()
}

impl Manifest {
    /// Reads a manifest.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::system("read", path, source))?;
        let at = || Place::file(path);
        let unreadable = |error: serde_json::Error| {
            Error::data(format!("this is no manifest of a release: {error}")).at(at())
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(unreadable)?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format != u64::from(FORMAT) => {
                return Err(Error::data(format!(
                    "the manifest has layout {format}, this version reads layout {FORMAT}"
                ))
                .at(at())
                .hint("use the version of pleiad that `made_by` names"));
            }
            _ => {}
        }
        serde_json::from_value(value).map_err(unreadable)
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is JSON");
        text.push('\n');
        text
    }

    /// The promises, whatever else is guaranteed.
    pub fn requirements(&self) -> (UnitEntry, &[RequirementEntry]) {
        match &self.guarantee {
            Guarantee::Anonymity {
                unit, requirements, ..
            } => (*unit, requirements),
        }
    }
}

impl ColumnEntry {
    /// What a recipient has to know about a column.
    pub(super) fn new(field: &Field, masked: bool, from_data: bool, weight: f64) -> Self {
        let mut entry = Self {
            name: field.name.clone(),
            kind: match &field.domain {
                Domain::Numbers { interval, .. } if interval.unit() == Unit::Day => KindEntry::Date,
                Domain::Numbers { .. } => KindEntry::Numeric,
                Domain::Values(_) => KindEntry::Categorical,
                Domain::Sets { .. } => KindEntry::Set,
            },
            role: match field.role {
                Role::Quasi => RoleEntry::Quasi,
                Role::Sensitive => RoleEntry::Sensitive,
                Role::Plain | Role::Identifier => RoleEntry::Plain,
            },
            masked,
            from_data,
            weight,
            may_be_missing: field.domain.may_be_missing(),
            bounds: None,
            step: None,
            separator: None,
            tree: None,
            hidden: None,
            groups: None,
        };
        match &field.domain {
            Domain::Numbers { interval, .. } => {
                entry.bounds = Some([interval.text(0), interval.text(interval.last())]);
                entry.step = interval.given_step();
            }
            Domain::Values(tree) => entry.tree = Some(TreeEntry::new(tree)),
            Domain::Sets { tree, separator } => {
                entry.tree = Some(TreeEntry::new(tree));
                entry.separator = Some(separator.clone());
            }
        }
        entry
    }

    /// The column as the rest of the library knows it.
    pub(super) fn field(&self) -> Result<Field> {
        let wrong = |what: &str| {
            Error::data(format!(
                "the manifest describes the column `{}` without its {what}",
                self.name
            ))
        };
        let domain = match self.kind {
            KindEntry::Numeric | KindEntry::Date => {
                let unit = if self.kind == KindEntry::Date {
                    Unit::Day
                } else {
                    Unit::Number
                };
                let bounds = self.bounds.as_ref().ok_or_else(|| wrong("bounds"))?;
                let [Some(low), Some(high)] = [0, 1].map(|at| unit.parse(&bounds[at])) else {
                    return Err(wrong("bounds"));
                };
                // Masked values were written by bounds that the spec does not call public; they are read by the same.
                let are_public = !self.from_data;
                Domain::Numbers {
                    interval: Interval::new(low, high, self.step, unit, are_public)?,
                    may_be_missing: self.may_be_missing,
                }
            }
            KindEntry::Categorical => Domain::Values(
                self.tree
                    .as_ref()
                    .ok_or_else(|| wrong("tree"))?
                    .tree(false, self.may_be_missing)?,
            ),
            KindEntry::Set => Domain::sets(
                self.tree
                    .as_ref()
                    .ok_or_else(|| wrong("tree"))?
                    .tree(true, self.may_be_missing)?,
                self.separator.clone().ok_or_else(|| wrong("separator"))?,
            )?,
        };
        Ok(Field {
            name: self.name.clone(),
            role: match self.role {
                RoleEntry::Quasi => Role::Quasi,
                RoleEntry::Sensitive => Role::Sensitive,
                RoleEntry::Plain => Role::Plain,
            },
            domain,
            weight: self.weight,
        })
    }

    /// How a column that is published as it is can be read.
    pub(super) fn plan(&self) -> Result<ColumnPlan> {
        let field = self.field()?;
        let tree = match &self.tree {
            Some(tree) if tree.is_list => Some((tree.taxonomy()?, TreeSource::List)),
            Some(tree) => Some((tree.taxonomy()?, TreeSource::Taxonomy)),
            None => None,
        };
        let kind = match field.domain {
            Domain::Numbers { interval, .. } => Kind::Numbers {
                unit: interval.unit(),
                step: interval.given_step(),
                interval: Some(interval),
            },
            Domain::Values(_) => Kind::Values { tree },
            Domain::Sets { separator, .. } => Kind::Sets { tree, separator },
        };
        Ok(ColumnPlan {
            name: field.name,
            role: field.role,
            kind: Some(kind),
            may_be_missing: self.may_be_missing,
            weight: field.weight,
            domain_from_data: false,
        })
    }

    /// The hidden values as leaves of the column's tree.
    pub(super) fn hidden_leaves(&self, field: &Field) -> Result<Option<Vec<Leaf>>> {
        let (Some(hidden), Some(tree)) = (&self.hidden, field.domain.tree()) else {
            return Ok(None);
        };
        let leaves = hidden
            .iter()
            .map(|label| match label.as_str() {
                "" => tree.taxonomy.missing(),
                label => tree.taxonomy.leaf_of_label(label),
            })
            .collect::<Option<Vec<Leaf>>>();
        leaves.map(Some).ok_or_else(|| {
            Error::data(format!(
                "the manifest hides a value of `{}` that its tree does not have",
                self.name
            ))
        })
    }
}

impl TreeEntry {
    fn new(tree: &Tree) -> Self {
        let taxonomy = &tree.taxonomy;
        let nodes = 0..taxonomy.n_nodes() as Node;
        Self {
            labels: nodes
                .clone()
                .map(|node| taxonomy.label(node).to_owned())
                .collect(),
            above: nodes
                .map(|node| (node > 0).then(|| taxonomy.parent(node)))
                .collect(),
            is_list: tree.is_star,
        }
    }

    /// The tree of the values that have a name.
    fn taxonomy(&self) -> Result<Taxonomy> {
        // The missing value is the root's last child, so that leaving it out moves no other node.
        let named = match self.labels.last().map(String::as_str) {
            Some("") => self.labels.len() - 1,
            _ => self.labels.len(),
        };
        let above = self.above.get(..named).unwrap_or(&self.above);
        Taxonomy::from_parents(&self.labels[..named], above)
    }

    fn tree(&self, is_set: bool, may_be_missing: bool) -> Result<Tree> {
        let mut taxonomy = self.taxonomy()?;
        if is_set {
            taxonomy = taxonomy.with_empty_set()?;
        }
        if may_be_missing {
            taxonomy = taxonomy.with_missing()?;
        }
        Ok(Tree {
            taxonomy,
            is_star: self.is_list,
        })
    }
}
