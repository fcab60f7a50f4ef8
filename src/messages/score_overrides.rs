//! Scores that the user has set for positions (`setscore`).

use crate::types::{Depth, Key, Score};

/// The score of a position, for searches up to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScoreOverride {
    key: Key,
    /// Score in table form ([`Score::to_table`]).
    score: Score,
    depth: Depth,
}

/// Scores that the user has set, at most one per position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreOverrides {
    /// Overrides sorted by key.
    scores: Vec<ScoreOverride>,
}

impl ScoreOverrides {
    /// Sets the score of the position with this key for its side to move, in searches to `depth` or less. The distance
    /// of a mate counts from that position.
    pub fn set(&mut self, key: Key, score: Score, depth: Depth) {
        let score_override = ScoreOverride { key, score, depth };
        match self.index_of(key) {
            Ok(index) => self.scores[index] = score_override,
            Err(index) => self.scores.insert(index, score_override),
        }
    }

    /// Returns the score of the position with this key in a search to `depth`, if it is set. The distance of a mate
    /// counts from that position.
    pub fn get(&self, key: Key, depth: Depth) -> Option<Score> {
        let score_override = self.scores[self.index_of(key).ok()?];
        (depth <= score_override.depth).then_some(score_override.score)
    }

    /// Returns `true` if no score is set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    fn index_of(&self, key: Key) -> Result<usize, usize> {
        self.scores
            .binary_search_by_key(&key.0, |score_override| score_override.key.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_applies_to_its_position_up_to_its_depth() {
        let mut overrides = ScoreOverrides::default();
        assert!(overrides.is_empty());
        for key in [7, 3, 9] {
            overrides.set(Key(key), Score(key as i32), 5);
        }
        assert_eq!(overrides.get(Key(3), 5), Some(Score(3)));
        assert_eq!(overrides.get(Key(9), -2), Some(Score(9)));
        assert_eq!(overrides.get(Key(3), 6), None);
        assert_eq!(overrides.get(Key(4), 1), None);
        overrides.set(Key(3), Score(-20), 8);
        assert_eq!(overrides.get(Key(3), 6), Some(Score(-20)));
    }
}
