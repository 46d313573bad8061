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
        let [near, far] = halves(&part);
        let n_near = near.len();
        others.select_nth_unstable_by(n_near, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (nearer, farther) = others.split_at(n_near);
        let most = |half: &[(f64, u32)]| half.iter().map(|other| other.0).fold(0.0, f64::max);
        let least = farther.iter().map(|other| other.0);
        self.reach[part.start] = Reach {
            near_most: most(nearer),
            far_least: least.fold(f64::INFINITY, f64::min),
            far_most: most(farther),
        };
        for (place, (_, row)) in self.rows[part.start + 1..].iter_mut().zip(&others) {
            *place = *row;
        }
        self.split(near);
        self.split(far);
    }

    /// Shows every row within the radius and its squared distance, until the visitor has seen enough.
    pub(super) fn within(
        &self,
        row: usize,
        radius: f64,
        visit: &mut impl FnMut(usize, f64) -> ControlFlow<()>,
    ) {
        self.within_parts(row, radius, &|_| true, visit);
    }

    /// The same, without the parts, known by their first place, that are not worth a look.
    fn within_parts(
        &self,
        row: usize,
        radius: f64,
        is_worth: &impl Fn(usize) -> bool,
        visit: &mut impl FnMut(usize, f64) -> ControlFlow<()>,
    ) {
        let search = Search {
            row,
            radius: radius + ROUNDING,
            // What is exactly at the radius is within, whatever rounding made of it.
            most_squared: radius * radius * (1.0 + ROUNDING),
            is_worth,
        };
        let _ = self.search(&search, 0..self.rows.len(), visit);
    }

    fn search(
        &self,
        search: &Search<impl Fn(usize) -> bool>,
        part: Range<usize>,
        visit: &mut impl FnMut(usize, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if part.is_empty() || !(search.is_worth)(part.start) {
            return ControlFlow::Continue(());
        }
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
        let [near, far] = halves(&part);
        if from_node - reach.near_most <= search.radius {
            self.search(search, near, visit)?;
        }
        if from_node - reach.far_most <= search.radius
            && reach.far_least - from_node <= search.radius
        {
            self.search(search, far, visit)?;
        }
        ControlFlow::Continue(())
    }
}

/// The near and the far half of a part.
fn halves(part: &Range<usize>) -> [Range<usize>; 2] {
    let middle = part.start + 1 + (part.len() - 1) / 2;
    [part.start + 1..middle, middle..part.end]
}

struct Search<'w, W> {
    row: usize,
    radius: f64,
    most_squared: f64,
    is_worth: &'w W,
}

/// Rows of a tree that are taken out one after the other; parts without such rows are not searched again.
#[derive(Debug)]
pub(super) struct OpenRows<'t, 'd> {
    tree: &'t NeighbourTree<'d>,
    is_open: Vec<bool>,
    /// How many are left in the part that starts here.
    left: Vec<u32>,
    /// The place of each row in the tree.
    place: Vec<u32>,
}

impl<'t, 'd> OpenRows<'t, 'd> {
    pub(super) fn new(tree: &'t NeighbourTree<'d>, is_open: Vec<bool>) -> Self {
        let mut place = vec![0; tree.rows.len()];
        for (at, &row) in tree.rows.iter().enumerate() {
            place[row as usize] = at as u32;
        }
        let mut open = Self {
            tree,
            left: vec![0; is_open.len()],
            is_open,
            place,
        };
        for row in (0..open.is_open.len()).filter(|&row| open.is_open[row]) {
            for part in parts_to(open.place[row] as usize, open.left.len()) {
                open.left[part] += 1;
            }
        }
        open
    }

    pub(super) fn is_open(&self, row: usize) -> bool {
        self.is_open[row]
    }

    /// Takes a row out.
    pub(super) fn take(&mut self, row: usize) {
        if std::mem::take(&mut self.is_open[row]) {
            for part in parts_to(self.place[row] as usize, self.left.len()) {
                self.left[part] -= 1;
            }
        }
    }

    /// Takes out all rows within a radius of a row.
    pub(super) fn take_within(&mut self, row: usize, radius: f64) -> Vec<usize> {
        let mut taken = Vec::new();
        let is_worth = |part: usize| self.left[part] > 0;
        self.tree
            .within_parts(row, radius, &is_worth, &mut |other, _| {
                if self.is_open[other] {
                    taken.push(other);
                }
                ControlFlow::Continue(())
            });
        for &other in &taken {
            self.take(other);
        }
        taken
    }
}

/// The parts that a place is in, from the whole tree down.
fn parts_to(place: usize, n_rows: usize) -> impl Iterator<Item = usize> {
    let mut next = Some(0..n_rows);
    std::iter::from_fn(move || {
        let part = next.take()?;
        if part.len() > LEAF_ROWS {
            next = halves(&part).into_iter().find(|half| half.contains(&place));
        }
        Some(part.start)
    })
}
