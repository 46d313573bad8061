//! Scores of "some item under this node" in a column of sets.
//!
//! A set of s items has q = ⌊Q/s⌋ on each node of each item's path, added up where paths meet, Q being
//! [`ITEM_UNIT`]; the column's weight times a squared distance over 2HQ² is the distance in the space, but for the
//! rounding. On one level of the tree a set has at most Q in all, so two sets have a squared distance of at most 2Q²
//! there, and 2HQ² on all H levels: the squared diameter is at most the weight.
//!
//! Of a wide tree only the levels that can be cut count. Leaving out coordinates makes no distance larger, and levels
//! with thousands of nodes have next to nothing to say about a cut further up.

use std::ops::Range;

use super::super::axis::{Test, upper_nodes};
use super::super::rows::{sets, weight_of};
use super::{ITEM_UNIT, Moments, Rows};
use crate::table::{Node, SetDictionary, Tree};

/// A number of a node that counts.
type Coordinate = u32;

pub(in super::super) struct SetScorer<'t> {
    rows: Rows<'t>,
    height: u32,
    n_coordinates: usize,
    /// The coordinate of each test.
    tests: Vec<Coordinate>,
    codes: SetCodes,
    /// The rows, by cell and then by set: equal sets of a cell stand together.
    order: Vec<u32>,
}

impl<'t> SetScorer<'t> {
    pub(super) fn new(rows: Rows<'t>, tree: &Tree, tests: &[Test]) -> Self {
        let nodes = upper_nodes(tree);
        let column = &rows.table.columns()[rows.column];
        let coordinate_of = |test: &Test| {
            let found = nodes.binary_search(&test.node);
            found.expect("tests are about nodes that count") as Coordinate
        };
        let mut order: Vec<u32> = (0..rows.table.n_rows() as u32).collect();
        order.sort_by_cached_key(|&row| column.codes().get(row as usize));
        Self {
            rows,
            height: tree.taxonomy.height(),
            n_coordinates: nodes.len(),
            tests: tests.iter().map(coordinate_of).collect(),
            codes: SetCodes::new(sets(column), tree, &nodes),
            order,
        }
    }

    pub(super) fn scores(&mut self, cells: &[u16], n_cells: usize, tests: &[usize]) -> Vec<i128> {
        let bounds = self.sort_by_cell(cells, n_cells);
        let divisor = 2 * u128::from(self.height) * u128::from(ITEM_UNIT).pow(2);
        let spread = |moments: &Moments| moments.spread(self.rows.weight, divisor);
        // Which of the tests a coordinate is, if it is one.
        let mut row_of: Vec<Option<usize>> = vec![None; self.n_coordinates];
        for (number, &test) in tests.iter().enumerate() {
            row_of[self.tests[test] as usize] = Some(number);
        }
        let mut scores = vec![0; tests.len()];
        for rows in bounds.windows(2) {
            let rows = &self.order[rows[0]..rows[1]];
            if rows.is_empty() {
                continue;
            }
            let sums = self.sums(rows, &row_of, tests.len());
            let all = sums.all.moments();
            let before = spread(&all);
            for (score, passing) in scores.iter_mut().zip(&sums.passing) {
                let failing = sums.all.moments_without(passing);
                *score += before - spread(&passing.moments()) - spread(&failing);
            }
        }
        scores
    }

    /// Keeps the order within each cell; returns where each cell starts, and the end.
    fn sort_by_cell(&mut self, cells: &[u16], n_cells: usize) -> Vec<usize> {
        let mut bounds = vec![0; n_cells + 1];
        for &cell in cells {
            bounds[usize::from(cell) + 1] += 1;
        }
        for cell in 0..n_cells {
            bounds[cell + 1] += bounds[cell];
        }
        let mut next = bounds.clone();
        let mut sorted = vec![0; self.order.len()];
        for &row in &self.order {
            let at = &mut next[usize::from(cells[row as usize])];
            sorted[*at] = row;
            *at += 1;
        }
        self.order = sorted;
        bounds
    }

