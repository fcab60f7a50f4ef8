//! Evaluation by an efficiently updatable neural network (NNUE).
//!
//! Each side has an accumulator: the biases plus the weights of all active features, which are the pieces on their
//! squares from this side's perspective. A move changes two to four features, so accumulators are updated
//! incrementally. The output layer weighs the clipped and squared accumulators, or two hidden layers precede it; the
//! number of pieces selects its weights. `docs/network.md` describes architecture, quantisation and training.
//!
//! (Efficiently updatable neural networks: Yu Nasu, 2018, for shogi; for chess: Hisayori Noda and the Stockfish
//! project.)

mod accumulator;
mod architecture;
mod embedded;
mod evaluator;
mod features;
mod format;
mod header;
mod hidden;
mod hidden_format;
mod input_set;
mod kernels;
mod model;
mod quantisation;
#[cfg(test)]
mod tests;

pub use evaluator::NetworkEvaluator;
pub use header::NetworkFormatError;
pub use input_set::InputSet;
pub use kernels::Isa;
pub use model::Network;
