//! Raw and static evaluation of the current position, and the correction that turns one into the other.

use crate::board::Board;
use crate::eval::Evaluator;
use crate::messages::{Bound, Contempt};
use crate::types::{Color, Move, PieceKind, Ply, Score};

use super::node::NodeState;
use super::searcher::Searcher;

/// Weights of the pieces for the bonus by contempt.
const WEIGHTS: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 1),
    (PieceKind::Knight, 3),
    (PieceKind::Bishop, 3),
    (PieceKind::Rook, 5),
    (PieceKind::Queen, 9),
];

/// Sum of the weights in the start position.
const START_MATERIAL: i32 = 78;

/// Returns the sum of the weights of all pieces.
fn material(board: &Board) -> i32 {
    let count = |kind| Color::ALL.map(|color| board.count(color, kind) as i32);
    WEIGHTS
        .iter()
        .map(|&(kind, weight)| weight * count(kind).iter().sum::<i32>())
        .sum()
}

impl<E: Evaluator> Searcher<E> {
    /// Returns the raw evaluation of the current position, with the random variation that `variety`
    /// requests and the bonus by contempt.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(&self.board);
        if self.variety == 0 && self.contempt == Contempt::NONE {
            return score;
        }
        // The evaluation recognises draws only in positions with a bare king. These stay draws.
        if self.board.has_bare_king() {
            return if score == Score::DRAW {
                self.draw_score()
            } else {
                score
            };
        }
        let contempt = self.contempt.of(self.board.side_to_move());
        let score = score + contempt * material(&self.board) / START_MATERIAL;
        // The variation is a hash of position and seed, so a position keeps its evaluation for the whole game.
        let mixed =
            (self.board.key().0 ^ self.variety_seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let spread = self.variety as u64 * 2 + 1;
        (score + (((mixed * spread) >> 32) as i32 - self.variety)).clamp_to_eval()
    }

    /// Returns the static evaluation at `ply`: the raw evaluation, reduced as the half-move clock rises, plus the
    /// correction.
    #[inline]
    pub(super) fn correct_eval(&self, raw_eval: Score, ply: Ply) -> Score {
        // A draw that the evaluation knows. With contempt its score is not 0.
        if raw_eval == self.draw_score() && self.board.has_bare_king() {
            return raw_eval;
        }
        let mut score = self.reduce_by_clock(raw_eval);
        if self.uses_correction() {
            let last_moves = self.stack.last_moves(ply);
            let indices = self.stack.at(ply).correction_indices;
            score += self
                .corrections
                .correction(indices, last_moves, &self.parameters);
        }
        score.clamp_to_eval()
    }

    /// Returns the size of the correction in a static evaluation from [`Searcher::correct_eval`], in centipawns; 0 for
    /// [`Score::NONE`].
    #[inline]
    pub(super) fn correction_size(&self, raw_eval: Score, static_eval: Score) -> i32 {
        if static_eval == Score::NONE {
            return 0;
        }
        (static_eval.0 - self.reduce_by_clock(raw_eval).0).abs()
    }

    /// Returns a raw evaluation, reduced as the half-move clock rises.
    #[inline]
    fn reduce_by_clock(&self, raw_eval: Score) -> Score {
        let clock = i32::from(self.board.halfmove_clock());
        Score(raw_eval.0 * (200 - clock).max(0) / 200)
    }

    /// Returns `true` if the correction history applies to the current position. When either side has a bare king it
    /// does not: the evaluation knows the draws there exactly.
    #[inline]
    fn uses_correction(&self) -> bool {
        self.parameters.correction() && !self.board.has_bare_king()
    }

    /// Updates the correction history after a node that is not in check, if `score` and its bound show that the static
    /// evaluation was too high or too low, and the best move is not noisy.
    #[inline]
    pub(super) fn update_corrections(
        &mut self,
        node: &NodeState,
        score: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        let shows_error = match bound {
            Bound::Exact => true,
            Bound::Lower => score > node.static_eval,
            Bound::Upper => score < node.static_eval,
        };
        if shows_error && self.uses_correction() && best_move.is_none_or(|mv| !mv.is_noisy()) {
            let last_moves = self.stack.last_moves(node.ply);
            let indices = self.stack.at(node.ply).correction_indices;
            self.corrections
                .update(indices, last_moves, node.depth, score, node.static_eval);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::search::test_support::{learn_correction, position, searcher_at};
    use crate::types::{Color, Ply, Score};

    #[test]
    fn the_size_of_the_correction_leaves_out_the_half_move_clock() {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 Rd1 Pa2 kg8 pb7", 80));
        let ply = Ply(4);
        let raw = searcher.evaluate();
        let size = |searcher: &super::Searcher<_>| {
            searcher.correction_size(raw, searcher.correct_eval(raw, ply))
        };
        assert_ne!(searcher.correct_eval(raw, ply), raw);
        assert_eq!(size(&searcher), 0);
        let correction = learn_correction(&mut searcher, ply);
        assert!(correction < -20);
        assert_eq!(size(&searcher), -correction);
        assert_eq!(searcher.correction_size(Score::NONE, Score::NONE), 0);
    }
}
