//! Writing the files of a release.
//!
//! The public files are made from the masked table in its published order; the raw table is at hand only for the owner's
//! file of rows.

use std::collections::BTreeMap;
use std::path::Path;

use super::folder::write_file;
use super::manifest::{
    ClusterEntry, ColumnEntry, DataEntry, FORMAT, Guarantee, KeyedBy, Manifest, Method,
    PositionsEntry, RequirementEntry, UnitEntry,
};
use super::order::published_order;
use super::verify::describe_file;
use super::{MANIFEST_FILE, POSITIONS_FILE, README_FILE, ROWS_FILE, positions_file, readme};
use crate::cluster::written_labels;
use crate::error::{Error, Result};
use crate::privacy::Requirement;
use crate::spec::{Positions, RefineSpec, Spec};
use crate::table::{
    Codes, Column, ColumnSpread, Extra, Format, MaskedValue, Reading, Table, write_table,
};

/// The name of a file of groups, by its number.
pub(super) fn group_file(number: usize) -> String {
    match number {
        0 => "groups.csv".to_owned(),
        _ => format!("groups-{}.csv", number + 1),
    }
}

/// The program and its version.
pub(super) fn made_by() -> String {
    format!("pleiad {}", env!("CARGO_PKG_VERSION"))
}

/// The name of the table.
pub(super) fn data_file(format: Format) -> Result<&'static str> {
    match format {
        Format::Csv => Ok("data.csv"),
        Format::Parquet => Ok("data.parquet"),
        Format::ArrowIpc => Err(Error::spec("a release is written as CSV or Parquet")),
    }
}

/// All that goes into a release.
pub(super) struct Publication<'a> {
    pub(super) spec: &'a Spec,
    pub(super) protect: &'a RefineSpec,
    pub(super) reading: &'a Reading,
    pub(super) requirement: &'a Requirement,
    pub(super) masked: &'a Table,
    pub(super) spreads: &'a [Option<ColumnSpread>],
    /// What these disclose.
    pub(super) positions: Positions,
    /// The raw table's clusters, noise marked.
    pub(super) labels: &'a [u32],
    /// The release's clusters, noise marked.
    pub(super) released_labels: &'a [u32],
    pub(super) format: Format,
}

