//! Moves and squares as arguments. Moves stay text, because their meaning depends on the position.

use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::all_consuming;

use crate::notation::is_move_text;
use crate::protocol::command::{ParseError, RootMoves};
use crate::types::Square;

use super::arguments::{Parsed, required_text};

/// Longest move in bytes. `Qa1xa2=Q+!?` has eleven characters.
const MAX_MOVE_BYTES: usize = 12;

/// Null move, which python-chess sends in analysis.
const NULL_MOVE: &str = "@@@@";

/// Parses the argument of `lift`, `put` and `hover`. XBoard adds a comma to `put` while the control key is pressed.
pub fn square(args: &str) -> Result<Square, ParseError> {
    Square::from_name(args.trim_end_matches(',')).ok_or(ParseError::BadArgument)
}

/// Parses the argument of `exclude` and `include`.
pub fn root_moves(args: &str) -> Result<RootMoves, ParseError> {
    Ok(if args == "all" {
        RootMoves::All
    } else {
        let words = required_text(args)?;
        RootMoves::These(words.split_whitespace().map(str::to_owned).collect())
    })
}

/// Returns `true` if a word without `usermove` has the form of a move: coordinates, SAN, castling, a drop or the null
/// move. The move need not be legal.
pub fn is_bare_move(word: &str) -> bool {
    word.len() <= MAX_MOVE_BYTES
        && (is_move_text(word) || word == NULL_MOVE || all_consuming(drop).parse(word).is_ok())
}

/// Parses a drop such as `N@e4`. Gaur plays no variant with drops and rejects it as a move, not as a command.
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
    fn moves_are_recognised() {
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
    fn other_words_are_not_moves() {
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
    fn a_comma_after_a_square_is_ignored() {
        assert_eq!(square("e4,").ok(), Square::from_name("e4"));
        for bad in ["", "e", "e9", "e4 e5", "@@", ",e4"] {
            assert_eq!(square(bad), Err(ParseError::BadArgument), "{bad}");
        }
    }

    #[test]
    fn exclude_accepts_all_or_moves() {
        assert_eq!(root_moves("all"), Ok(RootMoves::All));
        assert_eq!(
            root_moves("e2e4"),
            Ok(RootMoves::These(vec!["e2e4".into()]))
        );
        assert_eq!(root_moves(""), Err(ParseError::BadArgument));
    }
}
