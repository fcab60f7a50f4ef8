//! The evaluator used in games: the network or the classical evaluation, chosen when a search is set up.

use std::fmt;
use std::sync::Arc;

use super::classical::ClassicalEvaluator;
use super::evaluator::Evaluator;
use super::network::{Isa, Network, NetworkEvaluator};
use crate::board::Board;
use crate::types::{Move, Score};

/// Evaluation function selected by the options `Evaluation` and `EvalFile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The classical evaluation: handwritten terms with tuned weights.
    Classical,
    /// A neural network, and the instruction set that computes it.
    Network(Arc<Network>, Isa),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::network(Network::embedded())
    }
}

impl Evaluation {
    /// Selects `network`, computed with the fastest instruction set of this processor.
    pub fn network(network: Arc<Network>) -> Evaluation {
        Evaluation::Network(network, Isa::best())
    }
}

/// Evaluator that applies an [`Evaluation`].
pub enum EngineEvaluator {
    /// The classical evaluation.
    Classical(Box<ClassicalEvaluator>),
    /// A network, and the classical evaluator for endgames against a bare king, which have rules of their own.
    Network(Box<NetworkEvaluator>, Box<ClassicalEvaluator>),
}

impl EngineEvaluator {
    /// Creates an evaluator with empty caches.
    pub fn new(evaluation: &Evaluation) -> EngineEvaluator {
        match evaluation {
            Evaluation::Classical => EngineEvaluator::Classical(Box::default()),
            Evaluation::Network(network, isa) => {
                let evaluator = NetworkEvaluator::new(Arc::clone(network), *isa);
                EngineEvaluator::Network(Box::new(evaluator), Box::default())
            }
        }
    }
}

impl Evaluator for EngineEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        match self {
            EngineEvaluator::Classical(evaluator) => evaluator.evaluate(board),
            EngineEvaluator::Network(_, classical) if board.has_bare_king() => {
                classical.evaluate(board)
            }
            EngineEvaluator::Network(evaluator, _) => evaluator.evaluate(board),
        }
    }

    fn reset(&mut self, board: &Board) {
        match self {
            EngineEvaluator::Classical(evaluator) => evaluator.reset(board),
            EngineEvaluator::Network(evaluator, _) => evaluator.reset(board),
        }
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move) {
        match self {
            EngineEvaluator::Classical(evaluator) => evaluator.push(before, mv),
            EngineEvaluator::Network(evaluator, _) => evaluator.push(before, mv),
        }
    }

    #[inline]
    fn push_null(&mut self, before: &Board) {
        match self {
            EngineEvaluator::Classical(evaluator) => evaluator.push_null(before),
            EngineEvaluator::Network(evaluator, _) => evaluator.push_null(before),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            EngineEvaluator::Classical(evaluator) => evaluator.pop(),
            EngineEvaluator::Network(evaluator, _) => evaluator.pop(),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Classical => f.write_str("classical"),
            Evaluation::Network(network, isa) => {
                // It comes from a file and could contain characters that are invisible.
                let name = network.name().escape_debug();
                let checksum = network.checksum();
                write!(f, "network {name} ({checksum:08x}), {}", isa.name())
            }
        }
    }
}
