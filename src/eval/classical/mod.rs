//! Classical evaluation: a weighted sum of handwritten terms, interpolated between middlegame and endgame.
//!
//! `eval_context` collects piece sets and attacks once per evaluation. Each term has a file of its own.
//! `evaluation` adds the terms up. `docs/evaluation.md` describes them and explains how to add one.

pub mod danger;
mod endgame;
mod eval_cache;
mod eval_context;
mod evaluation;
mod evaluator;
mod explain;
mod king;
mod kpk;
mod lines;
mod material;
mod passed;
mod pawns;
mod pieces;
mod shelter;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod value;
mod weights;
mod winning_chances;

pub use endgame::{FULL_SCALE, Scale};
pub use evaluation::{ClassicalEvaluation, EvaluationResult};
pub use evaluator::ClassicalEvaluator;
pub use explain::{Explanation, TermRow, explain};
pub use material::FULL_PHASE;
pub use tapered::Tapered;
pub use trace::{Sums, Term, Trace};
pub use value::Value;
pub use weights::Weights;
