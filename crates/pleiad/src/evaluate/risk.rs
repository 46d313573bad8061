//! How likely it is that somebody finds a person in a masked table.
//!
//! `docs/concepts/measures.md` has the formulas and where they come from. Who has several rows is one person, and as easy
//! to find as the easiest of them.

mod population;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::loss::Loss;
use super::pairs::{Classes, Pairs};
use crate::table::Table;
use population::people_like;

/// What attackers who know the quasi-identifying values of people come to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Risk {
    /// The columns that the attackers know.
    pub columns: Vec<String>,
    /// People in the table that were at risk: suppressed rows are not.
    pub people: u64,
    /// An attacker who looks for one person and knows that the person is in the table.
    pub prosecutor: Attack,
    /// An attacker who looks for one person and does not know whether the person is in the table; only where a table of
    /// the population was given.
    pub journalist: Option<Attack>,
    /// An attacker who looks for as many people as possible: the share of people that are found on average.
    pub marketer: f64,
    /// People who are alone in their group.
    pub uniques: u64,
    /// People of groups that have fewer people in the population than in the table: it is no population of this table.
    pub not_in_population: Option<u64>,
    /// What counts as a high risk.
    pub threshold: f64,
}

/// One attacker's chances.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Attack {
    /// The risk of the person who is easiest to find.
    pub highest: f64,
    /// The mean over people.
    pub average: f64,
    /// The share of people whose risk is above the threshold.
    pub above_threshold: f64,
}

/// What counts as a high risk where nobody says otherwise: one in five, as where five people look alike.
pub const USUAL_THRESHOLD: f64 = 0.2;

impl Risk {
    /// Measures the risk of the people in a table, and where there is one, in a table of the population with the same
    /// quasi-identifying columns.
    pub fn of(pairs: &Pairs<'_>, population: Option<&Table>, threshold: f64) -> Self {
        Self::by_classes(pairs, &Classes::of(pairs), population, threshold)
    }

    fn by_classes(
        pairs: &Pairs<'_>,
        classes: &Classes,
        population: Option<&Table>,
        threshold: f64,
    ) -> Self {
        let prosecutor = Chances::of(classes, &classes.people);
        let name = |&column: &usize| pairs.raw.fields()[column].name.clone();
        let mut risk = Self {
            columns: pairs.quasi.iter().map(name).collect(),
            people: prosecutor.n_people,
            prosecutor: prosecutor.attack(threshold),
            journalist: None,
            marketer: prosecutor.found_on_average,
            uniques: prosecutor.smallest.get(&1).copied().unwrap_or(0),
            not_in_population: None,
            threshold,
        };
        if let Some(population) = population {
            let mut alike = people_like(pairs, classes, population);
            let mut lacking = 0;
            for (alike, &people) in alike.iter_mut().zip(&classes.people) {
                if *alike < people {
                    lacking += people - *alike;
                    *alike = people;
                }
            }
            let journalist = Chances::of(classes, &alike);
            risk.journalist = Some(journalist.attack(threshold));
            risk.marketer = journalist.found_on_average;
            risk.not_in_population = Some(lacking);
        }
        risk
    }
}

/// Loss and risk together: rows are grouped once.
pub fn loss_and_risk(
    pairs: &Pairs<'_>,
    population: Option<&Table>,
    threshold: f64,
) -> (Loss, Risk) {
    let classes = Classes::of(pairs);
    (
        Loss::by_classes(pairs, &classes),
        Risk::by_classes(pairs, &classes, population, threshold),
    )
}

/// Among how many each person hides.
struct Chances {
    n_people: u64,
    /// People by the size of the smallest group that they are in.
    smallest: BTreeMap<u64, u64>,
    found_on_average: f64,
}

impl Chances {
    /// `alike` says for each class how many the attacker cannot tell apart.
    fn of(classes: &Classes, alike: &[u64]) -> Self {
        let mut smallest: BTreeMap<u64, u64> = BTreeMap::new();
        let (mut n_people, mut found) = (0_u64, 0.0);
        let mut found_by_size: BTreeMap<u64, u64> = BTreeMap::new();
        for of_person in classes.members.chunk_by(|one, other| one.0 == other.0) {
            n_people += 1;
            let sizes = || of_person.iter().map(|&(_, class)| alike[class as usize]);
            let least = sizes().min().unwrap_or(1);
            *smallest.entry(least).or_default() += 1;
            if of_person.len() == 1 {
                *found_by_size.entry(least).or_default() += 1;
            } else {
                found +=
                    sizes().map(|size| 1.0 / size as f64).sum::<f64>() / of_person.len() as f64;
            }
        }
        found += over_sizes(&found_by_size);
        Self {
            n_people,
            smallest,
            found_on_average: share(found, n_people),
        }
    }

    fn attack(&self, threshold: f64) -> Attack {
        let above = self
            .smallest
            .iter()
            .filter(|(size, _)| 1.0 / **size as f64 > threshold);
        let n_above: u64 = above.map(|(_, people)| people).sum();
        Attack {
            highest: self
                .smallest
                .keys()
                .next()
                .map_or(0.0, |&size| 1.0 / size as f64),
            average: share(over_sizes(&self.smallest), self.n_people),
            above_threshold: share(n_above as f64, self.n_people),
        }
    }
}

/// Σ people/size.
fn over_sizes(people: &BTreeMap<u64, u64>) -> f64 {
    let sizes = people.iter();
    sizes
        .map(|(&size, &people)| people as f64 / size as f64)
        .sum()
}

fn share(part: f64, n_people: u64) -> f64 {
    if n_people == 0 {
        0.0
    } else {
        part / n_people as f64
    }
}
