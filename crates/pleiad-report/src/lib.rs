//! The report of a release: one HTML file that a data officer can read, print and sign.
//!
//! It opens from a disk without a network, follows the light or dark setting of its reader, and carries everything it
//! needs. [`Material`] says what there is to tell; whatever is absent is left out, so that a foreign table without
//! promises gets a report too. Charts are data ([`plotly`]'s JSON) with names of colours instead of colours: the page puts
//! in those of its theme.
//!
//! The report is made from the raw table. It belongs to the owner.

mod account;
mod charts;
mod clusters;
mod from_evaluation;
mod from_private_release;
mod from_release;
mod material;
mod page;
mod palette;
mod portraits;
mod ranges;
mod script;
mod survival;
pub mod telling;
#[cfg(test)]
mod tests;
mod words;

pub use from_evaluation::report_of_evaluation;
pub use from_private_release::report_of_private_release;
pub use from_release::report_of_release;
pub use material::{
    Association, ColumnDistance, Material, PrivacyAccount, PrivacyStep, Promise, Source,
};
pub use page::html;
pub use survival::{Kept, Survival};
