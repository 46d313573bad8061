//! How many people of a population look like the people of each class.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::pairs::{Classes, Pairs};
use crate::table::{Column, Domain, Table};

/// For each class the people of the population who may be one of it. The population has the quasi-identifying columns of
/// the table in their order; its people are its rows unless it says otherwise.
///
/// Classes form a tree, one level for each column, so that a person is held only against values that some class has.
pub(super) fn people_like(pairs: &Pairs<'_>, classes: &Classes, population: &Table) -> Vec<u64> {
    let mut child_of: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut class_of_node: FxHashMap<u32, u32> = FxHashMap::default();
    for (class, &row) in classes.first_row.iter().enumerate() {
        let mut node = 0;
        for &column in pairs.quasi {
            let code = pairs.masked.columns()[column].codes().get(row as usize);
            let next = child_of.len() as u32 + 1;
            node = *child_of.entry((node, code)).or_insert(next);
        }
        class_of_node.insert(node, class as u32);
    }
    let mut levels: Vec<Level> = pairs
        .quasi
        .iter()
        .enumerate()
        .map(|(at, &column)| Level::new(pairs, classes, column, &population.columns()[at]))
        .collect();
    let collapsed = population.collapse();
    let mut classes_of_row: Vec<Vec<u32>> = Vec::with_capacity(collapsed.table.n_rows());
    for row in 0..collapsed.table.n_rows() {
        let mut nodes = vec![0_u32];
        for (at, level) in levels.iter_mut().enumerate() {
            let theirs = collapsed.table.columns()[at].codes().get(row);
            let own_codes = level.own_codes(theirs);
            nodes = nodes
                .iter()
                .flat_map(|&node| own_codes.iter().map(move |&code| (node, code)))
                .filter_map(|step| child_of.get(&step).copied())
                .collect();
        }
        classes_of_row.push(nodes.iter().map(|node| class_of_node[node]).collect());
    }
    let mut alike = vec![0_u64; classes.rows.len()];
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (row, &at) in collapsed.collapsed_row.iter().enumerate() {
        for &class in &classes_of_row[at as usize] {
            let is_new = population
                .people()
                .is_none_or(|people| seen.insert((people.of_row[row], class)));
            alike[class as usize] += u64::from(is_new);
        }
    }
    alike
}

/// A column of the table beside the same column of the population.
struct Level<'t> {
    domain: &'t Domain,
    own: &'t Column,
    theirs: &'t Column,
    /// The codes that classes have.
    used: Vec<u32>,
    /// For each code of the population that was asked for, the codes of the table that may be about the same.
    known: FxHashMap<u32, Vec<u32>>,
}

impl<'t> Level<'t> {
    fn new(pairs: &Pairs<'t>, classes: &Classes, column: usize, theirs: &'t Column) -> Self {
        let own = &pairs.masked.columns()[column];
        let rows = classes.first_row.iter();
        let mut used: Vec<u32> = rows.map(|&row| own.codes().get(row as usize)).collect();
        used.sort_unstable();
        used.dedup();
        Self {
            domain: &pairs.raw.fields()[column].domain,
            own,
            theirs,
            used,
            known: FxHashMap::default(),
        }
    }

    fn own_codes(&mut self, theirs: u32) -> &[u32] {
        if !self.known.contains_key(&theirs) {
            let codes = match (self.own, self.theirs) {
                // Both are told as they are: there is nothing to compare.
                (Column::Numbers(_), Column::Numbers(_))
                | (Column::Values(_), Column::Values(_)) => vec![theirs],
                _ => {
                    let used = self.used.iter().copied();
                    used.filter(|&own| self.agree(theirs, own)).collect()
                }
            };
            self.known.insert(theirs, codes);
        }
        &self.known[&theirs]
    }

    /// Whether somebody of the population may be behind a published value.
    fn agree(&self, theirs: u32, own: u32) -> bool {
        match (self.own, self.theirs) {
            (Column::Masked(_, own_values), Column::Masked(_, their_values)) => own_values.values()
                [own as usize]
                .may_agree(&their_values.values()[theirs as usize], self.domain),
            (Column::Masked(_, own_values), _) => {
                own_values.values()[own as usize].may_be(self.domain, self.theirs.sets(), theirs)
            }
            (_, Column::Masked(_, their_values)) => {
                their_values.values()[theirs as usize].may_be(self.domain, self.own.sets(), own)
            }
            _ => match (self.own.sets(), self.theirs.sets()) {
                (Some(own_sets), Some(their_sets)) => {
                    own_sets.items(own) == their_sets.items(theirs)
                }
                _ => own == theirs,
            },
        }
    }
}
