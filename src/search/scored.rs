//! List of moves with scores, from which the best move is taken repeatedly.

use arrayvec::ArrayVec;

use crate::board::MoveSink;
use crate::types::{MOVE_LIST_CAPACITY, Move, MoveList};

/// Bits of a sort key that hold the index in the list.
const INDEX_BITS: u32 = 9;

/// Largest index that a sort key can hold.
const MAX_INDEX: i32 = (1 << INDEX_BITS) - 1;

/// Number of sort keys that are compared at once by SIMD instructions.
const LANES: usize = 8;

/// Capacity for sort keys: that for moves, rounded up to a multiple of [`LANES`].
const KEY_CAPACITY: usize = MOVE_LIST_CAPACITY.next_multiple_of(LANES);
const _: () = assert!(KEY_CAPACITY <= MAX_INDEX as usize);

/// Sort key below that of every move.
const NO_MOVE: i32 = i32::MIN;

/// Properties of a quiet move that were computed for its score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveFlags {
    /// Set if the move gives direct check.
    pub gives_direct_check: bool,
    /// Set if it gives direct check without losing much material; its score includes a bonus for this.
    pub gives_safe_check: bool,
}

/// A move taken from the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its score.
    pub score: i32,
    /// Its properties.
    pub flags: MoveFlags,
}

/// A list of moves. First moves are added, then all are scored, then they are taken.
#[derive(Default)]
pub(super) struct ScoredList {
    moves: MoveList,
    /// Flags of the moves, in the same order; empty before scoring.
    flags: ArrayVec<MoveFlags, MOVE_LIST_CAPACITY>,
    /// Sort keys of the moves, in the same order: score and index in one number, so that the best move is the maximum.
    /// Filled up with [`NO_MOVE`] to a multiple of [`LANES`].
    sort_keys: ArrayVec<i32, KEY_CAPACITY>,
}

impl MoveSink for ScoredList {
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    #[inline(always)]
    fn list(&mut self) -> Option<&mut MoveList> {
        Some(&mut self.moves)
    }
}

impl ScoredList {
    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.flags.clear();
        self.sort_keys.clear();
    }

    /// Returns `true` if the list has no moves.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Scores all moves. A score must fit into 22 bits and a sign.
    #[inline]
    pub fn score_by(&mut self, mut score: impl FnMut(Move) -> (i32, MoveFlags)) {
        self.sort_keys.clear();
        self.flags.clear();
        for (index, &mv) in (0..).zip(&self.moves) {
            let (score, flags) = score(mv);
            self.sort_keys.push(sort_key(score, index));
            self.flags.push(flags);
        }
        let padded = self.sort_keys.len().next_multiple_of(LANES);
        while self.sort_keys.len() < padded {
            self.sort_keys.push(NO_MOVE);
        }
    }

    /// Keeps only the moves for which `keeps` returns `true`. The moves must not have been scored.
    pub fn keep(&mut self, mut keeps: impl FnMut(Move) -> bool) {
        self.moves.retain(|mv| keeps(*mv));
    }

    /// Keeps only the moves for which `keeps` returns `true`, with their order and scores.
    pub fn keep_scored(&mut self, mut keeps: impl FnMut(MoveFlags) -> bool) {
        let mut kept = 0;
        for index in 0..self.moves.len() {
            if keeps(self.flags[index]) {
                self.moves[kept] = self.moves[index];
                self.flags[kept] = self.flags[index];
                self.sort_keys[kept] = sort_key(self.sort_keys[index] >> INDEX_BITS, kept as i32);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.flags.truncate(kept);
        self.sort_keys[kept..].fill(NO_MOVE);
    }

    /// Takes the first move.
    #[inline]
    pub fn take_first(&mut self) -> Option<ScoredMove> {
        self.take_at(0)
    }

    /// Takes the move with the highest score; of equal scores the first in the list.
    #[inline]
    pub fn take_best(&mut self) -> Option<ScoredMove> {
        self.take_at(index_of(self.highest_key()))
    }

    /// Takes the move with the highest score if it is at least `least`; of equal scores the first in the list.
    #[inline]
    pub fn take_best_from(&mut self, least: i32) -> Option<ScoredMove> {
        let highest = self.highest_key();
        if highest >> INDEX_BITS < least {
            return None;
        }
        self.take_at(index_of(highest))
    }

    /// Returns the highest sort key; [`NO_MOVE`] if there is no move.
    #[inline]
    fn highest_key(&self) -> i32 {
        // One maximum per lane, without branches: the compiler turns this into SIMD instructions.
        let mut highest = [NO_MOVE; LANES];
        for keys in self.sort_keys.as_chunks::<LANES>().0 {
            for (highest, &key) in highest.iter_mut().zip(keys) {
                *highest = key.max(*highest);
            }
        }
        highest.into_iter().fold(NO_MOVE, i32::max)
    }

    /// Takes the move at an index; the last move of the list replaces it. Returns `None` if the index is too large.
    #[inline]
    fn take_at(&mut self, index: usize) -> Option<ScoredMove> {
        debug_assert_eq!(self.moves.len(), self.flags.len());
        let mv = self.moves.swap_pop(index)?;
        let flags = self.flags.swap_remove(index);
        let score = self.sort_keys[index] >> INDEX_BITS;
        let last = self.moves.len();
        self.sort_keys[index] = sort_key(self.sort_keys[last] >> INDEX_BITS, index as i32);
        self.sort_keys[last] = NO_MOVE;
        Some(ScoredMove { mv, score, flags })
    }
}

/// Returns score and index in one number. Of equal scores, the smallest index has the largest key.
#[inline(always)]
fn sort_key(score: i32, index: i32) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - INDEX_BITS));
    score << INDEX_BITS | (MAX_INDEX - index)
}

/// Returns the index in a sort key; one that is too large for [`NO_MOVE`].
#[inline(always)]
fn index_of(key: i32) -> usize {
    (MAX_INDEX - (key & MAX_INDEX)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn moves_are_taken_by_score_and_then_by_order() {
        let mv = |to| {
            let [from, to] = [0, to].map(Square::from_index);
            Move::new(from, to, MoveKind::Quiet)
        };
        let mut list = ScoredList::default();
        for to in 1..=20 {
            list.add(mv(to));
        }
        list.score_by(|mv| {
            let target = mv.to().index() as i32;
            let flags = MoveFlags {
                gives_direct_check: target % 2 == 0,
                gives_safe_check: false,
            };
            (-(target % 5), flags)
        });
        list.keep_scored(|flags| flags.gives_direct_check);
        let good: Vec<_> = std::iter::from_fn(|| list.take_best_from(-1))
            .map(|taken| taken.mv)
            .collect();
        assert_eq!(good, [10, 20, 6, 16].map(mv));
        let taken: Vec<_> = std::iter::from_fn(|| list.take_best())
            .map(|taken| (taken.score, taken.mv))
            .collect();
        assert_eq!(taken.len(), 6);
        assert!(taken.iter().all(|(_, mv)| mv.to().index() % 2 == 0));
        assert!(taken.is_sorted_by(|a, b| a.0 >= b.0), "{taken:?}");
        assert_eq!(taken[0].1, mv(2), "the first of two with score -2");
    }
}
