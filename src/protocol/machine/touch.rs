//! `lift`, `put` and `hover`: what the user does with a piece before it is a move. The answers tell a GUI where the
//! piece can go; nothing is decided by them.

use super::{Machine, Mode};
use crate::notation::king_target;
use crate::protocol::reply::{Mark, Reply};
use crate::rules::Variant;
use crate::types::{Move, MoveKind, Square};

impl Machine {
    /// `lift`: a piece of the side to move was picked up. Its squares are marked, none if it cannot go anywhere.
    pub(super) fn lift(&mut self, square: Square) {
        self.lifted = None;
        if matches!(self.mode, Mode::Thinking { .. } | Mode::Over { .. }) {
            return;
        }
        let Some(position) = self.game.position() else {
            return;
        };
        let piece = position.board().piece_on(square);
        if piece.is_some_and(|piece| piece.color == position.side_to_move()) {
            self.lifted = Some(square);
            let marks = self.marks();
            self.say(Reply::Highlight(marks));
        }
    }

    /// `put`: the GUI clears its marks by itself. Where the piece is a pawn that is promoted, it may ask the user for
    /// what.
    pub(super) fn put(&mut self, square: Square) {
        if self.moves_to(square).iter().any(|mv| mv.is_promotion()) {
            self.say(Reply::PromotionChoice);
        }
    }

    /// `hover`: the piece is held over a square that was marked. Only what is not plain to see is told: a choice of
    /// pieces, and the pawn that would be taken en passant.
    pub(super) fn hover(&mut self, square: Square) {
        let moves = self.moves_to(square);
        if moves.iter().any(|mv| mv.is_promotion()) {
            self.say(Reply::PromotionChoice);
        } else if let Some(mv) = moves.iter().find(|mv| mv.kind() == MoveKind::EnPassant) {
            let victim = Square::new(mv.to().file(), mv.from().rank());
            let mut marks = self.marks();
            marks.push((victim, Mark::Victim));
            self.say(Reply::Highlight(marks));
        }
    }

    /// The squares that the lifted piece can go to.
    fn marks(&self) -> Vec<(Square, Mark)> {
        let mut marks: Vec<(Square, Mark)> = Vec::new();
        for mv in self.moves_of_lifted() {
            let (square, mark) = (self.square_shown(mv), mark(mv));
            if marks.iter().all(|(marked, _)| *marked != square) {
                marks.push((square, mark));
            }
        }
        marks
    }

    /// The moves of the lifted piece to a square.
    fn moves_to(&self, square: Square) -> Vec<Move> {
        let moves = self.moves_of_lifted().into_iter();
        moves
            .filter(|&mv| self.square_shown(mv) == square)
            .collect()
    }

    fn moves_of_lifted(&self) -> Vec<Move> {
        let (Some(lifted), Some(position)) = (self.lifted, self.game.position()) else {
            return Vec::new();
        };
        let moves = position.legal_moves().into_iter();
        moves.filter(|mv| mv.from() == lifted).collect()
    }

    /// Where the user puts the king to castle: two squares on, or in Fischer Random on the rook.
    fn square_shown(&self, mv: Move) -> Square {
        match self.game.variant() {
            Variant::Standard if mv.is_castle() => king_target(mv),
            _ => mv.to(),
        }
    }
}

fn mark(mv: Move) -> Mark {
    if mv.is_promotion() {
        Mark::Promotion
    } else if mv.is_capture() {
        Mark::Capture
    } else {
        Mark::Target
    }
}
