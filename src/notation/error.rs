//! Errors of text parsers. Each cause has its own variant and a message that helps to correct the text.

use std::error::Error;
use std::fmt;

use crate::types::{CastlingSide, PieceKind, Square};

/// Reason why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// There is no text at all.
    Empty,
    /// The placement does not have eight ranks, but this many.
    RankCount(usize),
    /// A rank does not have eight squares.
    RankLength {
        /// The digit of the rank, `1` to `8`.
        rank: char,
        /// Number of squares that the text describes.
        squares: usize,
    },
    /// A letter in the placement stands for no piece.
    UnknownPiece(char),
    /// The text ends before the side to move.
    MissingSide,
    /// The side to move is neither `w` nor `b`.
    BadSide(String),
    /// A letter in the castling field means nothing.
    BadCastling(char),
    /// The en-passant field is neither a square nor `-`.
    BadEnPassant(String),
    /// The half-move clock is not a number.
    BadHalfmoveClock(String),
    /// The move number is not a number.
    BadMoveNumber(String),
    /// Text after the last field.
    TrailingText(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("the FEN is empty"),
            FenError::RankCount(ranks) => {
                write!(
                    f,
                    "the FEN has {ranks} ranks, write 8 of them separated by /"
                )
            }
            FenError::RankLength { rank, squares } => {
                write!(
                    f,
                    "rank {rank} of the FEN has {squares} squares, it needs 8"
                )
            }
            FenError::UnknownPiece(letter) => {
                let letter = letter.escape_default();
                write!(f, "'{letter}' is no piece, write PNBRQK, pnbrqk or 1 to 8")
            }
            FenError::MissingSide => f.write_str("the side to move is missing, add w or b"),
            FenError::BadSide(text) => write!(f, "'{text}' is no side to move, write w or b"),
            FenError::BadCastling(letter) => {
                let letter = letter.escape_default();
                write!(
                    f,
                    "'{letter}' is no castling right, write KQkq, rook files or -"
                )
            }
            FenError::BadEnPassant(text) => {
                write!(
                    f,
                    "'{text}' is no en-passant square, write one such as e3 or -"
                )
            }
            FenError::BadHalfmoveClock(text) => {
                write!(
                    f,
                    "'{text}' is no half-move clock, write a number such as 0"
                )
            }
            FenError::BadMoveNumber(text) => {
                write!(f, "'{text}' is no move number, write a number such as 1")
            }
            FenError::TrailingText(text) => {
                write!(f, "the FEN is followed by '{text}', remove that")
            }
        }
    }
}

impl Error for FenError {}

/// Reason why a line is not an EPD record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EpdError {
    /// The position at its beginning is wrong.
    Position(FenError),
    /// A quotation mark without its partner.
    UnclosedQuote,
    /// Something stands where the name of an operation belongs.
    BadOperation(String),
    /// `hmvc` or `fmvn` is not followed by a number.
    BadCounter(String),
    /// `D` and a depth are not followed by one number.
    BadPerftCount(String),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Position(error) => error.fmt(f),
            EpdError::UnclosedQuote => {
                f.write_str("a quotation mark is not closed, add a second \"")
            }
            EpdError::BadOperation(text) => {
                write!(
                    f,
                    "'{text}' is no operation, write a name, its operands and a semicolon"
                )
            }
            EpdError::BadCounter(opcode) => write!(f, "{opcode} needs one number after it"),
            EpdError::BadPerftCount(opcode) => {
                write!(f, "{opcode} needs one number of leaf nodes after it")
            }
        }
    }
}

impl Error for EpdError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EpdError::Position(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> EpdError {
        EpdError::Position(error)
    }
}

/// Reason why a text is not a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// It does not look like a move.
    Malformed,
    /// Nothing stands on the square it leaves.
    EmptySquare(Square),
    /// The piece on the square it leaves belongs to the other side.
    WrongSide(Square),
    /// The text names a kind of piece, but another one stands on the square.
    WrongPiece {
        /// The kind named.
        named: PieceKind,
        /// The square named.
        square: Square,
    },
    /// The side to move has no piece of this kind (on the file or rank named).
    NoSuchPiece(PieceKind),
    /// A pawn reaches the last rank and the text lacks the promotion piece.
    MissingPromotion,
    /// The text promotes something that does not promote.
    UnexpectedPromotion,
    /// The text is a capture, but there is nothing to capture on this square.
    NothingToCapture(Square),
    /// This castling is not possible now.
    CastlingNotPossible(CastlingSide),
    /// The piece cannot go there.
    NotLegal,
    /// The piece could go there, but its king would be in check.
    LeavesKingInCheck,
    /// The text fits the moves of two pieces.
    Ambiguous(Square, Square),
}

/// The plain name of a kind of piece.
const fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

/// Short and without parentheses, for it may be shown in a pair of them.
impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MoveError::Malformed => {
                f.write_str("not a move, write it like e2e4, e7e8q, Nf3 or O-O")
            }
            MoveError::EmptySquare(square) => write!(f, "{square} is empty"),
            MoveError::WrongSide(square) => {
                write!(f, "the piece on {square} belongs to the other side")
            }
            MoveError::WrongPiece { named, square } => {
                write!(f, "the piece on {square} is no {}", name(named))
            }
            MoveError::NoSuchPiece(kind) => write!(f, "there is no such {} to move", name(kind)),
            MoveError::MissingPromotion => {
                f.write_str("the pawn promotes, add q, r, b or n as in e7e8q")
            }
            MoveError::UnexpectedPromotion => {
                f.write_str("nothing promotes here, leave out the last letter")
            }
            MoveError::NothingToCapture(square) => {
                write!(f, "there is nothing to capture on {square}")
            }
            MoveError::CastlingNotPossible(CastlingSide::HSide) => {
                f.write_str("castling to the h-side is not possible now")
            }
            MoveError::CastlingNotPossible(CastlingSide::ASide) => {
                f.write_str("castling to the a-side is not possible now")
            }
            MoveError::NotLegal => f.write_str("the piece cannot go there"),
            MoveError::LeavesKingInCheck => f.write_str("the king would be in check"),
            MoveError::Ambiguous(first, second) => {
                write!(
                    f,
                    "the pieces on {first} and {second} can both do that, name the square"
                )
            }
        }
    }
}

impl Error for MoveError {}

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
}
