//! Making and unmaking moves during the search: board, evaluator, search path and stack together.

use crate::board::Undo;
use crate::eval::Evaluator;
use crate::types::{Move, Ply};

use super::history::{
    CorrectionIndices, NO_CONTINUATION_ROW, NO_PIECE_TO, continuation_row, piece_to,
};
use super::path::RepetitionStart;
use super::searcher::Searcher;

impl<E: Evaluator> Searcher<E> {
    /// Makes a legal move at `ply`. Prefetches the table entry and the corrections of the new position.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: Ply) -> Undo {
        let key = self.board.approximate_key_after(mv);
        self.shared.table.prefetch(key);
        let frame = self.stack.at_mut(ply);
        frame.piece_to = piece_to(&self.board, mv);
        frame.continuation_row = continuation_row(frame.piece_to, mv.is_capture());
        frame.move_count = 0;
        frame.is_early_quiet = false;
        frame.is_null_move = false;
        self.evaluator.push(&self.board, mv);
        self.path.push(self.board.key());
        self.previous_line.step(ply, mv);
        let undo = self.board.make(mv);
        let last_moves = self.stack.last_moves(ply.next());
        let indices = CorrectionIndices::of(&self.board);
        self.corrections.prefetch(indices, last_moves);
        let next = self.stack.at_mut(ply.next());
        next.correction_indices = indices;
        next.check_info = self.board.check_info();
        undo
    }

    /// Unmakes a move made at `ply`.
    #[inline]
    pub(super) fn unmake(&mut self, mv: Move, undo: Undo, ply: Ply) {
        self.board.unmake(mv, undo);
        self.previous_line.back(ply);
        self.path.pop();
        self.evaluator.pop();
    }

    /// Makes a null move at `ply`. Returns what [`Searcher::unmake_null_move`] needs.
    pub(super) fn make_null_move(&mut self, ply: Ply) -> (Undo, RepetitionStart) {
        let frame = self.stack.at_mut(ply);
        frame.piece_to = NO_PIECE_TO;
        frame.continuation_row = NO_CONTINUATION_ROW;
        frame.move_count = 0;
        frame.is_early_quiet = false;
        frame.is_null_move = true;
        self.evaluator.push_null(&self.board);
        let repetition_start = self.path.push_null_move(self.board.key());
        let undo = self.board.make_null_move();
        self.shared.table.prefetch(self.board.key());
        let double_extensions = self.stack.at(ply).double_extensions;
        let next = self.stack.at_mut(ply.next());
        next.correction_indices = CorrectionIndices::of(&self.board);
        next.check_info = self.board.check_info();
        next.double_extensions = double_extensions;
        (undo, repetition_start)
    }

    /// Unmakes a null move.
    pub(super) fn unmake_null_move(&mut self, (undo, repetition_start): (Undo, RepetitionStart)) {
        self.board.unmake_null_move(undo);
        self.path.pop_null_move(repetition_start);
        self.evaluator.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{position, searcher_at};
    use crate::types::Color;

    #[test]
    fn unmaking_a_move_restores_position_and_evaluation() {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 Rd1 kg8 pa7 nd8", 0));
        searcher.evaluator.reset(&searcher.board);
        let before = (searcher.board.key(), searcher.evaluate());
        for mv in searcher.board.legal_moves() {
            let undo = searcher.make(mv, Ply(1));
            let child = searcher.stack.at(Ply(2)).check_info;
            assert_eq!(child.in_check(), searcher.board.in_check(), "{mv:?}");
            assert_ne!(searcher.board.key(), before.0, "{mv:?}");
            let frame = searcher.stack.at(Ply(1));
            let is_plain_row = frame.continuation_row == frame.piece_to;
            assert_eq!(is_plain_row, !mv.is_capture(), "{mv:?}");
            searcher.unmake(mv, undo, Ply(1));
            assert_eq!((searcher.board.key(), searcher.evaluate()), before);
        }
        let undo = searcher.make_null_move(Ply(1));
        assert!(searcher.stack.at(Ply(1)).is_null_move);
        assert_eq!(searcher.board.side_to_move(), Color::Black);
        searcher.unmake_null_move(undo);
        assert_eq!((searcher.board.key(), searcher.evaluate()), before);
    }
}
