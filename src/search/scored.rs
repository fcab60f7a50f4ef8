//! Moves with their scores, of which the best is taken out again and again.

use arrayvec::ArrayVec;

use crate::board::MoveSink;
use crate::types::{MOVE_LIST_CAPACITY, Move, MoveList};

/// Bits of a rank that hold a place in the list, and the largest place.
const PLACE_BITS: u32 = 9;
const LAST: i32 = (1 << PLACE_BITS) - 1;

/// So many ranks are compared at a time, lane by lane.
const LANES: usize = 8;

const ROOM: usize = MOVE_LIST_CAPACITY.next_multiple_of(LANES);
const _: () = assert!(ROOM <= LAST as usize);

/// A rank that no move has.
const NONE: i32 = i32::MIN;

/// What is noted of a move besides its score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Remarks {
    /// A quiet move that gives check directly.
    pub checks: bool,
    /// And it does so safely, for which its score holds a bonus.
    pub checks_safely: bool,
}

/// A move that was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scored {
    pub mv: Move,
    pub score: i32,
    pub remarks: Remarks,
}

/// Moves are added, then all of them are scored, then they are taken out.
#[derive(Default)]
pub(super) struct ScoredList {
    moves: MoveList,
    /// By place, once there are scores.
    remarks: ArrayVec<Remarks, MOVE_LIST_CAPACITY>,
    /// Score and place in one number for each move, so that the best is a maximum; then some of [`NONE`], up to a
    /// multiple of [`LANES`].
    ranks: ArrayVec<i32, ROOM>,
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
    /// No moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.remarks.clear();
        self.ranks.clear();
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Scores each move; scores must stay within 22 bits and a sign.
    #[inline]
    pub fn score_by(&mut self, mut score: impl FnMut(Move) -> (i32, Remarks)) {
        self.ranks.clear();
        self.remarks.clear();
        for (place, &mv) in (0..).zip(&self.moves) {
            let (score, remarks) = score(mv);
            self.ranks.push(rank(score, place));
            self.remarks.push(remarks);
        }
        let padded = self.ranks.len().next_multiple_of(LANES);
        while self.ranks.len() < padded {
            self.ranks.push(NONE);
        }
    }

    /// Keeps those moves only; before they have scores.
    pub fn keep(&mut self, mut wanted: impl FnMut(Move) -> bool) {
        self.moves.retain(|mv| wanted(*mv));
    }

    /// Keeps those moves only, in their order, with their scores.
    pub fn keep_scored(&mut self, mut wanted: impl FnMut(Remarks) -> bool) {
        let mut kept = 0;
        for place in 0..self.moves.len() {
            if wanted(self.remarks[place]) {
                self.moves[kept] = self.moves[place];
                self.remarks[kept] = self.remarks[place];
                self.ranks[kept] = rank(self.ranks[place] >> PLACE_BITS, kept as i32);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.remarks.truncate(kept);
        self.ranks[kept..].fill(NONE);
    }

    /// Takes out the best move, of equals the first of the list; or just the first.
    #[inline]
    pub fn take(&mut self, best: bool) -> Option<Scored> {
        if best {
            self.take_best()
        } else {
            self.take_from(0)
        }
    }

    /// Takes out the move with the highest score.
    #[inline]
    pub fn take_best(&mut self) -> Option<Scored> {
        // Lane by lane and without branches, for the compiler to make vectors of.
        let mut highest = [NONE; LANES];
        for ranks in self.ranks.as_chunks::<LANES>().0 {
            for (highest, &rank) in highest.iter_mut().zip(ranks) {
                *highest = rank.max(*highest);
            }
        }
        let highest = highest.into_iter().fold(NONE, i32::max);
        self.take_from((LAST - (highest & LAST)) as usize)
    }

    /// Takes out the move at a place; the last of the list takes it.
    #[inline]
    fn take_from(&mut self, place: usize) -> Option<Scored> {
        debug_assert_eq!(self.moves.len(), self.remarks.len());
        let mv = self.moves.swap_pop(place)?;
        let remarks = self.remarks.swap_remove(place);
        let score = self.ranks[place] >> PLACE_BITS;
        let last = self.moves.len();
        self.ranks[place] = rank(self.ranks[last] >> PLACE_BITS, place as i32);
        self.ranks[last] = NONE;
        Some(Scored { mv, score, remarks })
    }
}

/// Score and place in one number; of equal scores the first place ranks highest.
#[inline(always)]
fn rank(score: i32, place: i32) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - PLACE_BITS));
    score << PLACE_BITS | (LAST - place)
}
