//! The evaluator of a network.

use std::sync::Arc;

use crate::board::Board;
use crate::types::{Move, Score};

use super::super::evaluator::Evaluator;
use super::accumulator::AccumulatorStack;
use super::architecture::OutputKind;
use super::kernels::{Isa, KernelVisitor, Kernels};
use super::model::Network;

/// Evaluator by a neural network, with incrementally updated accumulators.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    functions: Functions,
    accumulators: AccumulatorStack,
}

/// Functions for one instruction set, one width of accumulators and one kind of output.
#[derive(Clone, Copy)]
struct Functions {
    evaluate: fn(&mut AccumulatorStack, &Network, &Board) -> Score,
    reset: fn(&mut AccumulatorStack, &Network, &Board),
}

/// Selects the functions for this kind of output.
struct SelectFunctions(OutputKind);

impl KernelVisitor for SelectFunctions {
    type Output = Functions;

    fn visit<K: Kernels, const B: usize>(self) -> Functions {
        Functions {
            evaluate: match self.0 {
                OutputKind::Single => evaluate::<K, B>,
                OutputKind::Hidden => evaluate_hidden::<K, B>,
            },
            reset: AccumulatorStack::reset::<K, B>,
        }
    }
}

/// Returns the score of `board`, the current position of the accumulators, by a single output.
fn evaluate<K: Kernels, const B: usize>(
    accumulators: &mut AccumulatorStack,
    network: &Network,
    board: &Board,
) -> Score {
    let accumulators = accumulators.current::<K, B>(network, board);
    network.output::<K, B>(accumulators, board.occupancy())
}

/// Returns the score of `board`, the current position of the accumulators, by hidden layers.
fn evaluate_hidden<K: Kernels, const B: usize>(
    accumulators: &mut AccumulatorStack,
    network: &Network,
    board: &Board,
) -> Score {
    let accumulators = accumulators.current::<K, B>(network, board);
    network.hidden_output::<K, B>(accumulators, board.occupancy())
}

impl NetworkEvaluator {
    /// Creates an evaluator that computes `network` with the instruction set `isa`.
    ///
    /// It uses scalar code if the processor does not support `isa`. Every instruction set computes the same scores.
    pub fn new(network: Arc<Network>, isa: Isa) -> NetworkEvaluator {
        NetworkEvaluator {
            accumulators: AccumulatorStack::new(&network),
            functions: isa.visit(
                network.architecture.width,
                SelectFunctions(network.architecture.output),
            ),
            network,
        }
    }
}

impl Evaluator for NetworkEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        (self.functions.evaluate)(&mut self.accumulators, &self.network, board)
    }

    fn reset(&mut self, board: &Board) {
        (self.functions.reset)(&mut self.accumulators, &self.network, board);
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move) {
        self.accumulators.push(before, mv);
    }

    #[inline]
    fn push_null(&mut self, _before: &Board) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }
}
