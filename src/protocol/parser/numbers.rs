//! Numbers as GUIs write them. Too large ones become the largest, so that nothing overflows.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{digit1, one_of};
use nom::combinator::{map, opt, recognize};

use super::arguments::Parsed;

/// The longest time that is told apart from longer ones: a year. "Infinite" on the wire is a day or less.
const LONGEST_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// A whole number without sign.
pub fn unsigned(input: &str) -> Parsed<'_, u64> {
    // Digits alone can only fail to parse by being too many.
    map(digit1, |digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(input)
}

/// A whole number with or without sign.
pub fn integer(input: &str) -> Parsed<'_, i64> {
    map((opt(one_of("+-")), unsigned), |(sign, size)| {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        if sign == Some('-') { -size } else { size }
    })
    .parse(input)
}

/// A number with or without sign, decimals and power of ten: `10`, `0.5`, `.5`, `-3`, `5e-05`. A comma is
/// taken for the decimal point that some locales make of it. May be infinite, never `NaN`.
pub fn decimal(input: &str) -> Parsed<'_, f64> {
    let digits = alt((
        // Not `digit0`: in nom 8.0 its rest, when empty, is no longer a part of the input, and `recognize`
        // measures by it.
        recognize((digit1, opt((one_of(".,"), opt(digit1))))),
        recognize((one_of(".,"), digit1)),
    ));
    let power = (one_of("eE"), opt(one_of("+-")), digit1);
    map(
        recognize((opt(one_of("+-")), digits, opt(power))),
        |number: &str| {
            // What the grammar lets through is always a number to Rust.
            number.replace(',', ".").parse().unwrap_or(0.0)
        },
    )
    .parse(input)
}

/// Seconds as a time of whole milliseconds: negative ones and `NaN` are 0, huge ones a year.
pub fn seconds(seconds: f64) -> Duration {
    // A NaN is not above 0.
    let bounded = if seconds > 0.0 {
        seconds.min(LONGEST_SECONDS)
    } else {
        0.0
    };
    Duration::from_millis((bounded * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_stop_at_the_ends_of_their_range() {
        assert_eq!(unsigned("12x"), Ok(("x", 12)));
        assert_eq!(unsigned("99999999999999999999"), Ok(("", u64::MAX)));
        assert_eq!(integer("-99999999999999999999"), Ok(("", -i64::MAX)));
        assert_eq!(integer("+7"), Ok(("", 7)));
        assert!(unsigned("-1").is_err());
        assert!(integer("").is_err());
        assert!(integer("-").is_err());
    }

    #[test]
    fn decimals_come_in_many_forms() {
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
