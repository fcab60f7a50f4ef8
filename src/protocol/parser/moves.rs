//! What looks like a move. What it means only the position can tell, so moves leave as text.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::one_of;
use nom::combinator::{all_consuming, opt, recognize, value};

use crate::protocol::command::{ParseError, RootMoves};

use super::{Parsed, text};

/// No spelling of a move is longer (`Qa1xa2=Q+!?` has eleven).
const LONGEST_MOVE: usize = 12;

/// The argument of `exclude` and `include`.
pub fn root_moves(args: &str) -> Result<RootMoves, ParseError> {
    Ok(if args == "all" {
        RootMoves::All
    } else {
        RootMoves::One(text(args)?)
    })
}

/// Whether a word without `usermove` before it can be a move: coordinates, SAN, castling, a drop or the
/// null move `@@@@`, with or without marks such as `+` behind it. It need not be a possible one.
pub fn has_shape_of_move(word: &str) -> bool {
    if word.len() > LONGEST_MOVE {
        return false;
    }
    let body = alt((
        castling,
        value((), tag("@@@@")),
        drop,
        from_to,
        piece_to,
        pawn_to,
    ));
    let marks = take_while(|c| matches!(c, '+' | '#' | '!' | '?'));
    all_consuming((body, marks)).parse(word).is_ok()
}

fn file(input: &str) -> Parsed<'_, char> {
    one_of("abcdefgh").parse(input)
}

fn rank(input: &str) -> Parsed<'_, char> {
    one_of("12345678").parse(input)
}

fn square(input: &str) -> Parsed<'_, &str> {
    recognize((file, rank)).parse(input)
}

fn piece(input: &str) -> Parsed<'_, char> {
    one_of("PNBRQK").parse(input)
}

/// `x`, `:` or `-` between the squares.
fn separator(input: &str) -> Parsed<'_, char> {
    one_of("x:-").parse(input)
}

/// `q`, `Q`, `=q`, `=Q`, and so on.
fn promotion(input: &str) -> Parsed<'_, ()> {
    value((), (opt(one_of("=/")), one_of("nbrqkNBRQK"))).parse(input)
}

/// `O-O` and `O-O-O`, also with small letters or zeros, as GNU Chess once wrote them.
fn castling(input: &str) -> Parsed<'_, ()> {
    let long = alt((tag("O-O-O"), tag("o-o-o"), tag("0-0-0")));
    let short = alt((tag("O-O"), tag("o-o"), tag("0-0")));
    value((), alt((long, short))).parse(input)
}

/// `N@e4`.
fn drop(input: &str) -> Parsed<'_, ()> {
    value((), (one_of("PNBRQpnbrq"), tag("@"), square)).parse(input)
}

/// `e2e4`, `e7e8q`, `e2-e4`, `Ng1f3`, `Ng1xf3`.
fn from_to(input: &str) -> Parsed<'_, ()> {
    value(
        (),
        (opt(piece), square, opt(separator), square, opt(promotion)),
    )
    .parse(input)
}

/// `Nf3`, `Nxf3`, `Nbd2`, `R1a3`.
fn piece_to(input: &str) -> Parsed<'_, ()> {
    let origin = alt((
        // A file that belongs to the target must not be eaten as origin: look for the whole first.
        value((), (file, opt(separator), square)),
        value((), (rank, opt(separator), square)),
        value((), (opt(separator), square)),
    ));
    value((), (piece, origin)).parse(input)
}

/// `e4`, `exd5`, `ed5`, `e8=Q`, `exd8=Q`.
fn pawn_to(input: &str) -> Parsed<'_, ()> {
    let target = alt((value((), (file, opt(separator), square)), value((), square)));
    value((), (target, opt(promotion))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_look_like_moves() {
        for word in [
            "e2e4", "e7e8q", "e7e8Q", "e7e8=q", "e2-e4", "e1g1", "e4", "exd5", "ed5", "e8=Q",
            "e8Q", "exd8=Q+", "Nf3", "Nxf3", "Nbd2", "Nbxd2", "R1a3", "R1xa3", "Qa1b2", "Qa1xb2#",
            "Ng1-f3", "O-O", "O-O-O", "0-0", "0-0-0+", "o-o", "@@@@", "N@e4", "p@e4", "Kxe2!?",
            "b1c3", "bxc3", "d8",
        ] {
            assert!(has_shape_of_move(word), "{word}");
        }
    }

    #[test]
    fn words_do_not() {
        for word in [
            "",
            "e",
            "e9",
            "e2e9",
            "i2i4",
            "e2e4e5",
            "bd",
            "manual",
            "uci",
            "isready",
            "6",
            "stop",
            "O",
            "O-O-",
            "@@@",
            "x",
            "e2 e4",
            "frobnicate",
            "b",
            "Q",
            "e4e",
            "\u{e9}2e4",
            "e2e4q5",
            "e2e4++++++++++++",
        ] {
            assert!(!has_shape_of_move(word), "{word}");
        }
    }

    #[test]
    fn exclude_takes_all_or_a_move() {
        assert_eq!(root_moves("all"), Ok(RootMoves::All));
        assert_eq!(root_moves("e2e4"), Ok(RootMoves::One("e2e4".into())));
        assert_eq!(root_moves(""), Err(ParseError::BadArgument));
    }
}
