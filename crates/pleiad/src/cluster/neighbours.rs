//! Rows within a radius of a row, by a vantage-point tree.
//!
//! A tree over distances alone fits the space: rows have a dozen columns, of which categories and sets come from tables,
//! but may have thousands of coordinates, for which trees over coordinates would pay. Each node is a row; the other rows
//! of its part are split in half by their distance from it, and the triangle inequality says which half a search can
//! leave out.

use std::ops::{ControlFlow, Range};

use super::between::RowDistances;

/// Parts of so many rows are searched row by row.
const LEAF_ROWS: usize = 8;

/// What rounding may add to a distance.
const ROUNDING: f64 = 1e-9;

/// A tree over rows.
#[derive(Debug)]
pub(super) struct NeighbourTree<'d> {
    distances: &'d RowDistances,
    /// Rows part by part: the node, the near half, the far half.
    rows: Vec<u32>,
    /// Of the part that starts here: how near and how far its halves reach from its node.
    reach: Vec<Reach>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    near_most: f64,
    far_least: f64,
    far_most: f64,
}

impl<'d> NeighbourTree<'d> {
    pub(super) fn new(distances: &'d RowDistances) -> Self {
        let n_rows = distances.n_rows();
        let mut tree = Self {
            distances,
            rows: (0..n_rows as u32).collect(),
            reach: vec![Reach::default(); n_rows],
        };
        tree.split(0..n_rows);
        tree
    }

    fn split(&mut self, part: Range<usize>) {
        if part.len() <= LEAF_ROWS {
            return;
        }
        let node = self.rows[part.start] as usize;
        let mut others: Vec<(f64, u32)> = self.rows[part.start + 1..part.end]
            .iter()
            .map(|&row| (self.distances.distance(node, row as usize), row))
            .collect();
        let n_near = others.len() / 2;
        others.select_nth_unstable_by(n_near, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (near, far) = others.split_at(n_near);
        let most = |half: &[(f64, u32)]| half.iter().map(|other| other.0).fold(0.0, f64::max);
        self.reach[part.start] = Reach {
            near_most: most(near),
            far_least: far
                .iter()
                .map(|other| other.0)
                .fold(f64::INFINITY, f64::min),
            far_most: most(far),
        };
        for (place, (_, row)) in self.rows[part.start + 1..].iter_mut().zip(&others) {
            *place = *row;
        }
        let middle = part.start + 1 + n_near;
        self.split(part.start + 1..middle);
        self.split(middle..part.end);
    }

    /// Shows every row within the radius and its squared distance, until the visitor has seen enough.
    pub(super) fn within(
        &self,
        row: usize,
        radius: f64,
        visit: &mut impl FnMut(usize, f64) -> ControlFlow<()>,
    ) {
        // What is exactly at the radius is within, whatever rounding made of it.
        let most_squared = radius * radius * (1.0 + ROUNDING);
        let search = Search {
            row,
            radius: radius + ROUNDING,
            most_squared,
        };
        let _ = self.search(&search, 0..self.rows.len(), visit);
    }

    fn search(
        &self,
        search: &Search,
        part: Range<usize>,
        visit: &mut impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut show = |other: usize| {
            let squared = self.distances.squared(search.row, other);
            if squared <= search.most_squared {
                visit(other, squared)?;
            }
            ControlFlow::Continue(squared)
        };
        if part.len() <= LEAF_ROWS {
            for &other in &self.rows[part] {
                show(other as usize)?;
            }
            return ControlFlow::Continue(());
        }
        let from_node = show(self.rows[part.start] as usize)?.sqrt();
        let reach = self.reach[part.start];
        let middle = part.start + 1 + (part.len() - 1) / 2;
        if from_node - reach.near_most <= search.radius {
            self.search(search, part.start + 1..middle, visit)?;
        }
        if from_node - reach.far_most <= search.radius
            && reach.far_least - from_node <= search.radius
        {
            self.search(search, middle..part.end, visit)?;
        }
        ControlFlow::Continue(())
    }
}

struct Search {
    row: usize,
    radius: f64,
    most_squared: f64,
}
