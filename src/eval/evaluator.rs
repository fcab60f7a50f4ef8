//! The interface between the search and an evaluation function.

use crate::board::Board;
use crate::types::{Move, Score};

/// Evaluation function of one search thread, with the caches and incremental state that it needs.
///
/// The search calls [`reset`](Evaluator::reset) at the root, [`push`](Evaluator::push) or
/// [`push_null`](Evaluator::push_null) before it makes a move, and [`pop`](Evaluator::pop) after it unmakes one.
/// The default implementations of these methods do nothing: they suit an evaluator that needs only the board.
/// A network uses them to update its accumulators incrementally.
///
/// ```
/// use gaur::board::Board;
/// use gaur::eval::{EngineEvaluator, Evaluation, Evaluator};
///
/// let mut board = Board::standard();
/// let mut evaluator = EngineEvaluator::new(&Evaluation::default());
/// evaluator.reset(&board);
/// let before = evaluator.evaluate(&board);
///
/// let mv = board.legal_moves()[0];
/// evaluator.push(&board, mv);
/// let undo = board.make(mv);
/// let after = evaluator.evaluate(&board);
/// board.unmake(mv, undo);
/// evaluator.pop();
///
/// assert_ne!(before, after);
/// assert_eq!(before, evaluator.evaluate(&board));
/// ```
pub trait Evaluator {
    /// Returns the raw evaluation of `board` in centipawns, from the side to move's perspective.
    ///
    /// The score lies within ±[`Score::EVAL_MAX`], so that it differs from every mate score. It is undefined if the
    /// side to move is in check.
    fn evaluate(&mut self, board: &Board) -> Score;

    /// Starts a new line of moves at `board` and discards the state of the previous line.
    #[inline]
    fn reset(&mut self, board: &Board) {
        let _ = board;
    }

    /// Notifies the evaluator that the search is about to make the legal move `mv` on `before`.
    #[inline]
    fn push(&mut self, before: &Board, mv: Move) {
        let _ = (before, mv);
    }

    /// Notifies the evaluator that the search is about to make a null move on `before`.
    #[inline]
    fn push_null(&mut self, before: &Board) {
        let _ = before;
    }

    /// Returns `true` if the search must skip the legal move `mv` of the side to move, which is not in check: a limited
    /// playing strength overlooks moves. At the root it is not asked.
    #[inline]
    fn overlooks(&self, board: &Board, mv: Move) -> bool {
        let _ = (board, mv);
        false
    }

    /// Notifies the evaluator that the search has unmade the last move or null move.
    #[inline]
    fn pop(&mut self) {}
}
