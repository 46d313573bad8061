//! The two widths that samplers run on, and uniform numbers on both.
//!
//! # Uniform numbers
//! Let b be the number of bits of `bound` − 1. Draw b bits and read them as a number; while it is not below `bound`,
//! draw again.
//!
//! *Claim.* Each number below `bound` has probability 1/`bound`. *Reason.* One try gives each of the 2^b numbers of b
//! bits with the same probability, so given that the try is kept, each number below `bound` has the same one. Tries
//! are independent and a try is kept with probability `bound`/2^b > 1/2, so the loop ends with probability 1.
//! *Bits.* Fewer than 2b on average; none for `bound` = 1.
//!
//! The highest bits come first, in words of 64 after them, in both widths: so both read a stream of bits alike.

use std::num::NonZeroU128;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};

use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;

/// A non-negative integer that samplers compute with.
pub(super) trait Natural: Ord + Sized {
    /// One of the numbers below `bound`, each equally likely. The bound is above 0, as a denominator or a scale is.
    fn below(bound: &Self, random: &mut impl Bits) -> Self;

    /// Quotient and remainder by a number above 0.
    fn divided_by(&self, divisor: &Self) -> (Self, Self);

    /// Subtracts 1, or says that there is nothing left to subtract from.
    fn count_down(&mut self) -> bool;

    /// ⌊(`self` + `rounds` · `period`) / `divisor`⌋, exactly, however large.
    fn wound_up(self, rounds: u64, period: &Self, divisor: &Self) -> UBig;
}

impl Natural for u128 {
    #[inline]
    fn below(bound: &Self, random: &mut impl Bits) -> Self {
        let width = Self::BITS - (bound - 1).leading_zeros();
        loop {
            let drawn = if width <= 64 {
                Self::from(random.bits(width))
            } else {
                let high = random.bits(width - 64);
                Self::from(high) << 64 | Self::from(random.bits(64))
            };
            if drawn < *bound {
                return drawn;
            }
        }
    }

    fn divided_by(&self, divisor: &Self) -> (Self, Self) {
        (self / divisor, self % divisor)
    }

    fn count_down(&mut self) -> bool {
        let some = *self > 0;
        *self = self.saturating_sub(1);
        some
    }

    #[inline]
    fn wound_up(self, rounds: u64, period: &Self, divisor: &Self) -> UBig {
        let sum = period
            .checked_mul(Self::from(rounds))
            .and_then(|turns| turns.checked_add(self));
        match sum {
            Some(sum) if *divisor == 1 => UBig::from(sum),
            Some(sum) => UBig::from(sum / divisor),
            None => UBig::from(self).wound_up(rounds, &UBig::from(*period), &UBig::from(*divisor)),
        }
    }
}

impl Natural for UBig {
    fn below(bound: &Self, random: &mut impl Bits) -> Self {
        let width = (bound - Self::ONE).bit_len();
        let words = width.div_ceil(64);
        // The first word is the highest and holds what is left over from whole words.
        let highest = (width - 64 * words.saturating_sub(1)) as u32;
        let mut bytes = Vec::with_capacity(8 * words);
        loop {
            bytes.clear();
            for word in 0..words {
                let count = if word == 0 { highest } else { 64 };
                bytes.extend_from_slice(&random.bits(count).to_be_bytes());
            }
            let drawn = Self::from_be_bytes(&bytes);
            if drawn < *bound {
                return drawn;
            }
        }
    }

    fn divided_by(&self, divisor: &Self) -> (Self, Self) {
        self.div_rem(divisor)
    }

    fn count_down(&mut self) -> bool {
        let some = !self.is_zero();
        if some {
            *self -= Self::ONE;
        }
        some
    }

    fn wound_up(self, rounds: u64, period: &Self, divisor: &Self) -> UBig {
        (self + period * rounds) / divisor
    }
}

/// Numerator and denominator in the narrowest width that holds both.
#[derive(Clone, Debug)]
pub(super) enum Pair {
    /// Both fit.
    Narrow(u128, u128),
    /// One of them does not.
    Wide(UBig, UBig),
}

impl Pair {
    /// The pair of two integers.
    pub(super) fn new(numerator: &UBig, denominator: &UBig) -> Self {
        match (u128::try_from(numerator), u128::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Self::Narrow(numerator, denominator),
            _ => Self::Wide(numerator.clone(), denominator.clone()),
        }
    }

    /// The pair on big integers, whatever fits.
    #[cfg(test)]
    pub(super) fn widened(&self) -> Self {
        match self {
            Self::Narrow(numerator, denominator) => {
                Self::Wide(UBig::from(*numerator), UBig::from(*denominator))
            }
            Self::Wide(..) => self.clone(),
        }
    }
}

impl From<&Fraction> for Pair {
    fn from(fraction: &Fraction) -> Self {
        Self::new(fraction.numerator(), fraction.denominator())
    }
}

/// One of the numbers 0, …, `bound` − 1, each with probability 1/`bound`.
///
/// # Cost
/// Fewer than 2b random bits on average, b the number of bits of `bound` − 1.
pub fn uniform_below(bound: NonZeroU128, random: &mut PrivateRandom) -> u128 {
    u128::below(&bound.get(), random)
}
