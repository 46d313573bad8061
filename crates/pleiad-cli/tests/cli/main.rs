//! The built command, run as somebody at a terminal would run it.

mod check;
mod cluster;
mod common;
mod demo;
mod failures;
mod init;
mod ledger;
mod release;
mod taxonomy;
