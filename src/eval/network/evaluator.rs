//! The evaluator of a network.

use std::sync::Arc;

use crate::board::Board;
use crate::types::{Move, Score};

use super::super::evaluator::Evaluator;
use super::accumulator::AccumulatorStack;
use super::kernels::{Isa, Kernels};
use super::model::Network;

/// Evaluator by a neural network, with incrementally updated accumulators.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    kernels: Kernels,
    accumulators: AccumulatorStack,
}

impl NetworkEvaluator {
    /// Creates an evaluator that computes `network` with the instruction set `isa`.
    ///
    /// It uses scalar code if the processor does not support `isa`. Every instruction set computes the same scores.
    pub fn new(network: Arc<Network>, isa: Isa) -> NetworkEvaluator {
        let kernels = isa.kernels();
        NetworkEvaluator {
            accumulators: AccumulatorStack::new(&network, kernels),
            kernels,
            network,
        }
    }
}

impl Evaluator for NetworkEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        let accumulators = self.accumulators.current(&self.network, board);
        self.network
            .output(self.kernels, accumulators, board.occupancy())
    }

    fn reset(&mut self, board: &Board) {
        self.accumulators.reset(&self.network, board);
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
