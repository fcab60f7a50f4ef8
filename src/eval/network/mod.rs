//! The network: a sum of learned rows, kept up to date move by move, then one layer that weighs it.
//!
//! Each side sees the board with its own eyes. Every piece on its square adds a row of numbers to that side's
//! accumulator; a move changes two to four rows, so that nothing is summed anew. What comes out is clipped, squared,
//! and weighed by the output weights for the number of pieces on the board. (Efficiently updatable networks: Yu Nasu,
//! 2018, for shogi; for chess Hisayori Noda and the Stockfish project; in this form many engines since.)

mod accumulator;
mod features;
mod format;
mod kernels;
mod net;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use crate::board::Board;
use crate::types::{Move, Score};

use super::Evaluator;
use accumulator::Accumulators;
use kernels::Kernels;

pub use format::NetError;
pub use kernels::Isa;
pub use net::Network;

/// The network that comes with the engine; `docs/network.md` tells what it has learned from.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!("gaur.net"));
    Arc::new(network.expect("the file is part of the program, and a test reads it"))
});

/// Judges positions by a network.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    kernels: Kernels,
    accumulators: Accumulators,
}

impl NetworkEvaluator {
    /// With these instructions, or plain code where this processor has not got them; all give the same values.
    pub fn new(network: Arc<Network>, isa: Isa) -> NetworkEvaluator {
        let kernels = isa.kernels();
        NetworkEvaluator {
            accumulators: Accumulators::new(&network, kernels),
            kernels,
            network,
        }
    }
}

impl Evaluator for NetworkEvaluator {
    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        let sides = self.accumulators.both(&self.network, board);
        self.network.output(self.kernels, sides, board.occupancy())
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
