//! The piece that the user has lifted (`lift`, `put`, `hover`), and the squares that a GUI highlights for it.
//!
//! The commands arrive before the user has made a move. They change nothing in the game.

use crate::game::Game;
use crate::notation::king_target;
use crate::protocol::reply::{Mark, Reply};
use crate::rules::Variant;
use crate::types::{Move, MoveKind, Square};

/// The piece that the user has lifted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LiftedPiece {
    square: Option<Square>,
}

impl LiftedPiece {
    /// Forgets the piece, because it was put down or the position has changed.
    pub(super) fn clear(&mut self) {
        self.square = None;
    }

    /// Handles `lift`. Returns the target squares of a piece of the side to move; a piece without moves has none.
    pub(super) fn lift(&mut self, square: Square, game: &Game) -> Option<Reply> {
        self.clear();
        let position = game.position()?;
        let piece = position.board().piece_on(square)?;
        if piece.color != position.side_to_move() {
            return None;
        }
        self.square = Some(square);
        Some(Reply::Highlight(self.marks(game)))
    }

    /// Handles `put`. The GUI removes its marks itself. For a promotion it may ask the user for the piece.
    pub(super) fn put(&self, square: Square, game: &Game) -> Option<Reply> {
        let moves = self.moves_to(square, game);
        let is_promotion = moves.iter().any(|mv| mv.is_promotion());
        is_promotion.then_some(Reply::PromotionChoice)
    }

    /// Handles `hover`, for a marked square. Replies only for promotions, and for en passant captures, whose victim
    /// is on another square.
    pub(super) fn hover(&self, square: Square, game: &Game) -> Option<Reply> {
        let moves = self.moves_to(square, game);
        if moves.iter().any(|mv| mv.is_promotion()) {
            return Some(Reply::PromotionChoice);
        }
        let mv = moves.iter().find(|mv| mv.kind() == MoveKind::EnPassant)?;
        let victim = Square::new(mv.to().file(), mv.from().rank());
        let mut marks = self.marks(game);
        marks.push((victim, Mark::Victim));
        Some(Reply::Highlight(marks))
    }

    /// Returns the target squares of the lifted piece, each once.
    fn marks(&self, game: &Game) -> Vec<(Square, Mark)> {
        let mut marks: Vec<(Square, Mark)> = Vec::new();
        for mv in self.moves(game) {
            let (square, mark) = (shown_target(mv, game.variant()), mark(mv));
            if marks.iter().all(|(marked, _)| *marked != square) {
                marks.push((square, mark));
            }
        }
        marks
    }

    /// Returns the moves of the lifted piece to a square.
    fn moves_to(&self, square: Square, game: &Game) -> Vec<Move> {
        let moves = self.moves(game).into_iter();
        moves
            .filter(|&mv| shown_target(mv, game.variant()) == square)
            .collect()
    }

    /// Returns the legal moves of the lifted piece.
    fn moves(&self, game: &Game) -> Vec<Move> {
        let (Some(square), Some(position)) = (self.square, game.position()) else {
            return Vec::new();
        };
        let moves = position.legal_moves().into_iter();
        moves.filter(|mv| mv.from() == square).collect()
    }
}

/// Returns the square to which the user drags the piece. To castle, the king goes two squares, or in Fischer Random to
/// the rook.
fn shown_target(mv: Move, variant: Variant) -> Square {
    match variant {
        Variant::Standard if mv.is_castle() => king_target(mv),
        _ => mv.to(),
    }
}

/// Returns the mark for the target square of a move.
fn mark(mv: Move) -> Mark {
    if mv.is_promotion() {
        Mark::Promotion
    } else if mv.is_capture() {
        Mark::Capture
    } else {
        Mark::Target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pieces_of_the_side_to_move_have_target_squares() {
        let square = |name| Square::from_name(name).expect("a square");
        let game = Game::new(Variant::Standard);
        let mut piece = LiftedPiece::default();
        let marks = ["e3", "e4"].map(|name| (square(name), Mark::Target));
        match piece.lift(square("e2"), &game) {
            Some(Reply::Highlight(shown)) => {
                assert!(shown.len() == 2 && marks.iter().all(|mark| shown.contains(mark)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(piece.hover(square("e4"), &game), None);
        assert_eq!(piece.lift(square("e7"), &game), None);
        assert_eq!(piece.lift(square("e5"), &game), None);
    }
}
