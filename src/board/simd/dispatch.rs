//! Calls of the functions for an instruction set.

use crate::types::{Color, MoveList, PieceSet};

use super::super::{AttackMap, Board};
use super::instruction_set::Simd;

/// Evaluates an expression for each instruction set.
macro_rules! with_each {
    ($simd:expr, $set:ident => $result:expr) => {
        match $simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Sse41($set) => $result,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2($set) => $result,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512($set) => $result,
            #[cfg(target_arch = "aarch64")]
            Simd::Neon($set) => $result,
        }
    };
}

impl Simd {
    /// Adds the moves of the `free` knights, bishops, rooks and queens of the side to move to `moves`: captures if
    /// `NOISY`, other moves if `QUIET`. The order is that of the scalar generator.
    #[inline]
    pub fn piece_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        self,
        board: &Board,
        free: PieceSet,
        moves: &mut MoveList,
    ) {
        with_each!(self, set => set.piece_moves::<WHITE, NOISY, QUIET>(board, free, moves));
    }

    /// Vectorised [`Board::attack_map`].
    #[inline]
    pub fn attack_map(self, board: &Board, by: Color) -> AttackMap {
        with_each!(self, set => set.attack_map(board, by))
    }
}
