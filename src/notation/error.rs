//! Errors of text parsers. Each cause has its own variant and a message that helps to correct the text.

use crate::types::{CastlingSide, PieceKind, Square};

/// Reason why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There is no text at all.
    #[error("the FEN is empty")]
    Empty,
    /// The placement does not have eight ranks, but this many.
    #[error("the FEN has {0} ranks, write 8 of them separated by /")]
    RankCount(usize),
    /// A rank does not have eight squares.
    #[error("rank {rank} of the FEN has {squares} squares, it needs 8")]
    RankLength {
        /// The digit of the rank, `1` to `8`.
        rank: char,
        /// Number of squares that the text describes.
        squares: usize,
    },
    /// A letter in the placement stands for no piece.
    #[error("'{}' is not a piece; write PNBRQK, pnbrqk or 1 to 8", .0.escape_default())]
    UnknownPiece(char),
    /// The text ends before the side to move.
    #[error("the side to move is missing, add w or b")]
    MissingSide,
    /// The side to move is neither `w` nor `b`.
    #[error("'{0}' is no side to move, write w or b")]
    BadSide(String),
    /// A letter in the castling field means nothing.
    #[error("'{}' is no castling right, write KQkq, rook files or -", .0.escape_default())]
    BadCastling(char),
    /// The en-passant field is neither a square nor `-`.
    #[error("'{0}' is no en-passant square, write one such as e3 or -")]
    BadEnPassant(String),
    /// The half-move clock is not a number.
    #[error("'{0}' is no half-move clock, write a number such as 0")]
    BadHalfmoveClock(String),
    /// The move number is not a number.
    #[error("'{0}' is no move number, write a number such as 1")]
    BadMoveNumber(String),
    /// Text after the last field.
    #[error("the FEN is followed by '{0}', remove that")]
    TrailingText(String),
}

/// Reason why a line is not an EPD record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    /// The position at its beginning is wrong.
    #[error("{0}")]
    Position(#[from] FenError),
    /// A quotation mark without its partner.
    #[error("a quotation mark is not closed, add a second \"")]
    UnclosedQuote,
    /// Something stands where the name of an operation belongs.
    #[error("'{0}' is no operation, write a name, its operands and a semicolon")]
    BadOperation(String),
    /// `hmvc` or `fmvn` is not followed by a number.
    #[error("{0} needs one number after it")]
    BadCounter(String),
    /// `D` and a depth are not followed by one number.
    #[error("{0} needs one number of leaf nodes after it")]
    BadPerftCount(String),
}

/// Reason why a text is not a move in a position.
///
/// The messages are short and without parentheses, because the protocol may show them in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("not a move, write it like e2e4, e7e8q, Nf3 or O-O")]
    Malformed,
    /// Nothing stands on the square it leaves.
    #[error("{0} is empty")]
    EmptySquare(Square),
    /// The piece on the square it leaves belongs to the other side.
    #[error("the piece on {0} belongs to the other side")]
    WrongSide(Square),
    /// The text names a kind of piece, but another one stands on the square.
    #[error("the piece on {square} is no {}", .named.name())]
    WrongPiece {
        /// The kind named.
        named: PieceKind,
        /// The square named.
        square: Square,
    },
    /// The side to move has no piece of this kind (on the file or rank named).
    #[error("there is no such {} to move", .0.name())]
    NoSuchPiece(PieceKind),
    /// A pawn reaches the last rank and the text lacks the promotion piece.
    #[error("the pawn promotes, add q, r, b or n as in e7e8q")]
    MissingPromotion,
    /// The text promotes something that does not promote.
    #[error("nothing promotes here, leave out the last letter")]
    UnexpectedPromotion,
    /// The text is a capture, but there is nothing to capture on this square.
    #[error("there is nothing to capture on {0}")]
    NothingToCapture(Square),
    /// This castling is not possible now.
    #[error("castling to the {} is not possible now", wing(*.0))]
    CastlingNotPossible(CastlingSide),
    /// The piece cannot go there.
    #[error("the piece cannot go there")]
    NotLegal,
    /// The piece could go there, but its king would be in check.
    #[error("the king would be in check")]
    LeavesKingInCheck,
    /// The text fits the moves of two pieces.
    #[error("the pieces on {0} and {1} can both do that, name the square")]
    Ambiguous(Square, Square),
}

/// The plain name of a castling side.
const fn wing(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::HSide => "h-side",
        CastlingSide::ASide => "a-side",
    }
}

/// The beginning of a text from outside, fit to be shown: short and without control characters.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 24;
    let mut letters = text.chars();
    let mut shown: String = letters
        .by_ref()
        .take(LENGTH)
        .map(|letter| {
            if letter.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                letter
            }
        })
        .collect();
    if letters.next().is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn an_excerpt_is_short_and_printable() {
        assert_eq!(excerpt("abc"), "abc");
        assert_eq!(excerpt("a\nb\0"), "a\u{fffd}b\u{fffd}");
        assert_eq!(
            excerpt(&"\u{e4}".repeat(1_000_000)),
            "\u{e4}".repeat(24) + "..."
        );
    }

    #[test]
    fn a_move_error_fits_into_parentheses() {
        let square = Square::from_index(12);
        for error in [
            MoveError::Malformed,
            MoveError::EmptySquare(square),
            MoveError::WrongSide(square),
            MoveError::WrongPiece {
                named: PieceKind::Knight,
                square,
            },
            MoveError::NoSuchPiece(PieceKind::Queen),
            MoveError::MissingPromotion,
            MoveError::UnexpectedPromotion,
            MoveError::NothingToCapture(square),
            MoveError::CastlingNotPossible(CastlingSide::ASide),
            MoveError::NotLegal,
            MoveError::LeavesKingInCheck,
            MoveError::Ambiguous(square, square),
        ] {
            let text = error.to_string();
            assert!(
                !text.is_empty() && text.len() < 80 && !text.contains(['(', ')', '\n']),
                "{text}"
            );
        }
    }

    #[test]
    fn messages_escape_control_characters() {
        let text = FenError::UnknownPiece('\0').to_string();
        assert_eq!(
            text,
            r"'\u{0}' is not a piece; write PNBRQK, pnbrqk or 1 to 8"
        );
        let text = FenError::BadCastling('\n').to_string();
        assert_eq!(
            text,
            r"'\n' is no castling right, write KQkq, rook files or -"
        );
    }

    #[test]
    fn an_epd_error_of_the_position_has_the_message_of_its_source() {
        let error = EpdError::from(FenError::MissingSide);
        assert_eq!(error.to_string(), FenError::MissingSide.to_string());
        let source = error.source().and_then(|error| error.downcast_ref());
        assert_eq!(source, Some(&FenError::MissingSide));
        assert!(EpdError::UnclosedQuote.source().is_none());
    }
}
