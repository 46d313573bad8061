//! Small tables of all kinds of columns, with labels, people and requirements, drawn at random.

use super::super::{AnonymityLoss, RefineParams, Score, Split};
use super::{Made, numbers, sets, taxonomy, values, whole_numbers};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::repeatable::Repeatable;
use crate::table::{Interval, Leaf, People, Table, Taxonomy, Unit};

/// How large a random case may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) at_least: u32,
}

/// A table with all that refining it needs.
#[derive(Debug)]
pub(super) struct RandomCase {
    pub(super) table: Table,
    pub(super) labels: Vec<u32>,
    /// As drawn: some may follow from others.
    pub(super) quasi_identifiers: Vec<QuasiIdentifier>,
    pub(super) requirement: Requirement,
    pub(super) params: RefineParams,
}

pub(super) struct Dice(Repeatable);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Repeatable::new(seed))
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.0.below((high - low + 1) as u128) as usize
    }

    fn coin(&mut self) -> bool {
        self.between(0, 1) == 1
    }

    /// A number below `bound` that leans towards small ones.
    fn leaning(&mut self, bound: usize) -> usize {
        let high = self.between(0, bound - 1);
        self.between(0, high)
    }

    pub(super) fn case(&mut self, size: Size) -> RandomCase {
        let n_rows = match self.between(0, 4) {
            0 => self.between(1, size.rows),
            _ => self.between(size.rows / 2 + 1, size.rows),
        };
        let n_columns = self.between(1, size.columns);
        // Rows of a profile look much alike, so that there is something to tell about them.
        let n_profiles = self.between(1, 5);
        let profiles: Vec<usize> = (0..n_rows).map(|_| self.leaning(n_profiles)).collect();
        let n_classes = self.between(1, 4);
        let labels = profiles
            .iter()
            .map(|&profile| self.value(profile, n_classes) as u32)
            .collect();
        let (fields, columns) = (0..n_columns)
            .map(|number| self.column(&format!("c{number}"), &profiles))
            .unzip();
        let people = self.coin().then(|| self.people(n_rows));
        let n_people = people.as_ref().map_or(n_rows, |people| people.n_people);
        let quasi_identifiers: Vec<QuasiIdentifier> = (0..self.between(1, 3))
            .map(|_| {
                let columns = (0..self.between(1, n_columns))
                    .map(|_| self.between(0, n_columns - 1))
                    .collect();
                let at_least = 1 + self.leaning(n_people.min(size.at_least as usize));
                QuasiIdentifier::new(columns, at_least as u32).unwrap()
            })
            .collect();
        RandomCase {
            table: Table::new(fields, columns, people),
            labels,
            requirement: Requirement::new(&quasi_identifiers).unwrap(),
            quasi_identifiers,
            params: self.params(),
        }
    }

    fn params(&mut self) -> RefineParams {
        RefineParams {
            score: if self.between(0, 3) == 0 {
                Score::Distortion
            } else {
                Score::Cluster
            },
            loss: if self.coin() {
                AnonymityLoss::Carrying
            } else {
                AnonymityLoss::WholeTable
            },
            split: if self.coin() {
                Split::BestValid
            } else {
                Split::Paper
            },
            seed: self.between(0, 1000) as u64,
        }
    }

    fn people(&mut self, n_rows: usize) -> People {
        let n_people = self.between(1, n_rows);
        // Everybody has a row; whose the others are is left to chance.
        let mut of_row: Vec<u32> = (0..n_people as u32).collect();
        of_row.extend((n_people..n_rows).map(|_| self.between(0, n_people - 1) as u32));
        let order = self.0.permutation(n_rows);
        People {
            of_row: order.iter().map(|&at| of_row[at as usize]).collect(),
            n_people,
        }
    }

    fn column(&mut self, name: &str, profiles: &[usize]) -> Made {
        let may_be_missing = self.between(0, 2) == 0;
        match self.between(0, 4) {
            0 => {
                let n_values = self.between(1, 6);
                let list = (0..n_values).map(|value| format!("v{value}"));
                let star = with_missing(Taxonomy::star(list).unwrap(), may_be_missing);
                let leaves = self.leaves(&star, profiles);
                values(name, star, true, &leaves)
            }
            1 => {
                let tree = with_missing(self.taxonomy(), may_be_missing);
                let leaves = self.leaves(&tree, profiles);
                values(name, tree, false, &leaves)
            }
            2 => self.sets(name, may_be_missing, profiles),
            _ => self.numbers(name, may_be_missing, profiles),
        }
    }

    /// A tree of up to three levels below its root; chains of single children are among them.
    fn taxonomy(&mut self) -> Taxonomy {
        let mut lines = Vec::new();
        for branch in 0..self.between(1, 3) {
            if self.between(0, 3) == 0 {
                lines.push(format!("leaf{branch};*"));
                continue;
            }
            for twig in 0..self.between(1, 3) {
                let above = format!("branch{branch};*");
                let name = format!("{branch}{twig}");
                if self.coin() {
                    lines.push(format!("leaf{name};{above}"));
                    continue;
                }
                for leaf in 0..self.between(1, 2) {
                    lines.push(format!("leaf{name}{leaf};twig{name};{above}"));
                }
            }
        }
        taxonomy(&lines.join("\n"))
    }

    /// A value that has something to do with the profile, mostly.
    fn value(&mut self, profile: usize, bound: usize) -> usize {
        if self.between(0, 7) == 0 {
            self.leaning(bound)
        } else {
            (profile * 7 + self.leaning(3)) % bound
        }
    }

    fn leaves(&mut self, tree: &Taxonomy, profiles: &[usize]) -> Vec<Leaf> {
        let leaf = |&profile: &usize| self.value(profile, tree.n_leaves()) as Leaf;
        profiles.iter().map(leaf).collect()
    }

    fn sets(&mut self, name: &str, may_be_missing: bool, profiles: &[usize]) -> Made {
        let tree = with_missing(self.taxonomy().with_empty_set().unwrap(), may_be_missing);
        let (empty, missing) = (tree.empty_set().unwrap(), tree.missing());
        let cells: Vec<Vec<Leaf>> = profiles
            .iter()
            .map(|&profile| {
                if let Some(missing) = missing
                    && self.between(0, 4) == 0
                {
                    return vec![missing];
                }
                let mut items: Vec<Leaf> = (0..self.between(0, 3))
                    .map(|_| self.value(profile, empty as usize) as Leaf)
                    .collect();
                if items.is_empty() {
                    items.push(empty);
                }
                items.sort_unstable();
                items.dedup();
                items
            })
            .collect();
        sets(name, tree, &cells)
    }

    fn numbers(&mut self, name: &str, may_be_missing: bool, profiles: &[usize]) -> Made {
        let public = self.coin();
        let interval = match self.between(0, 6) {
            0 | 1 => whole_numbers(-3, 9, public),
            2 | 3 => Interval::new(0.0, 4.0, Some(0.25), Unit::Number, public).unwrap(),
            4 | 5 => Interval::new(10_957.0, 10_977.0, None, Unit::Day, public).unwrap(),
            _ => whole_numbers(0, 99_999, public),
        };
        // On the wide grid hardly any two numbers are the same.
        let width = (interval.last() as usize + 1).div_ceil(25);
        let places: Vec<Option<u32>> = profiles
            .iter()
            .map(|&profile| {
                let n_steps = (interval.last() as usize + 1) / width;
                let place = self.value(profile, n_steps) * width + self.between(0, width - 1);
                let is_missing = may_be_missing && self.between(0, 4) == 0;
                (!is_missing).then_some(place as u32)
            })
            .collect();
        numbers(name, interval, may_be_missing, &places)
    }
}

fn with_missing(tree: Taxonomy, may_be_missing: bool) -> Taxonomy {
    if may_be_missing {
        tree.with_missing().unwrap()
    } else {
        tree
    }
}
