//! Lines in edit mode, between `edit` and its closing dot.

use crate::protocol::command::{EditCommand, ParseError};
use crate::types::{PieceKind, Square};

use super::arguments::split_verb;
use super::information;

/// Parses one line in edit mode.
///
/// # Errors
/// Returns [`ParseError::UnknownCommand`] for an unknown line, and [`ParseError::BadArgument`] for a piece without a
/// valid square.
pub fn parse_edit(line: &str) -> Result<EditCommand, ParseError> {
    let (verb, args) = split_verb(line);
    Ok(match verb {
        "" => EditCommand::Nothing,
        "#" => EditCommand::Clear,
        "c" => EditCommand::ChangeColor,
        "." => EditCommand::Done,
        "ping" => EditCommand::Ping(information::ping(args)?),
        "quit" => EditCommand::Quit,
        // The user lifts pieces on the board meanwhile.
        "lift" | "put" | "hover" => EditCommand::Nothing,
        _ => return piece_on_square(verb),
    })
}

/// Parses `Pa4`, `xa4`, or the words that ChessBase adds.
fn piece_on_square(word: &str) -> Result<EditCommand, ParseError> {
    let mut letters = word.chars();
    let first = letters.next().ok_or(ParseError::UnknownCommand)?;
    let square = Square::from_name(letters.as_str());
    let kind = PieceKind::from_letter(first).filter(|_| first.is_ascii_uppercase());
    match (first, kind, square) {
        ('x', _, Some(square)) => Ok(EditCommand::Empty(square)),
        (_, Some(kind), Some(square)) => Ok(EditCommand::Put(kind, square)),
        // ChessBase sends `castle...` and `ep...` in undocumented forms. The castling rights follow from king and
        // rooks.
        _ if word.starts_with("castle") || word.starts_with("ep") => Ok(EditCommand::Nothing),
        // Two more letters can only be a wrong square.
        ('x', _, None) | (_, Some(_), None) if word.chars().nth(3).is_none() => {
            Err(ParseError::BadArgument)
        }
        _ => Err(ParseError::UnknownCommand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::from_name(name).expect("a square")
    }

    #[test]
    fn edit_commands_are_parsed() {
        assert_eq!(parse_edit("#"), Ok(EditCommand::Clear));
        assert_eq!(parse_edit("c\r\n"), Ok(EditCommand::ChangeColor));
        assert_eq!(
            parse_edit("Pa4"),
            Ok(EditCommand::Put(PieceKind::Pawn, square("a4")))
        );
        assert_eq!(
            parse_edit(" Ke1 "),
            Ok(EditCommand::Put(PieceKind::King, square("e1")))
        );
        assert_eq!(parse_edit("xa4"), Ok(EditCommand::Empty(square("a4"))));
        assert_eq!(parse_edit("."), Ok(EditCommand::Done));
        assert_eq!(parse_edit(""), Ok(EditCommand::Nothing));
        assert_eq!(parse_edit("quit"), Ok(EditCommand::Quit));
    }

    #[test]
    fn ping_is_not_a_piece() {
        assert_eq!(parse_edit("ping 12"), Ok(EditCommand::Ping("12".into())));
        assert_eq!(parse_edit("ping"), Err(ParseError::BadArgument));
    }

    #[test]
    fn chessbase_words_are_ignored() {
        for line in ["castle", "castle KQkq", "castlewk", "ep", "ep e3", "epe3"] {
            assert_eq!(parse_edit(line), Ok(EditCommand::Nothing), "{line}");
        }
    }

    #[test]
    fn other_lines_are_rejected() {
        for line in ["Pa9", "xi1", "Pz", "P", "x", "K\u{e9}1"] {
            assert_eq!(parse_edit(line), Err(ParseError::BadArgument), "{line}");
        }
        for line in ["Za4", "frobnicate", "force", "new", "Pa4b5", "?", "\u{e9}"] {
            assert_eq!(parse_edit(line), Err(ParseError::UnknownCommand), "{line}");
        }
    }
}
