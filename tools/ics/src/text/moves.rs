//! Answers to `moves`: the moves of a game with their times.

use super::game::reason_and_result;
use super::line::ServerLine;
use super::line::{ListedMove, MoveList};
use super::words::{Parsed, blanks, elapsed, name, number, parenthesis, whole};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::char;
use nom::combinator::{map, opt, rest, verify};
use nom::sequence::{delimited, preceded, terminated};

/// Indent of the last line. Stored messages of users are indented by four blanks.
const END_INDENT: &str = "      ";

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    whole(
        delimited(tag("Movelist for game "), number, char(':')),
        line,
    )
    .map(|game| MoveList::Start { game })
    .or_else(|| whole(players, line))
    .or_else(|| whole(moves, line))
    .or_else(|| whole(preceded(tag(END_INDENT), end), line))
    .map(ServerLine::MoveList)
}

/// `Rabbit (1445) vs. Gaur (UNR) --- Wed Apr 17, 03:02 UTC 2013`
fn players(input: &str) -> Parsed<'_, MoveList> {
    let (input, (white, _, _)) = (name, char(' '), parenthesis).parse(input)?;
    let (input, (_, black, _, _)) = (tag(" vs. "), name, char(' '), parenthesis).parse(input)?;
    let (input, _) = (tag(" --- "), rest).parse(input)?;
    let players = MoveList::Players {
        white: white.to_string(),
        black: black.to_string(),
    };
    Ok((input, players))
}

/// `  1.  e4      (0:00.000)     e5      (0:00.000)`
fn moves(input: &str) -> Parsed<'_, MoveList> {
    let (input, number) =
        delimited(opt(alt((tag("  "), tag(" ")))), number, (char('.'), blanks)).parse(input)?;
    let (input, white) = half(input)?;
    let (input, black) = opt(preceded(blanks, half)).parse(input)?;
    let moves = MoveList::Moves {
        number,
        white,
        black: black.flatten(),
    };
    Ok((input, moves))
}

/// Move with its time; `None` for the dots in place of a move that was not made.
fn half(input: &str) -> Parsed<'_, Option<ListedMove>> {
    if let Ok((rest, _)) = tag::<_, _, nom::error::Error<&str>>("...").parse(input) {
        let (rest, _) = opt((blanks, elapsed)).parse(rest)?;
        return Ok((rest, None));
    }
    map(
        (
            terminated(take_till1(|c| c == ' ' || c == '('), blanks),
            elapsed,
        ),
        |(san, (time, _)): (&str, _)| {
            Some(ListedMove {
                san: san.to_string(),
                time,
            })
        },
    )
    .parse(input)
}

/// `{Still in progress} *`
fn end(input: &str) -> Parsed<'_, MoveList> {
    let end = verify(reason_and_result, |(reason, _)| !reason.contains(" vs. "));
    map(preceded(char('{'), end), |(reason, result)| MoveList::End {
        reason: reason.to_string(),
        result,
    })
    .parse(input)
}
