//! The two sides of a comparison, for whoever wants to show them.

use crate::cluster::Points;
use crate::table::Table;

/// Rows before and after masking, with their clusters.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    /// Number of clusters, on both sides.
    pub n_clusters: usize,
    /// Before.
    pub raw: Side<'a>,
    /// After.
    pub released: Side<'a>,
    /// The cluster of the release that each raw row belongs to.
    pub raw_by_release: &'a [u32],
    /// Whether both sides have the same rows in the same order.
    pub are_same_rows: bool,
}

/// Rows and their clusters.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The rows.
    pub table: &'a Table,
    /// Where they lie.
    pub points: &'a Points<'a>,
    /// The cluster of each.
    pub labels: &'a [u32],
}
