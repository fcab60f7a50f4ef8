//! How good a position is, without searching: the [`Evaluator`] interface and what implements it.

mod classical;
mod engine;
mod network;

pub use classical::{
    Anatomist, Anatomy, ClassicalEvaluator, Explanation, Tapered, TermRow, Weights, explain,
};

pub use engine::{EngineEvaluator, Evaluation};
pub use network::{Isa, NetError, Network, NetworkEvaluator};

use crate::board::Board;
use crate::types::{Move, Score};

/// A judge of positions. Each search thread owns one, as an evaluator may keep caches.
///
/// The search calls [`reset`](Evaluator::reset) with the root, then [`push`](Evaluator::push) before
/// each move it makes and [`pop`](Evaluator::pop) after each move it takes back. An evaluator that
/// looks at the board alone ignores these calls; one that carries sums along the line of play (a
/// network's first layer) lives by them.
pub trait Evaluator {
    /// The value of `board` for the side to move, in centipawns. Never beyond
    /// [`Score::EVAL_MAX`], so that it cannot be taken for a mate.
    ///
    /// Not meaningful when the side to move is in check.
    fn evaluate(&mut self, board: &Board) -> Score;

    /// A search starts at `board`: whatever was carried along another line is void.
    #[inline]
    fn reset(&mut self, board: &Board) {
        let _ = board;
    }

    /// `mv` is about to be made on `before`.
    #[inline]
    fn push(&mut self, before: &Board, mv: Move) {
        let _ = (before, mv);
    }

    /// A null move is about to be made on `before`.
    #[inline]
    fn push_null(&mut self, before: &Board) {
        let _ = before;
    }

    /// The latest move told by [`push`](Evaluator::push) or [`push_null`](Evaluator::push_null) was
    /// taken back.
    #[inline]
    fn pop(&mut self) {}
}
