//! Updates of killer moves and histories after a cutoff.

use crate::eval::Evaluator;
use crate::types::{Depth, Move, Ply};

use super::history::{HistoryContext, SearchedMoves};
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
    }
}
