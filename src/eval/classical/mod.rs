//! Classical evaluation: a weighted sum of handwritten terms, interpolated between middlegame and endgame.
//!
//! [`eval_context`] collects piece sets and attacks once per evaluation. Each term has a file of its own.
//! [`evaluation`] adds the terms up. `docs/evaluation.md` describes them and explains how to add one.

mod anatomy;
#[cfg(test)]
mod anatomy_tests;
mod danger;
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
mod tape;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod value;
mod weights;
mod winning_chances;

pub use anatomy::{Anatomist, Anatomy};
pub use evaluator::ClassicalEvaluator;
pub use explain::{Explanation, TermRow, explain};
pub use tapered::Tapered;
pub use weights::Weights;
