//! Cache of evaluations. The search requests many of them twice: first in a node and then in quiescence search, or
//! after a transposition whose table entry has been replaced.

use crate::types::{Key, Score};

/// Evaluations by position key, direct mapped: a new entry replaces the old one in its slot.
///
/// An entry is one word: the upper 48 bits of the key, and the score in the lower 16. The slot index verifies
/// [`EvalCache::BITS`] of the missing bits, so a lookup returns the score of another position once in 2^62 cases.
pub(super) struct EvalCache {
    entries: Box<[u64]>,
}

impl EvalCache {
    /// Number of index bits. The cache has 128 KiB, which fits into a second-level cache.
    const BITS: u32 = 14;

    /// Bits of an entry that hold the score.
    const SCORE: u64 = 0xFFFF;

    /// Creates an empty cache.
    pub(super) fn new() -> EvalCache {
        // An empty slot matches only keys with 48 zero bits, which is as improbable as two equal keys.
        EvalCache {
            entries: vec![0; 1 << EvalCache::BITS].into(),
        }
    }

    /// Returns the score stored for `key`, unless another entry has replaced it.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Score> {
        let entry = self.entries[EvalCache::slot(key)];
        let is_same = (entry ^ key.0) & !EvalCache::SCORE == 0;
        is_same.then_some(Score(i32::from(entry as u16 as i16)))
    }

    /// Stores a score, which must fit into 16 bits, as evaluations do.
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
    fn scores_are_returned_until_another_position_replaces_them() {
        let mut cache = EvalCache::new();
        let (one, other) = (Key(0x1234_5678_9ABC_DEF0), Key(0x1235_5678_9ABC_DEF0));
        assert_eq!(cache.get(one), None);
        for score in [Score(0), Score(-31_000), Score(31_000)] {
            cache.put(one, score);
            assert_eq!(cache.get(one), Some(score));
            assert_eq!(cache.get(other), None);
        }
        cache.put(other, Score(7));
        assert_eq!((cache.get(one), cache.get(other)), (None, Some(Score(7))));
    }
}
