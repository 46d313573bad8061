//! What is still possible in a cell: public, given the cuts.

use std::ops::Range;
use std::sync::Arc;

use super::axis::{Atom, Axis};
use super::outputs::Cut;

/// What a row of a cell can have in one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    possible: Vec<bool>,
    /// How many atoms before each are possible; one entry more than atoms.
    before: Vec<u32>,
    /// Ranges of which a set has an item.
    present: Vec<Range<Atom>>,
}

impl Region {
    /// Everything is possible.
    fn whole(axis: &Axis) -> Self {
        Self::new(vec![true; axis.n_atoms()], Vec::new())
    }

    fn new(possible: Vec<bool>, present: Vec<Range<Atom>>) -> Self {
        let mut before = Vec::with_capacity(possible.len() + 1);
        before.push(0);
        for &is_possible in &possible {
            before.push(before.last().copied().unwrap_or(0) + u32::from(is_possible));
        }
        Self {
            possible,
            before,
            present,
        }
    }

    /// Whether a row can have this atom.
    pub(super) fn allows(&self, atom: Atom) -> bool {
        self.possible[atom as usize]
    }

    /// The atoms that a row can have, in order.
    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        (0..self.possible.len() as Atom).filter(|&atom| self.allows(atom))
    }

    /// The ranges of which a set has an item, in the order of the cuts.
    pub(super) fn present(&self) -> &[Range<Atom>] {
        &self.present
    }

    /// How many atoms of a range are possible.
    pub(super) fn count(&self, atoms: &Range<Atom>) -> u32 {
        self.before[atoms.end as usize] - self.before[atoms.start as usize]
    }

    fn total(&self) -> u32 {
        self.before.last().copied().unwrap_or(0)
    }

    /// Whether some row that is possible here passes a test, and some other does not.
    fn is_cut_by(&self, axis: &Axis, atoms: &Range<Atom>) -> bool {
        self.can_pass(axis, atoms) && self.can_fail(atoms)
    }

    fn can_pass(&self, axis: &Axis, atoms: &Range<Atom>) -> bool {
        if self.count(atoms) == 0 {
            return false;
        }
        let Axis::Sets(_) = axis else { return true };
        let loners = axis.loners();
        match who_passes(&loners, atoms) {
            WhoPasses::Loner(loner) => self.present.iter().all(|range| range.contains(&loner)),
            WhoPasses::OrdinaryItems => self.present.iter().all(|range| {
                let possible_loners = loners
                    .iter()
                    .filter(|loner| range.contains(loner) && self.allows(**loner));
                self.count(range) > possible_loners.count() as u32
            }),
            WhoPasses::Both => true,
        }
    }

    fn can_fail(&self, atoms: &Range<Atom>) -> bool {
        let has_other = |range: &Range<Atom>| {
            let shared = range.start.max(atoms.start)..range.end.min(atoms.end);
            let n_shared = if shared.is_empty() {
                0
            } else {
                self.count(&shared)
            };
            self.count(range) > n_shared
        };
        self.total() > self.count(atoms) && self.present.iter().all(has_other)
    }

    /// What is possible for rows that fail a test and for rows that pass it; nothing where no row can be.
    fn halves(&self, axis: &Axis, atoms: &Range<Atom>) -> [Option<Self>; 2] {
        let keep = |keeps: &dyn Fn(Atom) -> bool| -> Vec<bool> {
            (0..self.possible.len() as Atom)
                .map(|atom| self.allows(atom) && keeps(atom))
                .collect()
        };
        let failing = self.can_fail(atoms).then(|| {
            let possible = keep(&|atom| !atoms.contains(&atom));
            Self::new(possible, self.present.clone())
        });
        let passing = self.can_pass(axis, atoms).then(|| {
            let Axis::Sets(_) = axis else {
                return Self::new(keep(&|atom| atoms.contains(&atom)), Vec::new());
            };
            let loners = axis.loners();
            let possible = match who_passes(&loners, atoms) {
                WhoPasses::Loner(loner) => keep(&|atom| atom == loner),
                WhoPasses::OrdinaryItems => keep(&|atom| !loners.contains(&atom)),
                WhoPasses::Both => self.possible.clone(),
            };
            let mut present = self.present.clone();
            present.push(atoms.clone());
            Self::new(possible, present)
        });
        [failing, passing]
    }
}

