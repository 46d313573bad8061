//! What every private method has in common: two halves, of which the second cannot see the table.
//!
//! `measure` looks at the rows, through a sealed table that answers against payment only, and returns nothing but
//! noisy answers. `publish` makes everything that leaves the owner from these answers and from public knowledge. So
//! whatever `publish` does (round, sort, draw rows, fail) tells no more about a person than the answers do.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Result;
use crate::privacy::budget::{AddRemove, Purse, SealedTable};
use crate::privacy::noise::PrivateRandom;

/// A method with a privacy guarantee. A value of the type holds public knowledge only: domains, weights, ε.
pub trait PrivateMethod {
    /// The noisy answers, and randomness that does not depend on the rows. They survive a text file exactly.
    type Outputs: Serialize + DeserializeOwned + PartialEq + Debug;
    /// What leaves the owner.
    type Publication: PartialEq + Debug;

    /// Asks the table, and pays for every answer before it is given.
    ///
    /// # Errors
    /// The purse cannot pay. Never because of the rows.
    fn measure(
        &self,
        table: &SealedTable<'_>,
        purse: &mut Purse<AddRemove>,
        random: &mut PrivateRandom,
    ) -> Result<Self::Outputs>;

    /// Makes the publication: equal outputs give equal publications.
    ///
    /// # Errors
    /// Outputs that another method, or one with other columns, has measured.
    fn publish(&self, outputs: &Self::Outputs) -> Result<Self::Publication>;
}

#[cfg(test)]
pub(crate) mod replay {
    use super::{Debug, PrivateMethod, PrivateRandom, Purse, SealedTable};
    use crate::privacy::budget::{AddRemove, Cost};
    use crate::table::Table;

    /// Records what a method measures on one table, and publishes it with another value of the same method, which was
    /// made where only the spec is known, after the way through a text file: the publications must be equal.
    pub(crate) fn check<M: PrivateMethod>(recording: &M, replaying: &M, table: &Table, budget: &str)
    where
        M::Publication: Debug,
    {
        let mut purse: Purse<AddRemove> = Purse::new(&Cost::Pure(budget.parse().unwrap()));
        let mut random = PrivateRandom::new().unwrap();
        let outputs = recording
            .measure(&SealedTable::seal(table), &mut purse, &mut random)
            .unwrap();
        let text = serde_json::to_string(&outputs).unwrap();
        let read: M::Outputs = serde_json::from_str(&text).unwrap();
        assert_eq!(read, outputs, "outputs survive a text file");
        let published = recording.publish(&outputs).unwrap();
        assert_eq!(
            replaying.publish(&read).unwrap(),
            published,
            "a publication depends on the outputs and the spec alone"
        );
    }
}
