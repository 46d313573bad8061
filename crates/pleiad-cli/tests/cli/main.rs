//! The built command, run as somebody at a terminal would run it.

mod cluster;
mod common;
mod demo;
mod failures;
