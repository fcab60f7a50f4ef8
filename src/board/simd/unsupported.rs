//! Replacements of the functions for processors without vectorised board functions. They are never called.

use crate::board::Board;
use crate::types::{Color, MoveList, PieceSet, SquareSet};

use super::instruction_set::Simd;

impl Simd {
    #[inline]
    pub fn piece_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        self,
        _: &Board,
        _: PieceSet,
        _: &mut MoveList,
    ) {
        self.never()
    }

    #[inline]
    pub fn attack_map(self, _: &Board, _: Color) -> SquareSet {
        self.never()
    }
}
