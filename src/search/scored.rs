//! Moves with their scores, of which the best is taken out again and again.

use arrayvec::ArrayVec;

use crate::board::MoveSink;
use crate::types::{MAX_MOVES, Move};

/// Bits of a rank that hold a place in the list, and the largest place.
const PLACE_BITS: u32 = 9;
const LAST: i32 = (1 << PLACE_BITS) - 1;

/// So many ranks are compared at a time, lane by lane.
const LANES: usize = 8;

const ROOM: usize = MAX_MOVES.next_multiple_of(LANES);
const _: () = assert!(ROOM <= LAST as usize);

/// A rank that no move has.
const NONE: i32 = i32::MIN;

/// A move of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub mv: Move,
    /// A quiet move that gives check directly.
    pub checks: bool,
    /// And it does so safely, for which its score holds a bonus.
    pub checks_safely: bool,
}

/// Moves are added, then all of them are scored, then they are taken out.
#[derive(Default)]
pub(super) struct ScoredList {
    moves: ArrayVec<Listed, ROOM>,
    /// Score and place in one number for each move, so that the best is a maximum; then some of [`NONE`], up to a
    /// multiple of [`LANES`].
    ranks: ArrayVec<i32, ROOM>,
}

impl MoveSink for ScoredList {
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        self.moves.push(Listed {
            mv,
            checks: false,
            checks_safely: false,
        });
    }
}

impl ScoredList {
    /// No moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves, to be changed; ranks are not looked at.
    #[inline]
    pub fn moves_mut(&mut self) -> &mut [Listed] {
        &mut self.moves
    }

    /// Scores each move; scores must stay within 22 bits and a sign.
    #[inline]
    pub fn score_by(&mut self, mut score: impl FnMut(&mut Listed) -> i32) {
        self.ranks.clear();
        for (place, listed) in (0..).zip(&mut self.moves) {
            self.ranks.push(rank(score(listed), place));
        }
        let padded = self.ranks.len().next_multiple_of(LANES);
        while self.ranks.len() < padded {
            self.ranks.push(NONE);
        }
    }

    /// Keeps those moves only; before they have scores.
    pub fn keep(&mut self, mut wanted: impl FnMut(&Listed) -> bool) {
        self.moves.retain(|listed| wanted(listed));
    }

    /// Keeps those moves only, in their order, with their scores.
    pub fn keep_scored(&mut self, mut wanted: impl FnMut(&Listed) -> bool) {
        let scores: ArrayVec<i32, ROOM> = (self.ranks.iter().zip(&self.moves))
            .filter(|(_, listed)| wanted(listed))
            .map(|(rank, _)| rank >> PLACE_BITS)
            .collect();
        self.keep(wanted);
        let mut scores = scores.into_iter();
        self.score_by(|_| scores.next().unwrap_or_default());
    }

    /// Takes out the best move with its score, of equals the first of the list; or just the first.
    #[inline]
    pub fn take(&mut self, best: bool) -> Option<(Listed, i32)> {
        if best {
            self.take_best()
        } else {
            self.take_from(0)
        }
    }

    /// Takes out the move with the highest score.
    #[inline]
    pub fn take_best(&mut self) -> Option<(Listed, i32)> {
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
    fn take_from(&mut self, place: usize) -> Option<(Listed, i32)> {
        let listed = self.moves.swap_pop(place)?;
        let score = self.ranks[place] >> PLACE_BITS;
        let last = self.moves.len();
        self.ranks[place] = rank(self.ranks[last] >> PLACE_BITS, place as i32);
        self.ranks[last] = NONE;
        Some((listed, score))
    }
}

/// Score and place in one number; of equal scores the first place ranks highest.
#[inline(always)]
fn rank(score: i32, place: i32) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - PLACE_BITS));
    score << PLACE_BITS | (LAST - place)
}
