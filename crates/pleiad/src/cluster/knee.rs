//! Where a curve bends: the elbow of costs, and of distances between neighbours.

/// The value that lies farthest below the straight line from the first value to the last, the first of equals; nothing if
/// none does.
pub(super) fn knee(values: &[f64]) -> Option<usize> {
    let (first, last) = (values.first()?, values.last()?);
    let n_steps = values.len() as f64 - 1.0;
    let mut best = (0.0, None);
    for (at, value) in values.iter().enumerate() {
        let below = first + (last - first) * at as f64 / n_steps.max(1.0) - value;
        if below > best.0 {
            best = (below, Some(at));
        }
    }
    best.1
}
