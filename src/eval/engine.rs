//! The evaluator that the engine plays with: one of those there are, chosen when a search is set up.

use std::sync::Arc;

use super::{ClassicalEvaluator, Evaluator, Isa, Network, NetworkEvaluator};
use crate::board::Board;
use crate::types::{Move, Score};

/// Which knowledge positions are judged by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Terms written down by hand.
    Classical,
    /// A network, and the instructions to calculate it with.
    Network(Arc<Network>, Isa),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::network(Network::embedded())
    }
}

impl Evaluation {
    /// A network, calculated with the fastest instructions of this processor.
    pub fn network(network: Arc<Network>) -> Evaluation {
        Evaluation::Network(network, Isa::best())
    }

    /// A number by which games can be told apart that were played with different knowledge: 0 with the terms written
    /// down by hand, else part of the network's checksum.
    pub fn mark(&self) -> u16 {
        match self {
            Evaluation::Classical => 0,
            Evaluation::Network(network, _) => (network.checksum() as u16).max(1),
        }
    }
}

/// An evaluator with either knowledge.
pub enum EngineEvaluator {
    /// By terms written down by hand.
    Classical(Box<ClassicalEvaluator>),
    /// By a network; what a bare king can hold is written down by hand.
    Network(Box<NetworkEvaluator>, Box<ClassicalEvaluator>),
}

impl EngineEvaluator {
    /// An evaluator of this kind.
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
            EngineEvaluator::Network(_, endings) if board.has_bare_king() => {
                endings.evaluate(board)
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

impl std::fmt::Display for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Evaluation::Classical => f.write_str("classical"),
            Evaluation::Network(network, isa) => {
                let (name, checksum) = (network.name(), network.checksum());
                write!(f, "network {name} ({checksum:08x}), {}", isa.name())
            }
        }
    }
}
