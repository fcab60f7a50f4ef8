//! Parsers for names, numbers and other parts of lines.

use super::line::Rating;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n};
use nom::character::complete::{char, digit1, satisfy};
use nom::combinator::{all_consuming, map, map_opt, opt, recognize, value, verify};
use nom::sequence::{delimited, pair, terminated};
use nom::{IResult, Parser};
use std::str::FromStr;

/// Result of a parser: the rest of the line and a value.
pub(super) type Parsed<'a, T> = IResult<&'a str, T>;

/// Longest name of an account. FICS allows 17 letters, other servers more.
const MAX_NAME: usize = 40;

/// Parses the whole line with `parser`. Returns `None` if it does not match, or leaves a rest.
pub(super) fn whole<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
    line: &'a str,
) -> Option<T> {
    all_consuming(parser)
        .parse(line)
        .ok()
        .map(|(_, found)| found)
}

/// Name of an account: a letter, then letters, digits, hyphens and underscores.
pub(super) fn name(input: &str) -> Parsed<'_, &str> {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    verify(
        recognize(pair(
            satisfy(|c| c.is_ascii_alphabetic()),
            take_while(inner),
        )),
        |found: &str| found.len() <= MAX_NAME,
    )
    .parse(input)
}

/// Unsigned number that fits its type.
pub(super) fn number<T: FromStr>(input: &str) -> Parsed<'_, T> {
    map_opt(digit1, |digits: &str| digits.parse().ok()).parse(input)
}

/// Number that may have a minus sign.
pub(super) fn signed(input: &str) -> Parsed<'_, i64> {
    map_opt(recognize(pair(opt(char('-')), digit1)), |digits: &str| {
        digits.parse().ok()
    })
    .parse(input)
}

/// Text in parentheses without further parentheses.
pub(super) fn parenthesis(input: &str) -> Parsed<'_, &str> {
    delimited(
        char('('),
        take_while_m_n(1, 20, |c| c != '(' && c != ')'),
        char(')'),
    )
    .parse(input)
}

/// Rating in parentheses: a number, which may be marked as provisional or estimated, `++++` for a guest, or `----`
/// without rated games.
pub(super) fn rating(input: &str) -> Parsed<'_, Rating> {
    map_opt(parenthesis, |text| {
        let text = text.trim();
        match text {
            "++++" => Some(Rating::Guest),
            "----" | "UNR" | "NEW" => Some(Rating::Unrated),
            _ => text
                .trim_end_matches(['E', 'P'])
                .parse()
                .ok()
                .map(|rating: u32| match rating {
                    0 => Rating::Unrated,
                    _ => Rating::Known(rating),
                }),
        }
    })
    .parse(input)
}

/// `rated ` or `unrated `.
pub(super) fn rated_word(input: &str) -> Parsed<'_, bool> {
    alt((value(true, tag("rated ")), value(false, tag("unrated ")))).parse(input)
}

/// One or more blanks.
pub(super) fn blanks(input: &str) -> Parsed<'_, &str> {
    take_while_m_n(1, usize::MAX, |c| c == ' ').parse(input)
}

/// Quoted name: `"Rabbit"`.
pub(super) fn quoted_name(input: &str) -> Parsed<'_, &str> {
    delimited(char('"'), name, char('"')).parse(input)
}

/// Name as some servers write it in refusals: `Rabbit` or `Player "Rabbit"`.
pub(super) fn player_name(input: &str) -> Parsed<'_, &str> {
    alt((
        map((tag("Player "), quoted_name), |(_, name)| name),
        quoted_name,
        name,
    ))
    .parse(input)
}

/// Elapsed time in parentheses, such as `(1:05)`, `(0:01.234)` or `(1:02:03)`, and whether it has decimals.
pub(super) fn elapsed(input: &str) -> Parsed<'_, (std::time::Duration, bool)> {
    map_opt(parenthesis, clock).parse(input)
}

fn clock(text: &str) -> Option<(std::time::Duration, bool)> {
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text, None),
    };
    let mut seconds: u64 = 0;
    for part in whole.split(':') {
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let millis: u64 = match decimals {
        None => 0,
        Some(digits)
            if (1..=3).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            format!("{digits:0<3}").parse().ok()?
        }
        Some(_) => return None,
    };
    let total = seconds.checked_mul(1000)?.checked_add(millis)?;
    Some((std::time::Duration::from_millis(total), decimals.is_some()))
}

/// Name followed by a fixed text that ends the line.
pub(super) fn name_then<'a>(line: &'a str, rest: &'static str) -> Option<&'a str> {
    whole(terminated(name, tag(rest)), line)
}

/// Name between two fixed texts that are the whole line.
pub(super) fn name_between<'a>(
    line: &'a str,
    before: &'static str,
    after: &'static str,
) -> Option<&'a str> {
    whole(delimited(tag(before), name, tag(after)), line)
}
