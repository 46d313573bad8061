//! Anonymity requirements: whoever looks for a person by these columns finds at least so many.

use crate::error::{Error, Result};

/// Columns by which a person could be looked up, and how many people must look alike there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuasiIdentifier {
    columns: Vec<usize>,
    at_least: u32,
}

impl QuasiIdentifier {
    /// Columns of a table, and a threshold of at least 1.
    ///
    /// # Errors
    /// No columns, or a threshold of 0.
    pub fn new(mut columns: Vec<usize>, at_least: u32) -> Result<Self> {
        columns.sort_unstable();
        columns.dedup();
        if columns.is_empty() {
            return Err(Error::spec("an anonymity requirement names no columns"));
        }
        if at_least == 0 {
            return Err(Error::spec("`at_least` must be 1 or more"));
        }
        Ok(Self { columns, at_least })
    }

    /// The columns, in the order of the table.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// How many people must look alike.
    pub fn at_least(&self) -> u32 {
        self.at_least
    }

    /// Whether keeping this requirement keeps the other too: more columns, and no lower a threshold.
    fn covers(&self, other: &Self) -> bool {
        other.at_least <= self.at_least
            && other
                .columns
                .iter()
                .all(|column| self.columns.contains(column))
    }
}

/// One or more requirements, none of which follows from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement(Vec<QuasiIdentifier>);

impl Requirement {
    /// Drops the requirements that another one covers (of equal ones the later).
    ///
    /// # Errors
    /// No requirement at all.
    pub fn new(all: &[QuasiIdentifier]) -> Result<Self> {
        let is_covered = |number: usize| {
            all.iter().enumerate().any(|(other, by)| {
                other != number && by.covers(&all[number]) && (by != &all[number] || other < number)
            })
        };
        let kept: Vec<QuasiIdentifier> = (0..all.len())
            .filter(|&number| !is_covered(number))
            .map(|number| all[number].clone())
            .collect();
        if kept.is_empty() {
            return Err(Error::spec("no anonymity requirement is given"));
        }
        Ok(Self(kept))
    }

    /// The requirements that remain.
    pub fn quasi_identifiers(&self) -> &[QuasiIdentifier] {
        &self.0
    }

    /// Refuses a requirement that so many people cannot meet.
    pub fn check_people(&self, n_people: usize) -> Result<()> {
        let asked = self.0.iter().map(QuasiIdentifier::at_least).max();
        match asked {
            Some(asked) if asked as usize > n_people => Err(Error::refused(format!(
                "at least {asked} people must look alike, and the table is about {n_people}"
            ))
            .hint(format!(
                "`at_least` can be {n_people} at most, and the fewer the more can be told"
            ))),
            _ => Ok(()),
        }
    }

    /// The columns that every requirement with this column has: whatever is told about the column by groups is told by
    /// groups of these. The groups of a single requirement would cut those of another in pieces, and what they tell of the
    /// column would single out people by both; groups of the shared columns are unions of groups of each.
    pub fn shared_columns(&self, column: usize) -> Option<Vec<usize>> {
        let mut with_column = self.0.iter().filter(|qid| qid.columns.contains(&column));
        let mut shared = with_column.next()?.columns.clone();
        for qid in with_column {
            shared.retain(|own| qid.columns.contains(own));
        }
        Some(shared)
    }

    /// All columns that are in a requirement, in order.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = self.0.iter().flat_map(|qid| qid.columns.clone()).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The largest threshold among the requirements with this column; nothing for a column in none.
    pub fn at_least_for(&self, column: usize) -> Option<u32> {
        let with_column = self.0.iter().filter(|qid| qid.columns.contains(&column));
        with_column.map(QuasiIdentifier::at_least).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qid(columns: &[usize], at_least: u32) -> QuasiIdentifier {
        QuasiIdentifier::new(columns.to_vec(), at_least).unwrap()
    }

    #[test]
    fn covered_requirements_are_dropped() {
        let all = vec![
            qid(&[0, 1], 4),
            qid(&[1, 0, 2], 5),
            qid(&[1], 9),
            qid(&[2], 5),
            qid(&[2, 1, 0], 5),
        ];
        let requirement = Requirement::new(&all).unwrap();
        assert_eq!(
            requirement.quasi_identifiers(),
            [qid(&[0, 1, 2], 5), qid(&[1], 9)]
        );
        assert_eq!(requirement.columns(), [0, 1, 2]);
        assert_eq!(requirement.at_least_for(1), Some(9));
        assert_eq!(requirement.at_least_for(2), Some(5));
        assert_eq!(requirement.at_least_for(3), None);
        assert_eq!(requirement.shared_columns(0), Some(vec![0, 1, 2]));
        assert_eq!(requirement.shared_columns(1), Some(vec![1]));
        assert_eq!(requirement.shared_columns(3), None);
    }

    #[test]
    fn empty_requirements_are_refused() {
        assert!(QuasiIdentifier::new(vec![], 3).is_err());
        assert!(QuasiIdentifier::new(vec![1], 0).is_err());
        assert!(Requirement::new(&[]).is_err());
    }
}
