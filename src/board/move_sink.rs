//! Receivers of generated moves: a list or a counter.

use crate::types::{Move, MoveList};

/// Receiver of generated moves.
///
/// ```
/// use gaur::board::{Board, MoveCounter, MoveFilter};
///
/// let (board, mut counter) = (Board::standard(), MoveCounter::default());
/// board.generate(&board.check_info(), MoveFilter::All, &mut counter);
/// assert_eq!(counter.0, 20);
/// ```
pub trait MoveSink {
    /// Adds a move.
    fn add(&mut self, mv: Move);

    /// Returns the list to which the moves are added, if there is one. The generator can then add several moves at
    /// once.
    #[inline(always)]
    fn list(&mut self) -> Option<&mut MoveList> {
        None
    }
}

/// Counter of generated moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCounter(pub u64);

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn add(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        self.push(mv);
    }

    #[inline(always)]
    fn list(&mut self) -> Option<&mut MoveList> {
        Some(self)
    }
}
