//! Where generated moves go: into a list, or into a count.

use crate::types::{Move, MoveList};

/// Takes the moves a generator finds.
pub trait MoveSink {
    /// One more move.
    fn add(&mut self, mv: Move);

    /// The list that the moves go to, if they do: to it several can be added at once.
    #[inline(always)]
    fn list(&mut self) -> Option<&mut MoveList> {
        None
    }
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
