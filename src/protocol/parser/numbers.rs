//! Numbers as GUIs write them. Numbers out of range are clamped, so that no calculation overflows.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{digit1, one_of};
use nom::combinator::{map, opt, recognize};

use super::arguments::Parsed;

/// Longest time in seconds: a year. GUIs send at most a day for an unlimited time.
const MAX_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// Parses an integer without sign.
pub fn unsigned(input: &str) -> Parsed<'_, u64> {
    // Digits fail to parse only if there are too many.
    map(digit1, |digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(input)
}

/// Parses an integer with or without sign.
pub fn integer(input: &str) -> Parsed<'_, i64> {
    map((opt(one_of("+-")), unsigned), |(sign, size)| {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        if sign == Some('-') { -size } else { size }
    })
    .parse(input)
}

/// Parses a number with optional sign, decimals and exponent: `10`, `0.5`, `.5`, `-3`, `5e-05`. A comma is a decimal
/// point, as in some locales. The result may be infinite, but never `NaN`.
pub fn decimal(input: &str) -> Parsed<'_, f64> {
    let digits = alt((
        // `digit0` does not work here: in nom 8.0 its empty rest is not a part of the input, which `recognize` needs.
        recognize((digit1, opt((one_of(".,"), opt(digit1))))),
        recognize((one_of(".,"), digit1)),
    ));
    let power = (one_of("eE"), opt(one_of("+-")), digit1);
    map(
        recognize((opt(one_of("+-")), digits, opt(power))),
        |number: &str| {
            // Everything that the grammar accepts is a number for Rust.
            number.replace(',', ".").parse().unwrap_or(0.0)
        },
    )
    .parse(input)
}

/// Converts seconds to a `Duration` of whole milliseconds. Negative numbers and `NaN` become 0; the maximum is a year.
pub fn seconds(seconds: f64) -> Duration {
    // This comparison is false for NaN.
    let bounded = if seconds > 0.0 {
        seconds.min(MAX_SECONDS)
    } else {
        0.0
    };
    Duration::from_millis((bounded * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_clamped_to_their_range() {
        assert_eq!(unsigned("12x"), Ok(("x", 12)));
        assert_eq!(unsigned("99999999999999999999"), Ok(("", u64::MAX)));
        assert_eq!(integer("-99999999999999999999"), Ok(("", -i64::MAX)));
        assert_eq!(integer("+7"), Ok(("", 7)));
        assert!(unsigned("-1").is_err());
        assert!(integer("").is_err());
        assert!(integer("-").is_err());
    }

    #[test]
    fn decimals_have_many_forms() {
        for (text, value) in [
            ("10", 10.0),
            ("10.0", 10.0),
            ("0.5", 0.5),
            ("0,5", 0.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("-3", -3.0),
            ("5e-05", 0.00005),
            ("1E3", 1000.0),
        ] {
            assert_eq!(decimal(text), Ok(("", value)), "{text}");
        }
        assert_eq!(decimal("25+5"), Ok(("+5", 25.0)));
        assert_eq!(decimal("5e"), Ok(("e", 5.0)));
        for nonsense in ["", "-", ".", "e5", "inf", "nan", "x"] {
            assert!(decimal(nonsense).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn seconds_never_overflow() {
        assert_eq!(seconds(0.1), Duration::from_millis(100));
        assert_eq!(seconds(-1.0), Duration::ZERO);
        assert_eq!(seconds(f64::NAN), Duration::ZERO);
        assert_eq!(seconds(f64::NEG_INFINITY), Duration::ZERO);
        assert_eq!(seconds(f64::INFINITY), Duration::from_secs(365 * 24 * 3600));
        assert_eq!(seconds(1e300), seconds(f64::INFINITY));
    }
}
