//! Static evaluation: the [`Evaluator`] interface, the neural network and the classical evaluation.

pub mod classical;
mod engine;
mod evaluator;
mod network;

pub use classical::{ClassicalEvaluator, Explanation, Tapered, TermRow, Weights, explain};
pub use engine::{EngineEvaluator, Evaluation};
pub use evaluator::Evaluator;
pub use network::{InputSet, Isa, Network, NetworkEvaluator, NetworkFormatError};