    /// Sums over the people of a cell and over those who pass each test.
    fn sums(&self, rows: &[u32], row_of: &[Option<usize>], n_tests: usize) -> CellSums {
        let column = &self.rows.table.columns()[self.rows.column];
        let weight_of = weight_of(self.rows.table);
        let mut sums = CellSums {
            all: VectorSum::new(self.n_coordinates),
            passing: vec![VectorSum::new(self.n_coordinates); n_tests],
        };
        let codes = column.codes();
        let mut at = 0;
        while at < rows.len() {
            let set = codes.get(rows[at] as usize);
            let mut people = 0;
            while at < rows.len() && codes.get(rows[at] as usize) == set {
                people += weight_of(rows[at] as usize);
                at += 1;
            }
            let code = self.codes.of_set(set);
            sums.all.add(people, &code);
            for &(coordinate, _) in code.entries {
                if let Some(test) = row_of[coordinate as usize] {
                    sums.passing[test].add(people, &code);
                }
            }
        }
        sums
    }
}

struct CellSums {
    all: VectorSum,
    passing: Vec<VectorSum>,
}

/// A sum of codes.
#[derive(Clone)]
struct VectorSum {
    people: u64,
    squares: u128,
    sum: Vec<u64>,
}

impl VectorSum {
    fn new(n_coordinates: usize) -> Self {
        Self {
            people: 0,
            squares: 0,
            sum: vec![0; n_coordinates],
        }
    }

    fn add(&mut self, people: u64, code: &SetCode<'_>) {
        self.people += people;
        self.squares += u128::from(people) * code.squared_length;
        for &(coordinate, value) in code.entries {
            self.sum[coordinate as usize] += people * u64::from(value);
        }
    }

    fn moments(&self) -> Moments {
        let square = |&sum: &u64| u128::from(sum) * u128::from(sum);
        Moments {
            people: self.people.into(),
            squares: self.squares,
            square_of_sum: self.sum.iter().map(square).sum(),
        }
    }

    fn moments_without(&self, other: &Self) -> Moments {
        let pairs = self.sum.iter().zip(&other.sum);
        Moments {
            people: (self.people - other.people).into(),
            squares: self.squares - other.squares,
            square_of_sum: pairs.map(|(all, part)| u128::from(all - part).pow(2)).sum(),
        }
    }
}

/// The code of one set.
struct SetCode<'c> {
    /// The nodes that it has something on, in increasing order.
    entries: &'c [(Coordinate, u32)],
    squared_length: u128,
}

/// The codes of all different sets, one after the other.
struct SetCodes {
    entries: Vec<(Coordinate, u32)>,
    ends: Vec<usize>,
    squared_lengths: Vec<u128>,
}

impl SetCodes {
    fn new(sets: &SetDictionary, tree: &Tree, nodes: &[Node]) -> Self {
        let taxonomy = &tree.taxonomy;
        // The way up from each leaf, as coordinates.
        let paths: Vec<Vec<Coordinate>> = (0..taxonomy.n_leaves() as u32)
            .map(|leaf| {
                let path = taxonomy.path(taxonomy.node_of_leaf(leaf));
                path.filter_map(|node| nodes.binary_search(&node).ok())
                    .map(|coordinate| coordinate as Coordinate)
                    .collect()
            })
            .collect();
        let mut codes = Self {
            entries: Vec::new(),
            ends: Vec::with_capacity(sets.len()),
            squared_lengths: Vec::with_capacity(sets.len()),
        };
        let mut own: Vec<Coordinate> = Vec::new();
        for items in sets.iter() {
            let share = item_share(items.len()) as u32;
            own.clear();
            own.extend(items.iter().flat_map(|&item| &paths[item as usize]));
            own.sort_unstable();
            let start = codes.entries.len();
            for run in own.chunk_by(|a, b| a == b) {
                codes.entries.push((run[0], share * run.len() as u32));
            }
            let values = codes.entries[start..].iter();
            codes
                .squared_lengths
                .push(values.map(|&(_, value)| u128::from(value).pow(2)).sum());
            codes.ends.push(codes.entries.len());
        }
        codes
    }

    fn of_set(&self, set: u32) -> SetCode<'_> {
        let set = set as usize;
        let start = set.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range: Range<usize> = start..self.ends[set];
        SetCode {
            entries: &self.entries[range],
            squared_length: self.squared_lengths[set],
        }
    }
}

/// What each item of a set has; a set without items, which no reader writes, has nothing.
pub(in super::super) fn item_share(n_items: usize) -> u64 {
    ITEM_UNIT / (n_items.max(1) as u64)
}