impl Publication<'_> {
    /// Writes both folders.
    pub(super) fn write(&self, public: &Path, owner: &Path) -> Result<()> {
        let order = published_order(self.masked)?;
        let table = self.masked.select(&order);
        let data_file = data_file(self.format)?;
        write_table(&public.join(data_file), &table, &[])?;
        let mut files = vec![data_file.to_owned(), POSITIONS_FILE.to_owned()];
        let mut columns = column_entries(&table, &self.columns_from_data());
        let spreads = self.write_groups(public, &table, &order, &mut columns, &mut files)?;
        let positions = self.positions();
        positions_file::write(
            &public.join(POSITIONS_FILE),
            &table,
            &spreads,
            positions.keyed_by,
        )?;
        let mut manifest = Manifest {
            format: FORMAT,
            made_by: made_by(),
            guarantee: self.guarantee(&columns),
            method: Method::Refine {
                score: self.protect.score,
            },
            positions,
            cluster: ClusterEntry {
                algorithm: self.spec.recipient,
                clusters: self.spec.cluster.clusters,
                encoding: self.spec.cluster.encoding,
                tuning: self.spec.cluster.tuning,
            },
            data: DataEntry {
                file: data_file.to_owned(),
                rows: table.n_rows() as u64,
            },
            columns,
            files: BTreeMap::new(),
        };
        write_file(
            &public.join(README_FILE),
            readme::for_recipient(&manifest).as_bytes(),
        )?;
        files.push(README_FILE.to_owned());
        for name in files {
            let entry = describe_file(&public.join(&name))?;
            manifest.files.insert(name, entry);
        }
        write_file(&public.join(MANIFEST_FILE), manifest.text().as_bytes())?;
        self.write_rows(&owner.join(ROWS_FILE), &order)
    }

    /// The spreads in the published order. Where they are told by group, groups are numbered as they appear there, and
    /// a file lists them.
    fn write_groups(
        &self,
        public: &Path,
        table: &Table,
        order: &[u32],
        columns: &mut [ColumnEntry],
        files: &mut Vec<String>,
    ) -> Result<Vec<Option<ColumnSpread>>> {
        let mut published: Vec<Option<ColumnSpread>> = self.spreads.to_vec();
        let mut keys: Vec<Vec<usize>> = Vec::new();
        for (number, spread) in published.iter_mut().enumerate() {
            let Some(ColumnSpread::Entries { codes, entries }) = spread else {
                continue;
            };
            *codes = codes.select(order);
            let shared = self.requirement.shared_columns(number);
            let (Positions::Group, Some(shared)) = (self.positions, shared) else {
                continue;
            };
            let appearance = Appearance::of(codes, entries.len());
            *codes = Codes::pack(
                codes.iter().map(|group| appearance.number[group as usize]),
                entries.len(),
            );
            *entries = appearance
                .groups
                .iter()
                .map(|&group| entries[group as usize].clone())
                .collect();
            let at = keys
                .iter()
                .position(|key| *key == shared)
                .unwrap_or(keys.len());
            let name = group_file(at);
            if at == keys.len() {
                let path = public.join(&name);
                positions_file::write_groups(&path, table, &shared, &appearance.first_rows)?;
                files.push(name.clone());
                keys.push(shared);
            }
            columns[number].groups = Some(name);
        }
        Ok(published)
    }

    /// Columns whose domain was taken from the data.
    fn columns_from_data(&self) -> Vec<&str> {
        let columns = self.spec.plan.columns.iter();
        columns
            .filter(|column| column.domain_from_data)
            .map(|column| column.name.as_str())
            .collect()
    }

    fn guarantee(&self, columns: &[ColumnEntry]) -> Guarantee {
        let name = |column: &usize| self.masked.fields()[*column].name.clone();
        let requirements: Vec<RequirementEntry> = self
            .requirement
            .quasi_identifiers()
            .iter()
            .map(|qid| RequirementEntry {
                columns: qid.columns().iter().map(name).collect(),
                at_least: qid.at_least(),
            })
            .collect();
        let unit = match self.spec.plan.person {
            Some(_) => UnitEntry::People,
            None => UnitEntry::Rows,
        };
        Guarantee::Anonymity {
            in_words: readme::promise(&requirements, unit),
            not_promised: readme::not_promised(columns),
            unit,
            requirements,
        }
    }

    fn positions(&self) -> PositionsEntry {
        let disclosed = self.positions;
        PositionsEntry {
            disclosed,
            in_words: readme::positions(disclosed).to_owned(),
            file: POSITIONS_FILE.to_owned(),
            keyed_by: match disclosed {
                Positions::Group => KeyedBy::Group,
                Positions::Uniform | Positions::Table => KeyedBy::Published,
            },
        }
    }

    /// The owner's file: which row of the raw file became which public row, whom it is about, and its clusters.
    fn write_rows(&self, path: &Path, order: &[u32]) -> Result<()> {
        let rows: Vec<i64> = self.reading.kept_rows().map(i64::from).collect();
        let mut public_row = vec![0; order.len()];
        for (public, &row) in order.iter().enumerate() {
            public_row[row as usize] = public as i64 + 1;
        }
        let person: Vec<i64> = match self.reading.table.people() {
            Some(people) => {
                let of_row = people.of_row.iter();
                of_row.map(|&person| i64::from(person) + 1).collect()
            }
            None => rows.clone(),
        };
        let cluster = written_labels(self.labels);
        let released_cluster = written_labels(self.released_labels);
        let extra = [
            ("row", &rows),
            ("public_row", &public_row),
            ("person", &person),
            ("cluster", &cluster),
            ("released_cluster", &released_cluster),
        ]
        .map(|(name, values)| Extra { name, values });
        write_table(path, &Table::empty(), &extra)
    }
}

/// What the manifest says of each column. Of a column that is published as it is, nothing is said that it does not say.
fn column_entries(table: &Table, from_data: &[&str]) -> Vec<ColumnEntry> {
    let total: f64 = table.fields().iter().map(|field| field.weight).sum();
    table
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| {
            let values = match column {
                Column::Masked(_, dictionary) => Some(dictionary.values()),
                _ => None,
            };
            let is_from_data = values.is_some() && from_data.contains(&field.name.as_str());
            let weight = field.weight / total;
            let mut entry = ColumnEntry::new(field, values.is_some(), is_from_data, weight);
            entry.hidden = values.unwrap_or_default().iter().find_map(|value| {
                match (value, field.domain.tree()) {
                    (MaskedValue::Rest(leaves), Some(tree)) => {
                        let label = |&leaf: &u32| tree.taxonomy.leaf_label(leaf).to_owned();
                        Some(leaves.iter().map(label).collect())
                    }
                    _ => None,
                }
            });
            entry
        })
        .collect()
}

/// Groups in the order in which they appear.
struct Appearance {
    /// The groups in that order.
    groups: Vec<u32>,
    /// The place of each group in it.
    number: Vec<u32>,
    /// The first row of each.
    first_rows: Vec<u32>,
}

impl Appearance {
    fn of(codes: &Codes, n_groups: usize) -> Self {
        let mut appearance = Self {
            groups: Vec::with_capacity(n_groups),
            number: vec![u32::MAX; n_groups],
            first_rows: Vec::with_capacity(n_groups),
        };
        for (row, group) in codes.iter().enumerate() {
            let number = &mut appearance.number[group as usize];
            if *number == u32::MAX {
                *number = appearance.groups.len() as u32;
                appearance.groups.push(group);
                appearance.first_rows.push(row as u32);
            }
        }
        appearance
    }
}
