//! Noise that keeps a promise: exact samplers and private selection.
//!
//! A proof of differential privacy speaks about an exact distribution. A sampler that works in floating point has
//! another one, and the difference has been used to read the private value off the low digits of the noisy one
//! (Mironov 2012). Everything here computes with integers, takes parameters that are exact [`Fraction`]s, and
//! returns integers whose distribution is exactly the stated one, provided that the bits below are fair and
//! independent.
//!
//! - [`PrivateRandom`] is the one place where randomness for privacy comes from.
//! - [`Bernoulli`] and [`BernoulliExp`] are the coins that the rest is made of.
//! - [`Geometric`], [`DiscreteLaplace`] and [`DiscreteGaussian`] are noise for counts and sums; [`Binomial`] and
//!   [`DiscreteLaplace::how_many_reach`] count successes without a draw for each trial.
//! - [`exponential_mechanism`] and [`permute_and_flip`] choose one of several candidates by integer scores.
//!
//! Each file says what its samplers return, why that is so, and how many random bits it takes.
//!
//! **Two widths.** Samplers run on `u128` while every number fits, and on big integers otherwise; which one is seen
//! from the parameters, and a step that would overflow is done on big integers with the bits already drawn. Starting
//! again instead would make outcomes that overflow rarer than they should be. Both widths run the same generic code
//! and read the same bits in the same order, so they give the same answer from the same bits.
//!
//! **Big integers** are those of `dashu-int`: pure Rust, and numbers of up to 128 bits, which is nearly every result
//! here, take no allocation; `num-bigint` makes one for each. It has no part that works with floating point.
//!
//! **Out of scope:** time. The number of steps depends on the bits drawn and, in a selection, on the scores; whoever
//! can measure how long a release took may learn from it. So are memory, power and other side channels.
//!
//! ```
//! use pleiad::privacy::noise::{DiscreteLaplace, Fraction, PrivateRandom};
//!
//! let mut random = PrivateRandom::new()?;
//! // A count changes by at most 1 with one person; with ε = 1/10 the scale is 10.
//! let noise = DiscreteLaplace::with_scale(&Fraction::new(10_u32, 1_u32)?)?;
//! let noisy_count = noise.add_to(4_711, &mut random);
//! # let _ = noisy_count;
//! # Ok::<(), pleiad::Error>(())
//! ```

mod bernoulli;
mod binomial;
mod entropy;
mod fraction;
mod gaussian;
mod laplace;
mod natural;
mod selection;
mod tail;

#[cfg(test)]
mod tests;

pub use bernoulli::{Bernoulli, BernoulliExp};
pub use binomial::Binomial;
pub use dashu_int::{IBig, UBig};
pub use entropy::PrivateRandom;
pub use fraction::Fraction;
pub use gaussian::DiscreteGaussian;
pub use laplace::{DiscreteLaplace, Geometric};
pub use natural::uniform_below;
pub use selection::{exponential_mechanism, permute_and_flip};

/// The sum of a private integer and its noise, moved to the nearest end of `i128` if it lies outside.
///
/// The sum is computed exactly first. Moving it then is a function of the noisy value alone, so that it costs no
/// privacy, and there is no overflow for a caller to meet.
fn clamped_sum(value: i128, noise: IBig) -> i128 {
    let sum = noise + value;
    let end = if sum < IBig::ZERO {
        i128::MIN
    } else {
        i128::MAX
    };
    i128::try_from(sum).unwrap_or(end)
}
