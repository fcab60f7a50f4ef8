//! For processors for which no vectors are written.

use std::convert::Infallible;

use crate::types::{Color, MoveList, PieceSet};

use super::super::Board;

/// There is no such thing.
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Vectors(Infallible);

impl Vectors {
    /// Never.
    #[inline]
    pub fn get() -> Option<Vectors> {
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
    pub fn attack_map(self, _: &Board, _: Color) -> u64 {
        match self.0 {}
    }
}
