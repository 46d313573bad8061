//! Noisy counts made fit to be counts: not below 0, and adding up.

/// The nearest point that has no negative coordinate and adds up to `total`, in the Euclidean sense.
///
/// Everything is lowered (or raised) by the same amount, and what would fall below 0 stays there. The amount follows
/// from the largest coordinates: those that stay above it.
pub(super) fn project(noisy: &[f64], total: f64) -> Vec<f64> {
    let mut sorted = noisy.to_vec();
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut amount = 0.0;
    for (rank, value) in sorted.iter().enumerate() {
        sum += value;
        let lowered_by = (sum - total) / (rank + 1) as f64;
        if rank > 0 && *value <= lowered_by {
            break;
        }
        amount = lowered_by;
    }
    noisy
        .iter()
        .map(|value| (value - amount).max(0.0))
        .collect()
}

/// The same shares in an exact sum of 1; equal ones where nothing is above 0. Nothing at all stays nothing.
pub(super) fn normalised(mut shares: Vec<f64>) -> Vec<f64> {
    let sum: f64 = shares.iter().sum();
    let n_shares = shares.len() as f64;
    for share in &mut shares {
        *share = if sum > 0.0 {
            *share / sum
        } else {
            1.0 / n_shares
        };
    }
    shares
}

/// Whole numbers that add up to `total` and are as near to the shares' parts of it as whole numbers can be: rounded
/// down, and one more for the largest remainders, the first of equals.
pub(super) fn apportioned(shares: &[f64], total: u64) -> Vec<u64> {
    let sum: f64 = shares.iter().sum();
    if shares.is_empty() || sum <= 0.0 {
        return vec![0; shares.len()];
    }
    let parts: Vec<f64> = shares
        .iter()
        .map(|share| share / sum * total as f64)
        .collect();
    let mut whole: Vec<u64> = parts.iter().map(|part| *part as u64).collect();
    let given: u64 = whole.iter().sum();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| parts[b].fract().total_cmp(&parts[a].fract()));
    // Rounding of floats can have given a few too many or leave more than one each, when the total is astronomic.
    let mut left = total.saturating_sub(given);
    for &at in order.iter().cycle() {
        if left == 0 {
            break;
        }
        whole[at] += 1;
        left -= 1;
    }
    let mut excess = whole.iter().sum::<u64>().saturating_sub(total);
    for &at in order.iter().rev().cycle() {
        if excess == 0 {
            break;
        }
        let taken = u64::from(whole[at] > 0);
        whole[at] -= taken;
        excess -= taken;
    }
    whole
}
