//! Principal variation search: the first move of a PV node is searched with the full window, every other move with a
//! zero window, which shows whether it is better. Only a better move is searched again with the full window.
//!
//! A reduced move that is better than alpha is first searched again without the reduction, one ply deeper or shallower
//! by its score, unless this is the depth that it has had. If its score reaches beta, its continuation history gets a
//! bonus in addition to that of step 16.

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::types::{Depth, Score};

use crate::search::history::history_bonus;
use crate::search::move_context::MoveContext;
use crate::search::node::{NodeState, NodeType, NonPv, Pv};
use crate::search::searcher::Searcher;

/// Returns the depth of the re-search after a reduced search returned `score`: one ply deeper if it is far above the
/// best score so far, one ply shallower if it is hardly above.
#[inline]
fn research_depth(parameters: &Parameters, new_depth: Depth, score: Score, best: Score) -> Depth {
    let mut depth = new_depth;
    depth += i32::from(score > best + parameters.deeper_margin() + 2 * depth);
    depth -= i32::from(score < best + parameters.shallower_margin());
    depth
}

impl<E: Evaluator> Searcher<E> {
    /// Searches the position after a move, which has been made, and returns the score for the side that made it. `best`
    /// is the best score of the moves before.
    #[inline]
    pub(in crate::search) fn search_move<N: NodeType>(
        &mut self,
        node: &NodeState,
        mv: &MoveContext,
        alpha: Score,
        best: Score,
    ) -> Score {
        let &NodeState {
            beta,
            ply,
            cut_node,
            ..
        } = node;
        let next = ply.next();
        let mut depth = mv.new_depth;
        if N::PV && mv.move_count == 1 {
            return -self.search::<Pv>(-beta, -alpha, depth, next, false);
        }
        // Without principal variation search, every move has the full window.
        let zero_window = self.parameters.principal_variation_search();
        let lower = if zero_window { -(alpha + 1) } else { -beta };
        let reduced_depth = depth - mv.reduction;
        // A reduced move is expected to fail low, so the child is a cut node. Otherwise cut nodes and all nodes
        // alternate.
        let child_cut_node = mv.reduction > 0 || !cut_node;
        self.stack.at_mut(ply).reduction = mv.reduction;
        let mut score = -self.search::<NonPv>(lower, -alpha, reduced_depth, next, child_cut_node);
        // Hindsight applies to this search only, not to the re-searches.
        self.stack.at_mut(ply).reduction = 0;
        if score > alpha && mv.reduction > 0 && !self.stopped {
            depth = research_depth(&self.parameters, depth, score, best);
            if reduced_depth < depth {
                score = -self.search::<NonPv>(lower, -alpha, depth, next, !cut_node);
            }
            if score >= beta && !self.stopped {
                let bonus = history_bonus(&self.parameters, depth);
                let rows = self.stack.continuation_rows(ply);
                let piece_to = self.stack.at(ply).piece_to;
                self.histories.update_continuations(rows, piece_to, bonus);
            }
        }
        if N::PV && score > alpha && !self.stopped {
            score = -self.search::<Pv>(-beta, -alpha, depth, next, false);
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::test_support::{
        BACK_RANK_MATE, move_context, node_state, position, searcher_at,
    };
    use crate::types::{Color, Ply, Square};

    #[test]
    fn a_reduced_move_that_fails_high_gets_a_continuation_bonus() {
        let position = position(Color::White, BACK_RANK_MATE, 0);
        let target = Square::from_name("d8");
        let mut moves = position.legal_moves().into_iter();
        let mate = moves.find(|mv| Some(mv.to()) == target).expect("a mate");
        let search = |reduction| {
            let mut searcher = searcher_at(&position);
            searcher.evaluator.reset(&searcher.board);
            searcher.root_depth = 8;
            let node = NodeState {
                ply: Ply(1),
                ..node_state(Score(0))
            };
            let mv = MoveContext {
                mv: mate,
                new_depth: 3,
                reduction,
                ..move_context()
            };
            let undo = searcher.make(mate, node.ply);
            searcher.stack.at_mut(node.ply).reduction = 5;
            let score = searcher.search_move::<NonPv>(&node, &mv, node.alpha, node.alpha);
            assert_eq!(searcher.stack.at(node.ply).reduction, 0);
            searcher.unmake(mate, undo, node.ply);
            let context = searcher
                .stack
                .history_context(node.ply, searcher.board.pawn_key());
            let history_score = searcher.histories.history_score(
                &searcher.board,
                &context,
                mate,
                &searcher.parameters,
            );
            (score, history_score)
        };
        assert_eq!(search(0), (Score::mate_in(Ply(2)), 0));
        let (score, history_score) = search(2);
        assert_eq!(score, Score::mate_in(Ply(2)));
        assert!(history_score > 0, "{history_score}");
    }

    #[test]
    fn a_reduced_search_passes_its_reduction_to_hindsight() {
        let position = position(Color::White, "Kg1 Rd1 Pa2 kg8 ra8 pb7", 0);
        let mv = position.legal_moves()[0];
        let child_depth = |[at_node, two_before]: [Score; 2]| {
            let mut searcher = searcher_at(&position);
            searcher.evaluator.reset(&searcher.board);
            searcher.root_depth = 12;
            let alpha = searcher.evaluate() + 10;
            let node = NodeState {
                alpha,
                beta: alpha + 1,
                ..node_state(Score(0))
            };
            searcher.stack.at_mut(node.ply).static_eval = at_node;
            searcher.stack.at_mut(node.ply - 2).static_eval = two_before;
            let context = MoveContext {
                mv,
                reduction: 3,
                ..move_context()
            };
            let _ = searcher.make(mv, node.ply);
            let score = searcher.search_move::<NonPv>(&node, &context, alpha, alpha);
            assert!(score <= alpha, "no re-search");
            searcher.probe().expect("an entry").depth
        };
        // In both cases the side to move is improving two plies later, but hindsight needs the evaluation at the node.
        let with_hindsight = child_depth([Score(-1000), Score::NONE]);
        assert!(with_hindsight > child_depth([Score::NONE, Score(-1000)]));
    }

    #[test]
    fn the_depth_of_the_re_search_follows_the_score() {
        let parameters = Parameters::default();
        let depth = |score| research_depth(&parameters, 6, Score(score), Score(0));
        assert_eq!(depth(1), 5);
        assert_eq!(depth(20), 6);
        assert_eq!(depth(500), 7);
    }
}
