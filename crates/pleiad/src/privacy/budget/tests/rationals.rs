//! Exact numbers in text.

use proptest::prelude::*;

use super::super::{Delta, Positive, Rational};
use super::{any_rational, rational};

#[test]
fn text_is_read_exactly() {
    for (text, numerator, denominator) in [
        ("0.1", 1_u64, 10_u64),
        ("1/3", 1, 3),
        ("2/6", 1, 3),
        ("1e-6", 1, 1_000_000),
        ("2.50E+1", 25, 1),
        ("0", 0, 1),
        ("007", 7, 1),
        ("0.000", 0, 1),
        (
            "0.30000000000000004",
            7_500_000_000_000_001,
            25_000_000_000_000_000,
        ),
    ] {
        assert_eq!(
            rational(text),
            Rational::new(numerator, denominator).unwrap(),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_amount_is_refused() {
    for text in [
        "",
        "-1",
        "-0",
        "+1",
        "nan",
        "NaN",
        "inf",
        "∞",
        " 1",
        "1 ",
        "1_000",
        "1,5",
        ".5",
        "5.",
        "1.2.3",
        "1e",
        "e5",
        "1e5.5",
        "1e--5",
        "1/0",
        "0/0",
        "1/",
        "/2",
        "1/2/3",
        "1/-2",
        "0.5/2",
        "0x10",
        "1e1001",
        "1e-1001",
        "1e99999999999999999999",
        "١",
        "1\0",
    ] {
        assert!(text.parse::<Rational>().is_err(), "{text:?}");
    }
    let long = format!("0.{}1", "0".repeat(4_000));
    assert!(long.parse::<Rational>().is_err());
    assert!("0".parse::<Positive>().is_err());
    assert!("0".parse::<Delta>().is_err());
    assert!("1".parse::<Delta>().is_err());
    assert!(Rational::new(1_u8, 0_u8).is_err());
}

#[test]
fn decimals_stay_decimals_and_thirds_stay_fractions() {
    for text in ["0", "2", "0.1", "0.000001", "12.5", "1/3", "22/7", "10"] {
        assert_eq!(rational(text).to_string(), text);
    }
    assert_eq!(
        rational("1e-40").to_string(),
        format!("1/1{}", "0".repeat(40))
    );
}

#[test]
fn json_holds_text_and_no_floats() {
    assert_eq!(serde_json::to_string(&rational("1e-1")).unwrap(), "\"0.1\"");
    assert!(serde_json::from_str::<Rational>("0.1").is_err());
    assert!(serde_json::from_str::<Rational>("\"-0.1\"").is_err());
}

proptest! {
    #[test]
    fn text_is_read_back_as_it_was(amount in any_rational()) {
        prop_assert_eq!(&amount, &amount.to_string().parse().unwrap());
        let json = serde_json::to_string(&amount).unwrap();
        prop_assert_eq!(&amount, &serde_json::from_str(&json).unwrap());
    }

    #[test]
    fn any_text_is_a_number_or_an_error(text in "[-+0-9./eE]{0,12}") {
        if let Ok(amount) = text.parse::<Rational>() {
            prop_assert!(amount >= Rational::ZERO);
        }
    }

    #[test]
    fn differences_are_never_negative(a in any_rational(), b in any_rational()) {
        match a.checked_sub(&b) {
            Some(difference) => prop_assert_eq!(difference + b, a),
            None => prop_assert!(a < b),
        }
    }

    #[test]
    fn rounding_knows_its_direction(amount in any_rational(), decimals in 0_usize..20) {
        let (down, up) = (amount.rounded_down(decimals), amount.rounded_up(decimals));
        prop_assert!(down <= amount && amount <= up);
        let unit = format!("1e-{decimals}").parse().unwrap();
        prop_assert!(up.checked_sub(&down).unwrap() <= unit);
        prop_assert_eq!(down.rounded_up(decimals), down);
    }
}
