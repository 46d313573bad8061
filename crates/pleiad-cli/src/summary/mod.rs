//! What was found, for people ([`text`]) and for programs ([`json`]); what a release comes to ([`release`]).

pub(crate) mod json;
pub(crate) mod promises;
pub(crate) mod release;
pub(crate) mod text;
