//! What a cut-off teaches: the move that cut is tried earlier next time, those tried before it later.

use crate::eval::Evaluator;
use crate::types::{Depth, Move, Ply};

use super::alphabeta::Tried;
use super::history::Context;
use super::searcher::Searcher;

impl<E: Evaluator> Searcher<E> {
    /// What a cut-off at this depth is worth to histories.
    #[inline]
    pub(super) fn bonus(&self, depth: Depth) -> i32 {
        let parameters = &self.parameters;
        (parameters.bonus_per_ply() * depth - parameters.bonus_offset())
            .clamp(0, parameters.bonus_limit())
    }

    /// What it costs the moves that were tried in vain.
    #[inline]
    fn malus(&self, depth: Depth) -> i32 {
        let parameters = &self.parameters;
        (parameters.malus_per_ply() * depth - parameters.malus_offset())
            .clamp(0, parameters.malus_limit())
    }

    /// `mv` has cut; `quiets` and `captures` were tried before it.
    pub(super) fn learn_from_cut(
        &mut self,
        mv: Move,
        context: &Context,
        quiets: &Tried,
        captures: &Tried,
        depth: Depth,
        ply: Ply,
    ) {
        let (bonus, malus) = (self.bonus(depth), self.malus(depth));
        if mv.is_noisy() {
            self.histories.update_capture(&self.board, mv, bonus);
        } else {
            self.killers.push(ply, mv);
            self.histories.update_quiet(&self.board, context, mv, bonus);
            for &quiet in quiets {
                self.histories
                    .update_quiet(&self.board, context, quiet, -malus);
            }
        }
        for &capture in captures {
            self.histories.update_capture(&self.board, capture, -malus);
        }
    }
}