/// Which sets pass a test.
enum WhoPasses {
    /// The empty set alone, or rows without a set.
    Loner(Atom),
    /// Sets of ordinary items.
    OrdinaryItems,
    Both,
}

fn who_passes(loners: &[Atom], atoms: &Range<Atom>) -> WhoPasses {
    let passing = loners.iter().filter(|loner| atoms.contains(loner));
    match (passing.clone().count(), atoms.len()) {
        (0, _) => WhoPasses::OrdinaryItems,
        (1, 1) => WhoPasses::Loner(atoms.start),
        _ => WhoPasses::Both,
    }
}

/// A cell: what is possible in each column.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) regions: Vec<Arc<Region>>,
}

/// All cells after each of the cuts. A cell of a level is numbered by its answers to the tests, the first in the
/// highest bit; nothing stands where no row can be.
#[derive(Debug)]
pub(super) struct Plan {
    levels: Vec<Vec<Option<Cell>>>,
    cuts: Vec<Cut>,
}

impl Plan {
    /// One cell with everything in it.
    pub(super) fn new(axes: &[Axis]) -> Self {
        let regions = axes
            .iter()
            .map(|axis| Arc::new(Region::whole(axis)))
            .collect();
        Self {
            levels: vec![vec![Some(Cell { regions })]],
            cuts: Vec::new(),
        }
    }

    /// The cells after these cuts.
    pub(super) fn after(axes: &[Axis], cuts: &[Cut]) -> Self {
        let mut plan = Self::new(axes);
        for cut in cuts {
            plan.cut(axes, cut.clone());
        }
        plan
    }

    /// The cuts so far.
    pub(super) fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The cells after so many cuts.
    pub(super) fn level(&self, n_cuts: usize) -> &[Option<Cell>] {
        &self.levels[n_cuts]
    }

    /// The cells after all cuts.
    pub(super) fn cells(&self) -> &[Option<Cell>] {
        self.level(self.cuts.len())
    }

    /// The regions of a column that occur, each once.
    fn regions(&self, column: usize) -> Vec<&Arc<Region>> {
        let mut regions: Vec<&Arc<Region>> = Vec::new();
        for cell in self.cells().iter().flatten() {
            let own = &cell.regions[column];
            if !regions.iter().any(|known| Arc::ptr_eq(known, own)) {
                regions.push(own);
            }
        }
        regions
    }

    /// Which of the ranges cut at least one cell in two.
    pub(super) fn cutting<'r>(
        &self,
        axis: &Axis,
        column: usize,
        ranges: impl Iterator<Item = &'r Range<Atom>>,
    ) -> Vec<usize> {
        let regions = self.regions(column);
        ranges
            .enumerate()
            .filter(|(_, range)| regions.iter().any(|region| region.is_cut_by(axis, range)))
            .map(|(number, _)| number)
            .collect()
    }

    /// Cuts every cell by the same test.
    pub(super) fn cut(&mut self, axes: &[Axis], cut: Cut) {
        let axis = &axes[cut.column];
        let regions = self.regions(cut.column);
        let halves: Vec<[Option<Arc<Region>>; 2]> = regions
            .iter()
            .map(|region| {
                region
                    .halves(axis, &cut.atoms())
                    .map(|half| half.map(Arc::new))
            })
            .collect();
        let mut next = Vec::with_capacity(2 * self.cells().len());
        for cell in self.cells() {
            let Some(cell) = cell else {
                next.extend([None, None]);
                continue;
            };
            let own = &cell.regions[cut.column];
            let number = regions
                .iter()
                .position(|region| Arc::ptr_eq(region, own))
                .expect("every region of a cell was listed");
            next.extend(halves[number].iter().map(|half| {
                let mut regions = cell.regions.clone();
                regions[cut.column] = half.clone()?;
                Some(Cell { regions })
            }));
        }
        self.levels.push(next);
        self.cuts.push(cut);
    }
}
