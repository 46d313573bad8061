//! How all people spread over a column of numbers, and what that says about people of whom only the mean is known.
//!
//! A group of the linear block publishes means. Rows need more than a mean: within a group a column has the shape that
//! it has in the whole table, cut to what is possible and moved until the mean is right. (Tilting the shape, every share
//! times exp(t·x), would reach the mean too, but by people at the far end of a long range: a little noise of a mean
//! made clusters of its own there.)
//!
//! # Privacy
//! A person adds 1 to one bin of the histogram; the rest works on its noisy counts.

use super::axis::{Atom, NumberAxis};
use super::noise::Noise;
use super::params::Mosaic;
use super::project::normalised;
use super::region::Region;
use super::rows::weight_of;
use super::sums::numbers;
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Question, Rational};
use crate::privacy::noise::PrivateRandom;
use crate::table::{Table, with_codes};

/// What a piece of a smooth histogram costs, in variances of a bin: twice the logarithm of about as many bins as there
/// are, so that the largest of that much noise does not pay for a piece.
const PRICE: f64 = 10.0;

/// How all people spread over a column of the linear block.
pub(super) struct MeasureMarginal<'a> {
    mosaic: &'a Mosaic,
    column: usize,
    noise: Noise,
    random: &'a mut PrivateRandom,
}

impl<'a> MeasureMarginal<'a> {
    pub(super) fn new(
        mosaic: &'a Mosaic,
        column: usize,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        Ok(Self {
            mosaic,
            column,
            noise: Noise::new(1, epsilon)?,
            random,
        })
    }
}

impl Question for MeasureMarginal<'_> {
    type Relation = AddRemove;
    type Answer = Vec<i64>;

    fn what(&self) -> String {
        let name = &self.mosaic.fields[self.column].name;
        format!("how `{name}` spreads in the whole table")
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> Vec<i64> {
        marginal(rows, self.column, numbers(self.mosaic, self.column))
            .into_iter()
            .map(|people| self.noise.add_to(people, self.random))
            .collect()
    }
}

/// The exact histogram of a column over its bins.
pub(super) fn marginal(table: &Table, column: usize, axis: &NumberAxis) -> Vec<u128> {
    let mut people = vec![0_u128; axis.n_bins()];
    let weight_of = weight_of(table);
    with_codes!(table.columns()[column].codes(), codes => {
        for (row, &code) in codes.iter().enumerate() {
            people[axis.atom(u32::from(code)) as usize] += u128::from(weight_of(row));
        }
    });
    people
}

/// Noisy counts of neighbouring bins made smooth where they are nothing but noise.
///
/// The range is halved again and again, and of all such pieces those are taken that fit the counts best (least
/// squares): a piece is even, at the price of [`PRICE`] times the variance of a bin, or empty, at no price. So a long
/// tail where nobody seems to be stays empty, however many bins of it have noise above 0; spread over it, their noise
/// would look like people far away from all others.
pub(super) fn smoothed(noisy: &[i64], variance: f64, total: f64) -> Vec<f64> {
    let noisy: Vec<f64> = noisy.iter().map(|&count| count as f64).collect();
    let smooth = best_pieces(&noisy, PRICE * variance).0;
    let sum: f64 = smooth.iter().sum();
    if sum > 0.0 {
        smooth.iter().map(|count| count / sum * total).collect()
    } else {
        vec![total / noisy.len() as f64; noisy.len()]
    }
}

/// The best pieces of a range of counts, and what they cost.
fn best_pieces(noisy: &[f64], price: f64) -> (Vec<f64>, f64) {
    let squares: f64 = noisy.iter().map(|count| count * count).sum();
    let mean = noisy.iter().sum::<f64>() / noisy.len() as f64;
    let fits = mean.max(0.0).powi(2) * noisy.len() as f64;
    let whole = if fits > price {
        (vec![mean; noisy.len()], squares - fits + price)
    } else {
        (vec![0.0; noisy.len()], squares)
    };
    if noisy.len() == 1 {
        return whole;
    }
    let (first, second) = noisy.split_at(noisy.len() / 2);
    let [first, second] = [first, second].map(|half| best_pieces(half, price));
    if first.1 + second.1 < whole.1 {
        ([first.0, second.0].concat(), first.1 + second.1)
    } else {
        whole
    }
}

/// The shape of the whole table within a region, moved until it has a mean; shares of bins.
pub(super) fn moved(
    axis: &NumberAxis,
    whole: &[f64],
    region: &Region,
    mean: f64,
) -> Vec<(Atom, f64)> {
    let bins: Vec<Atom> = region.atoms().collect();
    let middles: Vec<f64> = bins.iter().map(|&bin| axis.middle(bin)).collect();
    let (Some(&least), Some(&most)) = (middles.first(), middles.last()) else {
        return Vec::new();
    };
    let shape = normalised(bins.iter().map(|&bin| whole[bin as usize]).collect());
    let place_after = |middle: f64, by: f64| (middle + by).clamp(least, most);
    let mean_after = |by: f64| -> f64 {
        let places = middles.iter().map(|&middle| place_after(middle, by));
        places.zip(&shape).map(|(place, share)| place * share).sum()
    };
    let (mut low, mut high) = (least - most, most - least);
    for _ in 0..60 {
        let by = f64::midpoint(low, high);
        if mean_after(by) < mean {
            low = by;
        } else {
            high = by;
        }
    }
    let by = f64::midpoint(low, high);
    // A place between two middles is shared by both bins, so that the mean stays.
    let mut shares = vec![0.0; bins.len()];
    for (&middle, share) in middles.iter().zip(&shape) {
        let place = place_after(middle, by);
        let above = middles.partition_point(|&other| other <= place);
        let (before, after) = (above.saturating_sub(1), above.min(middles.len() - 1));
        let gap = middles[after] - middles[before];
        let of_after = if gap > 0.0 {
            (place - middles[before]) / gap
        } else {
            0.0
        };
        shares[before] += share * (1.0 - of_after);
        shares[after] += share * of_after;
    }
    bins.into_iter().zip(shares).collect()
}

/// The mean of shares of bins, as a place.
pub(super) fn mean_place(axis: &NumberAxis, shares: &[(Atom, f64)]) -> f64 {
    let (sum, weighted) = shares
        .iter()
        .fold((0.0, 0.0), |(sum, weighted), (bin, share)| {
            (sum + share, weighted + share * axis.middle(*bin))
        });
    if sum > 0.0 {
        weighted / sum
    } else {
        f64::from(axis.interval.last()) / 2.0
    }
}
