//! What looks like a move. What it means only the position can tell, so moves leave as text.

use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::all_consuming;

use crate::notation::is_move_text;
use crate::protocol::command::{ParseError, RootMoves};
use crate::types::Square;

use super::arguments::{Parsed, required_text};

/// No spelling of a move in one word is longer (`Qa1xa2=Q+!?` has eleven characters).
const LONGEST_MOVE: usize = 12;

/// The null move, which python-chess sends in analysis.
const NULL_MOVE: &str = "@@@@";

/// The argument of `lift`, `put` and `hover`; xboard adds a comma to a `put` with the control key held down.
pub fn square(args: &str) -> Result<Square, ParseError> {
    Square::from_name(args.trim_end_matches(',')).ok_or(ParseError::BadArgument)
}

/// The argument of `exclude` and `include`.
pub fn root_moves(args: &str) -> Result<RootMoves, ParseError> {
    Ok(if args == "all" {
        RootMoves::All
    } else {
        let words = required_text(args)?;
        RootMoves::These(words.split_whitespace().map(str::to_owned).collect())
    })
}

/// Whether a word without `usermove` before it can be a move: coordinates, SAN, castling, a drop or the
/// null move. It need not be a possible one.
pub fn is_bare_move(word: &str) -> bool {
    word.len() <= LONGEST_MOVE
        && (is_move_text(word) || word == NULL_MOVE || all_consuming(drop).parse(word).is_ok())
}

/// `N@e4`, from variants that Gaur does not play: so it is refused as a move, not as a command.
fn drop(input: &str) -> Parsed<'_, (char, &str, char, char)> {
    (
        one_of("PNBRQpnbrq"),
        tag("@"),
        one_of("abcdefgh"),
        one_of("12345678"),
    )
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_look_like_moves() {
        for word in [
            "e2e4", "e7e8q", "e7e8Q", "e7e8=q", "e7e8(Q)", "nbd2", "e2-e4", "e1g1", "e4", "exd5",
            "ed5", "e8=Q", "e8Q", "exd8=Q+", "Nf3", "Nxf3", "Nbd2", "Nbxd2", "R1a3", "R1xa3",
            "Qa1b2", "Qa1xb2#", "Ng1-f3", "O-O", "O-O-O", "0-0", "0-0-0+", "o-o", "@@@@", "N@e4",
            "p@e4", "Kxe2!?", "b1c3", "bxc3", "d8",
        ] {
            assert!(is_bare_move(word), "{word}");
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
            assert!(!is_bare_move(word), "{word}");
        }
    }

    #[test]
    fn a_square_may_have_a_comma() {
        assert_eq!(square("e4,").ok(), Square::from_name("e4"));
        for bad in ["", "e", "e9", "e4 e5", "@@", ",e4"] {
            assert_eq!(square(bad), Err(ParseError::BadArgument), "{bad}");
        }
    }

    #[test]
    fn exclude_takes_all_or_a_move() {
        assert_eq!(root_moves("all"), Ok(RootMoves::All));
        assert_eq!(
            root_moves("e2e4"),
            Ok(RootMoves::These(vec!["e2e4".into()]))
        );
        assert_eq!(root_moves(""), Err(ParseError::BadArgument));
    }
}
