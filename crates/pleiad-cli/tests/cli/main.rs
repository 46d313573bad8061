//! The built command, run as somebody at a terminal would run it.

mod check;
mod cluster;
mod clusterers;
mod common;
mod demo;
mod evaluate;
mod failures;
mod init;
mod ledger;
mod private_release;
mod release;
mod taxonomy;
