//! Taxonomies whose values are numbers: do their groups keep neighbours together, and say what they hold?

use super::band::Band;
use super::interval::Unit;
use super::taxonomy::{Node, Taxonomy};

/// What is odd about a taxonomy whose values are all numbers, such as the hierarchies that ARX writes; nothing to say
/// about any other. None of it makes the taxonomy unusable.
pub fn number_doubts(taxonomy: &Taxonomy) -> Vec<String> {
    let numbers: Option<Vec<f64>> = (0..taxonomy.n_leaves() as u32)
        .map(|leaf| Unit::Number.parse(taxonomy.leaf_label(leaf)))
        .collect();
    let Some(numbers) = numbers else {
        return Vec::new();
    };
    let mut ordered = numbers.clone();
    ordered.sort_by(f64::total_cmp);
    let inner = (1..taxonomy.n_nodes() as Node).filter(|&node| !taxonomy.is_leaf(node));
    let doubts = inner.filter_map(|node| {
        let leaves = taxonomy.leaves(node);
        let inside = &numbers[leaves.start as usize..leaves.end as usize];
        let label = taxonomy.label(node);
        let band = Band::parse(label);
        let outside = inside
            .iter()
            .filter(|&&number| band.as_ref().is_some_and(|band| !band.contains(number)));
        match outside.count() {
            0 if has_gap(inside, &ordered) => Some(format!(
                "`{label}` has a gap: a number of another group lies inside"
            )),
            0 => None,
            1 => Some(format!("`{label}` has a value below it that lies outside")),
            many => Some(format!(
                "`{label}` has {many} values below it that lie outside"
            )),
        }
    });
    doubts.collect()
}

/// Whether there are more numbers between the least and the greatest than these.
fn has_gap(inside: &[f64], ordered: &[f64]) -> bool {
    let low = inside.iter().copied().fold(f64::INFINITY, f64::min);
    let high = inside.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let between = ordered
        .iter()
        .filter(|&&number| (low..=high).contains(&number));
    between.count() > inside.len()
}
