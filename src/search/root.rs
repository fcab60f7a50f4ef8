//! Root node of the search: which move comes next, and what its score means for the root moves.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Move, Ply, Score};

use super::history::HistoryContext;
use super::picker::Picked;
use super::searcher::Searcher;
use super::statistics::MoveClass;

impl<E: Evaluator> Searcher<E> {
    /// Returns the root move with this index in search order, as the move picker returns it. The first counts as table
    /// move, since it is the best of the previous iteration. All others have class `Quiet`, captures included.
    pub(super) fn next_root_move(&self, index: usize, context: &HistoryContext) -> Option<Picked> {
        let mv = self.root.move_at(index)?;
        if self.worker_id == 0 {
            self.shared
                .status
                .set_root_move(self.root.rank_of(index), mv);
        }
        if index == 0 {
            return Some(Picked::unscored(mv, MoveClass::TableMove));
        }
        Some(Picked::scored(
            mv,
            MoveClass::Quiet,
            context,
            &self.board,
            &self.histories,
            &self.parameters,
        ))
    }

    /// Records the score of a root move searched with the window from `alpha` to `beta`.
    ///
    /// The first move is recorded as best even if it fails low: the others have not been shown to be better.
    pub(super) fn record_root_score(
        &mut self,
        index: usize,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes: u64,
    ) {
        self.root.add_nodes(index, nodes);
        if index == 0 || score > alpha {
            self.pv.update(Ply::ROOT, mv);
            let line = self.pv.line(Ply::ROOT);
            let bound = Bound::of(score, alpha, beta);
            self.root.set_best(index, score, bound, line);
        } else {
            self.root.set_worse(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{position, searcher_at};
    use crate::types::Color;

    #[test]
    fn only_the_first_move_and_better_ones_get_a_score() {
        let position = position(Color::White, "Kg1 Rd1 kg8", 0);
        let mut searcher = searcher_at(&position);
        let moves = position.legal_moves();
        searcher.root.reset(&moves, &[]);
        searcher.root.start_iteration();
        let window = (Score(10), Score(20));
        searcher.record_root_score(0, moves[0], Score(5), window, 7);
        searcher.record_root_score(1, moves[1], Score(10), window, 7);
        searcher.record_root_score(2, moves[2], Score(15), window, 7);
        let found = |rank| {
            searcher
                .root
                .move_of_rank(rank)
                .map(|found| (found.score, found.nodes))
        };
        assert_eq!(found(0), Some((Score(5), 7)));
        assert_eq!(found(1), Some((-Score::INFINITE, 7)));
        assert_eq!(found(2), Some((Score(15), 7)));
    }
}
