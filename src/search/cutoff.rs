//! Updates of killer moves and histories after a cutoff.

use crate::eval::Evaluator;
use crate::types::{Depth, Move, Ply};

use super::history::{HistoryContext, SearchedMoves, early_malus};
use super::searcher::Searcher;

impl<E: Evaluator> Searcher<E> {
    /// Updates killer moves and histories after `mv` has failed high at a node of this depth.
    pub(super) fn update_after_cutoff(
        &mut self,
        mv: Move,
        context: &HistoryContext,
        searched: &SearchedMoves,
        depth: Depth,
        ply: Ply,
    ) {
        if !mv.is_noisy() {
            self.killers.push(ply, mv);
        }
        self.histories.update_after_cutoff(
            &self.board,
            context,
            mv,
            searched,
            depth,
            &self.parameters,
        );
        self.update_refuted_move(depth, ply);
    }

    /// Gives a malus to the move that led to this node if it was searched early as a quiet move: it was expected to be
    /// good, and a reply has just failed high. (Stockfish.)
    ///
    /// Singular searches count, too, although their beta may be below that of the node, and so do verification searches
    /// after a null move. Games by time have tested the malus only with both.
    fn update_refuted_move(&mut self, depth: Depth, ply: Ply) {
        if ply == Ply::ROOT || !self.stack.before(ply, 1).is_early_quiet {
            return;
        }
        let parent = ply - 1;
        let rows = self.stack.continuation_rows(parent);
        let piece_to = self.stack.at(parent).piece_to;
        let malus = early_malus(&self.parameters, depth);
        self.histories.update_continuations(rows, piece_to, -malus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{position, searcher_at};
    use crate::types::Color;

    /// Returns the history score of a move for White before and after Black's reply to it causes a cutoff.
    fn score_after_refutation(is_early: bool) -> i32 {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 Rd1 kg8 ra8", 0));
        searcher.evaluator.reset(&searcher.board);
        let quiet = |searcher: &Searcher<_>| {
            let mut moves = searcher.board.legal_moves().into_iter();
            moves.find(|mv| !mv.is_noisy()).expect("a quiet move")
        };
        let refuted = quiet(&searcher);
        let undo = searcher.make(refuted, Ply(1));
        searcher.stack.at_mut(Ply(1)).is_early_quiet = is_early;
        let context = searcher
            .stack
            .history_context(Ply(2), searcher.board.pawn_key());
        let reply = quiet(&searcher);
        searcher.update_after_cutoff(reply, &context, &SearchedMoves::default(), 6, Ply(2));
        searcher.unmake(refuted, undo, Ply(1));
        let context = searcher
            .stack
            .history_context(Ply(1), searcher.board.pawn_key());
        searcher
            .histories
            .history_score(&searcher.board, &context, refuted, &searcher.parameters)
    }

    #[test]
    fn an_early_quiet_move_that_is_refuted_gets_a_malus() {
        assert!(score_after_refutation(true) < 0);
        assert_eq!(score_after_refutation(false), 0);
    }
}
