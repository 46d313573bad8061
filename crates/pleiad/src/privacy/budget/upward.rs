//! Bounds from above for a logarithm and a square root, by integer arithmetic.
//!
//! Numbers are integers in units of 2^−bits, and every division rounds up. All terms are positive, so the result is
//! never less than the true value; it is more by a few dozen units at most.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem, SquareRoot};

/// The quotient, rounded up.
fn ceil_div(dividend: UBig, divisor: &UBig) -> UBig {
    let (quotient, remainder) = dividend.div_rem(divisor);
    if remainder.is_zero() {
        quotient
    } else {
        quotient + UBig::ONE
    }
}

/// At least artanh(numerator / denominator), for a quotient between 0 and 1/3.
///
/// The series is Σ t^(2i+1) / (2i+1). Each power is at most a ninth of the one before, so what follows a power of at
/// most one unit is less than one unit together.
fn artanh(numerator: &UBig, denominator: &UBig, bits: usize) -> UBig {
    if numerator.is_zero() {
        return UBig::ZERO;
    }
    let square = ceil_div(numerator.sqr() << bits, &denominator.sqr());
    let unit = UBig::ONE << bits;
    let mut power = ceil_div(numerator << bits, denominator);
    let mut sum = power.clone();
    let mut odd = UBig::ONE;
    while power > UBig::ONE {
        odd += 2_u8;
        power = ceil_div(power * &square, &unit);
        sum += ceil_div(power.clone(), &odd);
    }
    sum + UBig::ONE
}

/// At least ln(numerator / denominator) in units of 2^−bits, for a quotient of 1 or more.
///
/// The quotient is 2^k · m with m between 1 and 2, and ln m = 2 artanh((m − 1)/(m + 1)).
pub(super) fn ln(numerator: &UBig, denominator: &UBig, bits: usize) -> UBig {
    debug_assert!(numerator >= denominator, "logarithms are not negative here");
    let mut halvings = numerator.bit_len() - denominator.bit_len();
    if denominator << halvings > *numerator {
        halvings -= 1;
    }
    let denominator = denominator << halvings;
    let of_rest = artanh(
        &(numerator - &denominator),
        &(numerator + &denominator),
        bits,
    );
    let of_two = artanh(&UBig::ONE, &UBig::from(3_u8), bits);
    (of_rest + of_two * UBig::from(halvings)) << 1
}

/// The smallest integer whose square is not less.
pub(super) fn root(square: &UBig) -> UBig {
    let root = square.sqrt();
    if root.sqr() == *square {
        root
    } else {
        root + UBig::ONE
    }
}
