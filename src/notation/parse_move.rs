//! Converts move text into a legal move, or into the reason why there is none.

use super::error::MoveError;
use super::move_text::{MoveText, Step, parse_move_text};
use crate::board::Board;
use crate::rules::Position;
use crate::types::{CastlingSide, Color, Move, MoveList, Piece, PieceKind, Rank, Square};

/// Reads a move in any spelling: coordinates, SAN, `O-O`, king takes own rook.
///
/// A king's move along its home rank over two or more files to the g- or c-file is castling, in Fischer
/// Random as well. In SAN `Kg1` never is.
///
/// # Errors
/// The reason why the text is not a legal move here.
///
/// # Example
/// ```
/// use gaur::notation::{MoveError, parse_move};
/// use gaur::rules::Position;
///
/// let position = Position::standard();
/// assert_eq!(parse_move(&position, "Nf3"), parse_move(&position, "g1f3"));
/// assert_eq!(parse_move(&position, "Ne2"), Err(MoveError::NotLegal));
/// ```
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let moves = position.legal_moves();
    match parse_move_text(text).ok_or(MoveError::Malformed)? {
        MoveText::Castle(side) => find_castling(&moves, side),
        MoveText::Step(step) => match castling_meant(position.board(), &step) {
            Some(side) if step.promotion.is_none() => find_castling(&moves, side),
            Some(_) => Err(MoveError::UnexpectedPromotion),
            None => find_step(position.board(), &moves, &step),
        },
    }
}

fn find_castling(moves: &MoveList, side: CastlingSide) -> Result<Move, MoveError> {
    let wanted = |mv: &Move| mv.is_castle() && mv.castling_side() == side;
    moves
        .iter()
        .copied()
        .find(wanted)
        .ok_or(MoveError::CastlingNotPossible(side))
}

/// Returns the castling that two squares describe, if any.
fn castling_meant(board: &Board, step: &Step) -> Option<CastlingSide> {
    let (us, from, to) = (board.side_to_move(), step.from()?, step.to);
    let (home, king) = (Rank::home(us), Piece::new(us, PieceKind::King));
    if board.piece_on(from) != Some(king) || from.rank() != home || to.rank() != home {
        return None;
    }
    let takes_rook = board.piece_on(to) == Some(Piece::new(us, PieceKind::Rook));
    let side = if to.file() > from.file() {
        CastlingSide::HSide
    } else {
        CastlingSide::ASide
    };
    // Of two rooks on one side only the one with the right is meant.
    let rook_has_right =
        || board.castling_rights().has(us, side) && board.castling_rook(us, side) == to;
    let jumps = from.distance(to) >= 2 && to.file() == side.king_file();
    ((takes_rook && rook_has_right()) || jumps).then_some(side)
}

fn find_step(board: &Board, moves: &MoveList, step: &Step) -> Result<Move, MoveError> {
    let fits = |mv: &&Move| {
        !mv.is_castle()
            && mv.to() == step.to
            && may_leave(step, mv.from())
            && board
                .piece_on(mv.from())
                .is_some_and(|piece| is_named(step, piece.kind))
    };
    let mut found = moves.iter().filter(fits).peekable();
    match found.peek() {
        None => return Err(why_not(board, step)),
        Some(mv) if mv.is_promotion() && step.promotion.is_none() => {
            return Err(MoveError::MissingPromotion);
        }
        Some(mv) if !mv.is_promotion() && step.promotion.is_some() => {
            return Err(MoveError::UnexpectedPromotion);
        }
        Some(mv) if step.capture && !mv.is_capture() => {
            return Err(MoveError::NothingToCapture(step.to));
        }
        Some(_) => {}
    }
    let mut found = found.filter(|mv| mv.promotion() == step.promotion);
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => Err(MoveError::Ambiguous(first.from(), second.from())),
        (Some(&mv), None) => Ok(mv),
        (None, _) => Err(MoveError::NotLegal),
    }
}

/// Returns `true` if the text allows a move from this square.
fn may_leave(step: &Step, from: Square) -> bool {
    // The text of a pawn that leaves its file names that file: `d5` is never e4xd5.
    let file = match (step.from_file, step.kind) {
        (None, Some(PieceKind::Pawn)) => Some(step.to.file()),
        (file, _) => file,
    };
    file.is_none_or(|file| from.file() == file)
        && step.from_rank.is_none_or(|rank| from.rank() == rank)
}

fn is_named(step: &Step, kind: PieceKind) -> bool {
    step.kind.is_none_or(|named| named == kind)
}

/// Returns the reason why no legal move fits.
fn why_not(board: &Board, step: &Step) -> MoveError {
    let us = board.side_to_move();
    if let Some(from) = step.from() {
        return match (board.piece_on(from), step.kind) {
            (None, _) => MoveError::EmptySquare(from),
            (Some(piece), _) if piece.color != us => MoveError::WrongSide(from),
            (Some(piece), Some(named)) if piece.kind != named => MoveError::WrongPiece {
                named,
                square: from,
            },
            (Some(piece), _) => why_not_from(board, piece, from, step.to),
        };
    }
    let kind = step.kind.unwrap_or(PieceKind::Pawn);
    let piece = Piece::new(us, kind);
    let reasons = board
        .pieces(us, kind)
        .filter(|&from| may_leave(step, from))
        .map(|from| why_not_from(board, piece, from, step.to));
    // A piece that only its king holds back explains more than one that cannot go there at all.
    reasons
        .reduce(pick_reason)
        .unwrap_or(MoveError::NoSuchPiece(kind))
}

fn pick_reason(one: MoveError, other: MoveError) -> MoveError {
    if one == MoveError::LeavesKingInCheck {
        one
    } else {
        other
    }
}

fn why_not_from(board: &Board, piece: Piece, from: Square, to: Square) -> MoveError {
    if is_pseudo_legal(board, piece, from, to) {
        MoveError::LeavesKingInCheck
    } else {
        MoveError::NotLegal
    }
}

/// Returns `true` for a pseudo-legal move, without castling and en passant.
fn is_pseudo_legal(board: &Board, piece: Piece, from: Square, to: Square) -> bool {
    if piece.kind == PieceKind::Pawn && from.file() == to.file() {
        return is_pawn_push(board, piece.color, from, to);
    }
    let mut reaches = false;
    board.for_each_attack(from, |square, occupant| {
        reaches |= square == to
            && match occupant {
                Some(other) => other.color != piece.color,
                None => piece.kind != PieceKind::Pawn,
            };
    });
    reaches
}

fn is_pawn_push(board: &Board, us: Color, from: Square, to: Square) -> bool {
    let forward = match us {
        Color::White => 1,
        Color::Black => -1,
    };
    let is_empty = |square: &Square| board.piece_on(*square).is_none();
    let Some(one) = from.offset(0, forward).filter(is_empty) else {
        return false;
    };
    // The second rank has index 1.
    let may_go_two = from.rank().relative_to(us).index() == 1;
    one == to || (may_go_two && one.offset(0, forward).filter(is_empty) == Some(to))
}

#[cfg(test)]
#[path = "parse_move_tests.rs"]
mod tests;
