//! The evaluator of the classical evaluation, with a cache of scores.

use crate::board::Board;
use crate::types::{Color, Score};

use super::super::evaluator::Evaluator;
use super::eval_cache::EvalCache;
use super::evaluation::ClassicalEvaluation;
use super::tapered::Tapered;
use super::trace::NoTrace;
use super::weights::Weights;

/// Evaluator by handwritten terms. It allocates its tables once, when it is created.
pub struct ClassicalEvaluator {
    evaluation: ClassicalEvaluation<Tapered>,
    cache: EvalCache,
}

impl ClassicalEvaluator {
    /// Creates an evaluator with the default weights.
    pub fn new() -> ClassicalEvaluator {
        ClassicalEvaluator::with_weights(Weights::DEFAULT)
    }

    /// Creates an evaluator with the given weights.
    pub fn with_weights(weights: Weights) -> ClassicalEvaluator {
        ClassicalEvaluator {
            evaluation: ClassicalEvaluation::new(weights),
            cache: EvalCache::new(),
        }
    }
}

impl Default for ClassicalEvaluator {
    fn default() -> ClassicalEvaluator {
        ClassicalEvaluator::new()
    }
}

impl Evaluator for ClassicalEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        let key = board.key();
        if let Some(score) = self.cache.get(key) {
            return score;
        }
        let result = self.evaluation.evaluate(board, &mut NoTrace);
        let score = match board.side_to_move() {
            Color::White => result.white,
            Color::Black => -result.white,
        };
        let score = Score(score).clamp_to_eval();
        self.cache.put(key, score);
        score
    }
}
