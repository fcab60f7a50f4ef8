//! Arguments of `level`, `st`, `sd`, `time` and `otim`. Minutes, seconds and centiseconds are converted to `Duration`.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, multispace1};
use nom::combinator::{eof, map, opt, rest, value, verify};
use nom::sequence::{preceded, terminated};

use crate::clock::TimeControl;
use crate::protocol::command::ParseError;
use crate::types::{Depth, MAX_DEPTH};

use super::arguments::{Parsed, whole};
use super::numbers::{decimal, integer, seconds, unsigned};

/// Parses `level MOVES BASE INCREMENT`: BASE in minutes or as minutes:seconds, INCREMENT in seconds, both with optional
/// decimals.
///
/// 0 moves means the whole game; a missing increment is 0. As the protocol demands, unexpected characters after BASE
/// (`25+5` may announce the next session) and after INCREMENT are ignored.
pub fn level(args: &str) -> Result<TimeControl, ParseError> {
    let moves = word(unsigned);
    let base = preceded(multispace1, word(minutes));
    let increment = preceded(multispace1, word(not_negative));
    let control = (moves, base, alt((value(0.0, eof), increment)), rest);
    whole(
        args,
        map(control, |(moves, base, increment, _)| TimeControl::Game {
            moves: match u32::try_from(moves) {
                Ok(0) => None,
                Ok(moves) => Some(moves),
                Err(_) => Some(u32::MAX),
            },
            base: seconds(base),
            increment: seconds(increment),
        }),
    )
}

/// Parses `st SECONDS`, with optional decimals, or `st M:SS`. 0 is valid: cutechess sends it for half a second.
pub fn per_move(args: &str) -> Result<TimeControl, ParseError> {
    let limit = alt((with_colon, not_negative));
    whole(
        args,
        map(limit, |limit| TimeControl::PerMove(seconds(limit))),
    )
}

/// Parses `sd DEPTH`, at most [`MAX_DEPTH`]. 0 removes the limit.
pub fn depth(args: &str) -> Result<Depth, ParseError> {
    match whole(args, integer)? {
        ..0 => Err(ParseError::BadArgument),
        0 => Ok(MAX_DEPTH),
        depth => Ok(Depth::try_from(depth).map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH))),
    }
}

/// Parses `time CENTISECONDS` and `otim CENTISECONDS`. A negative time, which icsdrone sends after the flag has fallen,
/// becomes 0.
pub fn clock(args: &str) -> Result<Duration, ParseError> {
    Ok(seconds(whole(args, decimal)? / 100.0))
}

/// Applies a parser to the beginning of a word and skips the rest of the word.
fn word<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
) -> impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>> {
    terminated(parser, take_till(char::is_whitespace))
}

fn not_negative(input: &str) -> Parsed<'_, f64> {
    verify(decimal, |number: &f64| number.is_sign_positive()).parse(input)
}

/// Parses minutes or minutes:seconds, and returns seconds.
fn minutes(input: &str) -> Parsed<'_, f64> {
    alt((with_colon, map(not_negative, |minutes| minutes * 60.0))).parse(input)
}

/// Parses minutes:seconds, and returns seconds. PyChess does not pad with zeros: `1:5` is 65 seconds.
fn with_colon(input: &str) -> Parsed<'_, f64> {
    map(
        (not_negative, preceded(char(':'), opt(not_negative))),
        |(minutes, seconds)| minutes * 60.0 + seconds.unwrap_or(0.0),
    )
    .parse(input)
}
