//! How likely it is that somebody finds a person in a masked table.

use schemars::JsonSchema;
use serde::Serialize;

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
