//! The privacy budget: exact amounts, what steps cost, purses that pay for them, and tables that answer only against
//! payment.
//!
//! Three things make an account that can be trusted.
//!
//! - Amounts are [exact](Rational). They are read from text, add up exactly, and are rounded only where a root or a
//!   logarithm forces it, upwards, by integer arithmetic.
//! - What a step costs follows from [what it is](Mechanism). Nobody types a cost.
//! - The neighbour relation is a type. Costs under [`AddRemove`] and [`Replace`] do not add:
//!
//! ```
//! use pleiad::privacy::budget::{AddRemove, Epsilon, Replace};
//!
//! let counts: Epsilon<AddRemove> = "0.5".parse()?;
//! let modes: Epsilon<Replace> = "0.5".parse()?;
//! assert_eq!((counts.to_replace() + modes).to_string(), "1.5");
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! ```compile_fail,E0308
//! use pleiad::privacy::budget::{AddRemove, Epsilon, Replace};
//!
//! let counts: Epsilon<AddRemove> = "0.5".parse()?;
//! let modes: Epsilon<Replace> = "0.5".parse()?;
//! counts + modes;
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! There is no way from replacing to adding and removing:
//!
//! ```compile_fail,E0599
//! use pleiad::privacy::budget::{Epsilon, Replace};
//!
//! let modes: Epsilon<Replace> = "0.5".parse()?;
//! modes.to_replace();
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! A purse pays charges of its own relation only, and disjoint parts share a charge under adding or removing only:
//!
//! ```
//! use pleiad::privacy::budget::{AddRemove, Charge, Cost, Mechanism, Purse};
//!
//! let mut purse: Purse<AddRemove> = Purse::new(&Cost::Pure("1".parse()?));
//! let count = |scale: &str| {
//!     let (l1_sensitivity, scale) = ("1".parse()?, scale.parse()?);
//!     Ok::<_, pleiad::Error>(Charge::of(Mechanism::DiscreteLaplace { l1_sensitivity, scale }))
//! };
//! purse.pay("counts of two wards", Charge::parallel([count("4")?, count("2")?]))?;
//! assert_eq!(purse.left().to_string(), "ε = 0.5");
//! assert!(purse.pay("one count more", count("1")?).is_err());
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! ```compile_fail,E0308
//! use pleiad::privacy::budget::{AddRemove, Charge, Cost, Mechanism, Purse, Replace};
//!
//! let mut purse: Purse<AddRemove> = Purse::new(&Cost::Pure("1".parse()?));
//! let charge = Charge::<Replace>::of(Mechanism::Pure { epsilon: "0.5".parse()? });
//! purse.pay("modes", charge)?;
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! ```compile_fail,E0599
//! use pleiad::privacy::budget::{Charge, Mechanism, Replace};
//!
//! let charge = Charge::<Replace>::of(Mechanism::Pure { epsilon: "0.5".parse()? });
//! Charge::<Replace>::parallel([charge]);
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! ```compile_fail,E0599
//! use pleiad::privacy::budget::{Cost, Purse, Replace};
//!
//! let mut purse: Purse<Replace> = Purse::new(&Cost::Pure("1".parse()?));
//! purse.parallel("wards", 2, &"0.5".parse()?)?;
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! Nor does a sealed table show its rows or how many they are:
//!
//! ```compile_fail,E0599
//! use pleiad::privacy::budget::SealedTable;
//! use pleiad::table::Table;
//!
//! fn count(table: &Table) -> usize {
//!     SealedTable::seal(table).n_rows()
//! }
//! ```

mod account;
mod amounts;
mod charge;
mod mechanism;
mod purse;
mod rational;
mod relation;
mod sealed;
#[cfg(test)]
mod tests;
mod upward;

pub use account::{Account, Entry};
pub use amounts::{Cost, DECIMALS, Delta, Epsilon, Measure, Rho};
pub use charge::{Charge, Composition};
pub use mechanism::Mechanism;
pub use purse::Purse;
pub(crate) use rational::MOST_CHARACTERS;

pub use rational::{Positive, Rational};
pub use relation::{AddRemove, Neighbours, Relation, Replace};
pub use sealed::SealedTable;
pub(crate) use sealed::{Question, one_row_per_person};
