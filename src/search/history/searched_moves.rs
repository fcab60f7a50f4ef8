//! Moves of a node that were searched before a cutoff.

use arrayvec::ArrayVec;

use crate::types::Move;

/// Moves kept of each kind; further ones get no malus.
const MAX_SEARCHED_MOVES: usize = 64;

/// The moves of a node that were searched without a cutoff, for their malus.
#[derive(Debug, Default)]
pub(in crate::search) struct SearchedMoves {
    /// Quiet moves, in search order.
    pub quiets: ArrayVec<Move, MAX_SEARCHED_MOVES>,
    /// Captures and promotions, in search order.
    pub captures: ArrayVec<Move, MAX_SEARCHED_MOVES>,
}

impl SearchedMoves {
    /// Adds a move, unless 64 of its kind are present.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        let list = if mv.is_noisy() {
            &mut self.captures
        } else {
            &mut self.quiets
        };
        if !list.is_full() {
            list.push(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn moves_are_kept_by_kind_up_to_the_capacity() {
        let mv = |kind| Move::new(Square::from_index(8), Square::from_index(16), kind);
        let mut searched = SearchedMoves::default();
        for _ in 0..100 {
            searched.push(mv(MoveKind::Quiet));
        }
        searched.push(mv(MoveKind::Capture));
        assert_eq!(searched.quiets.len(), MAX_SEARCHED_MOVES);
        assert_eq!(searched.captures.as_slice(), [mv(MoveKind::Capture)]);
    }
}
