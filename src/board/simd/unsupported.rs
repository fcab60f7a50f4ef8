//! Replacement for processors without vectorised board functions. It cannot be constructed.

use std::convert::Infallible;

use crate::board::Board;
use crate::types::{Color, MoveList, PieceSet, SquareSet};

/// Proof of an instruction set that this processor does not have.
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Simd(Infallible);

impl Simd {
    /// Returns `None`.
    pub fn detect() -> Option<Simd> {
        None
    }

    #[inline]
    pub fn piece_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        self,
        _: &Board,
        _: PieceSet,
        _: &mut MoveList,
    ) {
        match self.0 {}
    }

    #[inline]
    pub fn attack_map(self, _: &Board, _: Color) -> SquareSet {
        match self.0 {}
    }
}
