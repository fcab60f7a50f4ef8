//! ProbCut: a capture that scores far above beta in a shallow search would hardly fail low in a deep one. (Michael
//! Buro; this form from Stockfish.)

use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Move, Score};

use crate::search::node::{NodeState, NonPv};
use crate::search::picker::{Picked, Picker};
use crate::search::searcher::Searcher;
use crate::search::table::TableEntry;

/// Returns `true` if ProbCut may be tried with this raised beta. A deep enough entry must not contradict.
#[inline]
fn allows_probcut(parameters: &Parameters, node: &NodeState, probcut_beta: Score) -> bool {
    parameters.probcut()
        && node.depth >= parameters.probcut_depth()
        && !node.beta.is_decisive()
        && node.table_entry.is_none_or(|entry| {
            entry.depth < node.depth - 3 || entry.score.from_table(node.ply) >= probcut_beta
        })
}

/// Returns the score that a capture must reach: beta plus a margin, smaller if the side to move is improving.
#[inline]
fn probcut_beta(parameters: &Parameters, node: &NodeState) -> Score {
    let improving = parameters.probcut_improving() * i32::from(node.improving);
    node.beta + parameters.probcut_margin() - improving
}

impl<E: Evaluator> Searcher<E> {
    /// Searches the positions after captures to `depth - 4` with a raised beta. If one fails high, returns its score,
    /// at least beta; the margin is subtracted unless it is a proven win. Returns `None` if none fails high, if the
    /// conditions are not met, or if the search was stopped.
    #[inline]
    pub(in crate::search) fn try_probcut(&mut self, node: &NodeState) -> Option<Score> {
        let probcut_beta = probcut_beta(&self.parameters, node);
        if allows_probcut(&self.parameters, node, probcut_beta) {
            self.search_probcut(node, probcut_beta)
        } else {
            None
        }
    }

    /// Searches a table move that is a capture or promotion, and the captures and queen promotions that win enough by
    /// SEE to reach `probcut_beta`: first by quiescence search, then to reduced depth.
    fn search_probcut(&mut self, node: &NodeState, probcut_beta: Score) -> Option<Score> {
        let &NodeState { depth, ply, .. } = node;
        // Even with the parameter `table_move` off, which affects `node.table_move`.
        let table_move = node.table_entry.and_then(|entry| entry.mv);
        let check_info = self.stack.at(ply).check_info;
        let context = self.stack.history_context(ply, self.board.pawn_key());
        let threshold = (probcut_beta.0 - node.static_eval.0).max(1);
        let mut picker = Picker::noisy(check_info, context, table_move, threshold);
        let (lower, upper) = (-probcut_beta, -probcut_beta + 1);
        let reduced_depth = depth - 4;
        while let Some(Picked { mv, .. }) = picker.next(
            &self.board,
            &self.histories,
            &self.parameters,
            &self.shared.table,
        ) {
            if self.evaluator.overlooks(&self.board, mv) {
                continue;
            }
            let undo = self.make(mv, ply);
            let mut score = -self.quiescence::<NonPv>(lower, upper, ply.next());
            if score >= probcut_beta && reduced_depth > 0 && !self.stopped {
                score =
                    -self.search::<NonPv>(lower, upper, reduced_depth, ply.next(), !node.cut_node);
            }
            self.unmake(mv, undo, ply);
            if self.stopped {
                return None;
            }
            if score >= probcut_beta {
                self.store_probcut(node, mv, score);
                return Some(if score.is_decisive() {
                    score
                } else {
                    score - (probcut_beta.0 - node.beta.0)
                });
            }
        }
        None
    }

    /// Stores the score of a ProbCut search in the transposition table.
    fn store_probcut(&self, node: &NodeState, mv: Move, score: Score) {
        let entry = TableEntry {
            mv: Some(mv),
            score: score.to_table(node.ply),
            eval: node.raw_eval,
            // A depth of `depth - 4` after the move is one of `depth - 3` for the node.
            depth: node.depth - 3,
            bound: Bound::Lower,
            on_pv: node.table_entry.is_some_and(|entry| entry.on_pv),
        };
        self.store(self.board.key(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::ClassicalEvaluator;
    use crate::search::test_support::{node_state, position, searcher_at, searcher_with};
    use crate::types::{Color, Ply};

    #[test]
    fn probcut_needs_depth_and_no_contradicting_entry() {
        let parameters = Parameters::default();
        let node = node_state(Score(0));
        let raised = probcut_beta(&parameters, &node);
        assert!(raised > node.beta);
        assert!(allows_probcut(&parameters, &node, raised));
        let shallow = NodeState { depth: 2, ..node };
        assert!(!allows_probcut(&parameters, &shallow, raised));
        let contradicted = NodeState {
            table_entry: Some(TableEntry {
                mv: None,
                score: node.beta,
                eval: Score(0),
                depth: node.depth,
                bound: Bound::Exact,
                on_pv: false,
            }),
            ..node
        };
        assert!(!allows_probcut(&parameters, &contradicted, raised));
    }

    /// White can capture the queen.
    const HANGING_QUEEN: &str = "Kg1 Rd1 kg8 qd7 pg7";

    fn node() -> NodeState {
        NodeState {
            ply: Ply(1),
            depth: 5,
            ..node_state(Score(0))
        }
    }

    #[test]
    fn a_hanging_queen_fails_high() {
        let mut searcher = searcher_at(&position(Color::White, HANGING_QUEEN, 0));
        searcher.root_depth = 8;
        let node = node();
        let score = searcher.try_probcut(&node).expect("a capture of a queen");
        assert!(score >= node.beta);
        assert!(searcher.probe().is_some_and(|entry| entry.mv.is_some()));
    }
    /// An evaluator that overlooks captures.
    struct Careless(ClassicalEvaluator);

    impl Evaluator for Careless {
        fn evaluate(&mut self, board: &Board) -> Score {
            self.0.evaluate(board)
        }

        fn overlooks(&self, _: &Board, mv: Move) -> bool {
            mv.is_capture()
        }
    }

    #[test]
    fn an_overlooked_capture_causes_no_cutoff() {
        let careless = Careless(ClassicalEvaluator::new());
        let position = position(Color::White, HANGING_QUEEN, 0);
        let mut searcher = searcher_with(careless, &position);
        searcher.root_depth = 8;
        assert_eq!(searcher.try_probcut(&node()), None);
    }
}
