//! `[protect]` and `[recipient]` as they were written.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::At;
use crate::spec::{Algorithm, Method, Positions, Score};

/// How the people in the table are protected.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a section [protect]")]
pub(in crate::spec) struct Protect {
    /// How values are masked.
    #[schemars(extend("default" = "refine"))]
    pub(in crate::spec) method: Option<Method>,
    /// `refine`: how many people must look alike, on all quasi columns together or on each of several sets of them.
    pub(in crate::spec) anonymity: Option<At<Anonymity>>,
    /// `refine`: what is disclosed about the rows behind masked values, so that the recipient can place them.
    #[schemars(extend("default" = "table"))]
    pub(in crate::spec) positions: Option<At<Positions>>,
    /// `refine`: what makes one refinement better than another.
    #[schemars(extend("default" = "cluster"))]
    pub(in crate::spec) score: Option<At<Score>>,
    /// `refine`: breaks ties of the distortion score.
    #[schemars(extend("default" = 0))]
    pub(in crate::spec) seed: Option<At<u64>>,
    /// `mosaic`: the privacy budget of the release, taken exactly as it is written.
    pub(in crate::spec) epsilon: Option<At<Amount>>,
    /// `mosaic`: whose budget it is taken from, as declared by `pleiad ledger declare`.
    pub(in crate::spec) population: Option<At<String>>,
    /// `mosaic`: the file that keeps the budget. A relative path starts in the folder of this spec.
    #[schemars(extend("default" = "pleiad.ledger"))]
    pub(in crate::spec) ledger: Option<At<String>>,
    /// `mosaic`: number of synthetic rows. Without it, as many as there are people, with noise.
    #[schemars(range(min = 1, max = u32::MAX))]
    pub(in crate::spec) rows: Option<At<u64>>,
    /// `mosaic`: whether settings are chosen by a private score, which every run pays for out of a third of the
    /// budget.
    #[schemars(extend("default" = false))]
    pub(in crate::spec) tune: Option<At<bool>>,
}

/// An exact amount: a number, or a text such as `"1/3"`. What counts is how it was written, since `0.1` is no number
/// that a computer knows exactly.
#[derive(Debug)]
pub(in crate::spec) struct Amount;

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount such as `0.5`")
    }

    fn visit_i64<E: Error>(self, _: i64) -> std::result::Result<Amount, E> {
        Ok(Amount)
    }

    fn visit_f64<E: Error>(self, _: f64) -> std::result::Result<Amount, E> {
        Ok(Amount)
    }

    fn visit_str<E: Error>(self, _: &str) -> std::result::Result<Amount, E> {
        Ok(Amount)
    }
}

impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"] })
    }
}

#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub(in crate::spec) enum Anonymity {
    /// How many people must look alike on all quasi columns together.
    Together(#[schemars(range(min = 2, max = u32::MAX))] u64),
    /// Several requirements. Every quasi column is in at least one.
    Several(#[schemars(length(min = 1))] Vec<At<Requirement>>),
}

/// Columns by which a person could be looked up, and how many people must look alike there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ columns = [\"zip\", \"sex\"], at_least = 4 }`"
)]
#[schemars(extend("required" = ["columns", "at_least"]))]
pub(in crate::spec) struct Requirement {
    /// Names of quasi columns.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub(in crate::spec) columns: Option<At<Vec<At<String>>>>,
    /// How many people must look alike.
    #[schemars(range(min = 2, max = u32::MAX))]
    pub(in crate::spec) at_least: Option<At<u64>>,
}

// By hand, because an untagged enum forgets what was wrong, and where, inside the form that was meant.
impl<'de> Deserialize<'de> for Anonymity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(AnonymityVisitor)
    }
}

struct AnonymityVisitor;

impl<'de> Visitor<'de> for AnonymityVisitor {
    type Value = Anonymity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number such as `5`, or sections [[protect.anonymity]]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> std::result::Result<Anonymity, E> {
        u64::try_from(number)
            .map(Anonymity::Together)
            .map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> std::result::Result<Anonymity, E> {
        Ok(Anonymity::Together(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut items: A,
    ) -> std::result::Result<Anonymity, A::Error> {
        let mut requirements = Vec::new();
        while let Some(requirement) = items.next_element()? {
            requirements.push(requirement);
        }
        Ok(Anonymity::Several(requirements))
    }
}

/// How the recipient will cluster the release, where it differs from [cluster].
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a section [recipient]")]
pub(in crate::spec) struct Recipient {
    /// How clusters are found. Without it, as [cluster] says.
    pub(in crate::spec) algorithm: Option<Algorithm>,
}
