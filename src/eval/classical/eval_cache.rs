//! Evaluations of positions seen lately: many are asked for twice, by the search and then by quiescence, or in another
//! order of moves after the transposition table has lost them.

use crate::types::{Key, Score};

/// Remembers evaluations by key. Direct mapped: a new one replaces an old one.
///
/// An entry is one word: the key but for its lowest 16 bits, and the score in their place. Of those 16 the slot tells
/// [`EvalCache::BITS`], so that two positions are taken for one another once in 2^62 lookups of a full slot.
pub(super) struct EvalCache {
    entries: Box<[u64]>,
}

impl EvalCache {
    /// 128 KiB: part of a second-level cache.
    const BITS: u32 = 14;

    const SCORE: u64 = 0xFFFF;

    /// Nothing known.
    pub(super) fn new() -> EvalCache {
        // An empty slot is taken for a match by keys with 48 zero bits only, which is as improbable as two equal keys.
        EvalCache {
            entries: vec![0; 1 << EvalCache::BITS].into(),
        }
    }

    /// The score of the position with this key, if it was noted and not replaced.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Score> {
        let entry = self.entries[EvalCache::slot(key)];
        let is_same = (entry ^ key.0) & !EvalCache::SCORE == 0;
        is_same.then_some(Score(i32::from(entry as u16 as i16)))
    }

    /// Notes a score, which must fit 16 bits, as evaluations do.
    #[inline]
    pub(super) fn put(&mut self, key: Key, score: Score) {
        let entry = key.0 & !EvalCache::SCORE | u64::from(score.0 as i16 as u16);
        self.entries[EvalCache::slot(key)] = entry;
    }

    #[inline]
    fn slot(key: Key) -> usize {
        key.0 as usize % (1 << EvalCache::BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_comes_back_until_another_position_takes_its_slot() {
        let mut scores = EvalCache::new();
        let (one, other) = (Key(0x1234_5678_9ABC_DEF0), Key(0x1235_5678_9ABC_DEF0));
        assert_eq!(scores.get(one), None);
        for score in [Score(0), Score(-31_000), Score(31_000)] {
            scores.put(one, score);
            assert_eq!(scores.get(one), Some(score));
            assert_eq!(scores.get(other), None);
        }
        scores.put(other, Score(7));
        assert_eq!((scores.get(one), scores.get(other)), (None, Some(Score(7))));
    }
}
