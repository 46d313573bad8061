//! Information gain from counts per class.

/// Counts of rows per class, value after value.
#[derive(Debug, Clone)]
pub(super) struct ClassCounts {
    n_classes: usize,
    counts: Vec<u64>,
}

impl ClassCounts {
    pub(super) fn zero(n_values: usize, n_classes: usize) -> Self {
        Self {
            n_classes,
            counts: vec![0; n_values * n_classes],
        }
    }

    /// Counts of coded rows.
    pub(super) fn of_rows(
        codes: &[u32],
        labels: &[u32],
        n_values: usize,
        n_classes: usize,
    ) -> Self {
        let mut all = Self::zero(n_values, n_classes);
        for (&code, &label) in codes.iter().zip(labels) {
            all.counts[code as usize * n_classes + label as usize] += 1;
        }
        all
    }

    pub(super) fn of(&self, value: usize) -> &[u64] {
        &self.counts[value * self.n_classes..(value + 1) * self.n_classes]
    }

    /// Adds the rows of a value to another table's value.
    pub(super) fn add(&mut self, value: usize, rows: &[u64]) {
        for (count, row) in self.counts[value * self.n_classes..].iter_mut().zip(rows) {
            *count += row;
        }
    }

    /// The rows of several values together.
    pub(super) fn sum(&self, values: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut sum = Self::zero(1, self.n_classes);
        for value in values {
            sum.add(0, self.of(value));
        }
        sum.counts
    }

    pub(super) fn n_values(&self) -> usize {
        self.counts.len() / self.n_classes
    }

    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }
}

/// Number of rows of all classes.
pub(super) fn n_rows(counts: &[u64]) -> u64 {
    counts.iter().sum()
}

/// Parts of a bit in which information is counted. Whole numbers add up to the same in any order, so candidates that
/// tell the same tie, whatever the order of their parts.
const PARTS_OF_A_BIT: f64 = (1_u64 << 32) as f64;

fn n_log_n(n: u64) -> i128 {
    if n < 2 {
        return 0;
    }
    (n as f64 * (n as f64).log2() * PARTS_OF_A_BIT) as i128
}

/// n · entropy of a group: what all its rows together leave unknown about their class.
fn unknown(counts: &[u64]) -> i128 {
    let of_classes = counts.iter().copied().map(n_log_n);
    n_log_n(n_rows(counts)) - of_classes.sum::<i128>()
}

fn per_row(told: i128, n_rows: u64) -> f64 {
    let gain = told as f64 / PARTS_OF_A_BIT / n_rows as f64;
    // Below a billionth of a bit it is rounding: such candidates tie at nothing.
    if gain < 1e-9 { 0.0 } else { gain }
}

/// How much a split into parts tells about the class of a row, in bits; never below 0.
pub(super) fn information_gain<'c>(whole: &[u64], parts: impl Iterator<Item = &'c [u64]>) -> f64 {
    match n_rows(whole) {
        0 => 0.0,
        n => per_row(unknown(whole) - parts.map(unknown).sum::<i128>(), n),
    }
}

/// Part of a line of values that is being cut in two.
struct Side {
    counts: Vec<u64>,
    n_rows: u64,
    n_log_n_of_classes: i128,
}

impl Side {
    fn of(counts: Vec<u64>) -> Self {
        let of_classes = counts.iter().copied().map(n_log_n);
        Self {
            n_rows: n_rows(&counts),
            n_log_n_of_classes: of_classes.sum(),
            counts,
        }
    }

    fn set(&mut self, class: usize, count: u64) {
        let old = std::mem::replace(&mut self.counts[class], count);
        self.n_rows = self.n_rows - old + count;
        self.n_log_n_of_classes += n_log_n(count) - n_log_n(old);
    }

    fn unknown(&self) -> i128 {
        n_log_n(self.n_rows) - self.n_log_n_of_classes
    }
}

/// The gain of cutting the values from `first` to `last` in two, for each value but the first that the right part
/// could begin with. Same as [`information_gain`], brought forward from value to value.
pub(super) fn split_gains(
    counts: &ClassCounts,
    first: u32,
    last: u32,
) -> impl Iterator<Item = (u32, f64)> {
    let mut left = Side::of(vec![0; counts.n_classes]);
    let mut right = Side::of(counts.sum(first as usize..=last as usize));
    let (whole, n_rows) = (right.unknown(), right.n_rows);
    (first + 1..=last).map(move |begin| {
        for (class, &moved) in counts.of(begin as usize - 1).iter().enumerate() {
            if moved > 0 {
                left.set(class, left.counts[class] + moved);
                right.set(class, right.counts[class] - moved);
            }
        }
        (
            begin,
            per_row(whole - left.unknown() - right.unknown(), n_rows),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_first_scores() {
        // Table 1 of the paper: 21 rows of class 1, 13 of class 2; Age at 37 leaves [2, 10] and [19, 3].
        let gain = information_gain(&[21, 13], [&[2, 10][..], &[19, 3]].into_iter());
        // 34 people before, 12 after in the smaller of the two groups of {Gender, Age}.
        assert!(
            (gain / (22.0 + 1.0) - 0.01558).abs() < 5e-6,
            "{}",
            gain / 23.0
        );
    }

    #[test]
    fn cutting_a_line_gains_what_each_cut_gains() {
        let (codes, labels) = ([0, 0, 1, 2, 2, 2, 3, 5, 5], [0, 1, 0, 0, 1, 2, 2, 2, 1]);
        let counts = ClassCounts::of_rows(&codes, &labels, 6, 3);
        let gains: Vec<(u32, f64)> = split_gains(&counts, 1, 5).collect();
        assert_eq!(gains.len(), 4);
        for (begin, gain) in gains {
            let parts = [counts.sum(1..begin as usize), counts.sum(begin as usize..6)];
            let whole = counts.sum(1..6);
            let direct = information_gain(&whole, parts.iter().map(Vec::as_slice));
            assert_eq!(gain.to_bits(), direct.to_bits());
        }
    }

    #[test]
    fn the_order_of_parts_and_classes_does_not_matter() {
        let parts = [&[3, 1, 7][..], &[2, 2, 11], &[5, 0, 1], &[1, 1, 1]];
        let there = information_gain(&[11, 4, 20], parts.into_iter());
        let back = information_gain(&[11, 4, 20], parts.into_iter().rev());
        let turned = [&[7, 3, 1][..], &[11, 2, 2], &[1, 5, 0], &[1, 1, 1]];
        let turned = information_gain(&[20, 11, 4], turned.into_iter());
        assert_eq!(there.to_bits(), back.to_bits());
        assert_eq!(there.to_bits(), turned.to_bits());
    }

    #[test]
    fn a_split_that_tells_nothing_gains_nothing() {
        assert_eq!(
            information_gain(&[20, 10], [&[10, 5][..], &[10, 5]].into_iter()),
            0.0
        );
        assert_eq!(information_gain(&[0, 0], std::iter::empty()), 0.0);
        let everything = information_gain(&[8, 8], [&[8, 0][..], &[0, 8]].into_iter());
        assert!((everything - 1.0).abs() < 1e-12);
    }
}
