//! `level`, `st`, `sd`, `time` and `otim`: minutes, seconds and centiseconds become `Duration`s.

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

/// `level MOVES BASE INCREMENT`: BASE in minutes or as minutes:seconds, INCREMENT in seconds, both perhaps
/// with decimals. 0 moves is the whole game; a missing increment is none. The protocol wants unexpected
/// characters after BASE ignored (`25+5` may announce the next session), and what follows INCREMENT.
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

/// `st SECONDS`, perhaps with decimals; `M:SS` is understood too. 0, which cutechess makes of half a
/// second, stays 0.
pub fn per_move(args: &str) -> Result<TimeControl, ParseError> {
    let limit = alt((with_colon, not_negative));
    whole(
        args,
        map(limit, |limit| TimeControl::PerMove(seconds(limit))),
    )
}

/// `sd DEPTH`: held within 1 and [`MAX_DEPTH`]. 0 cannot be meant as a limit, so it lifts it.
pub fn depth(args: &str) -> Result<Depth, ParseError> {
    match whole(args, integer)? {
        ..0 => Err(ParseError::BadArgument),
        0 => Ok(MAX_DEPTH),
        depth => Ok(Depth::try_from(depth).map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH))),
    }
}

/// `time CENTISECONDS`, `otim CENTISECONDS`: an overdrawn clock, which icsdrone passes on, is 0.
pub fn clock(args: &str) -> Result<Duration, ParseError> {
    Ok(seconds(whole(args, decimal)? / 100.0))
}

/// What `parser` reads, and the rest of the word after it dropped.
fn word<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
) -> impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>> {
    terminated(parser, take_till(char::is_whitespace))
}

fn not_negative(input: &str) -> Parsed<'_, f64> {
    verify(decimal, |number: &f64| number.is_sign_positive()).parse(input)
}

/// Minutes or minutes:seconds, in seconds.
fn minutes(input: &str) -> Parsed<'_, f64> {
    alt((with_colon, map(not_negative, |minutes| minutes * 60.0))).parse(input)
}

/// Minutes:seconds, in seconds. pychess does not pad: `1:5` is 65 seconds.
fn with_colon(input: &str) -> Parsed<'_, f64> {
    map(
        (not_negative, preceded(char(':'), opt(not_negative))),
        |(minutes, seconds)| minutes * 60.0 + seconds.unwrap_or(0.0),
    )
    .parse(input)
}
