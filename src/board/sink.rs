//! Where generated moves go: into a list, or into a count.

use arrayvec::ArrayVec;

use crate::types::Move;

/// Takes the moves a generator finds.
pub trait MoveSink {
    /// One more move.
    fn add(&mut self, mv: Move);
}

/// Counts moves without keeping them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCounter(pub u64);

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn add(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl<const N: usize> MoveSink for ArrayVec<Move, N> {
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        self.push(mv);
    }
}
