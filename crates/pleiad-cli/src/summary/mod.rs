//! What was found, for people ([`text`]) and for programs ([`json`]); numbers of clusters that were tried
//! ([`suggestion`]); what a release comes to ([`release`], [`private`]), or any masked table ([`evaluation`]).

pub(crate) mod draft;
pub(crate) mod evaluation;
pub(crate) mod json;
pub(crate) mod private;
pub(crate) mod promises;
pub(crate) mod release;
pub(crate) mod suggestion;
pub(crate) mod text;
mod verdict;
