//! Scores that a user has given to positions (`setscore`).

use crate::types::{Depth, Key, Score};

/// What a position counts, and how deep the searches are for which that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScoreOverride {
    key: Key,
    /// In table form ([`Score::to_table`]).
    score: Score,
    depth: Depth,
}

/// Scores given to positions, one for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreOverrides {
    /// In the order of their keys.
    scores: Vec<ScoreOverride>,
}

impl ScoreOverrides {
    /// From now on the position with this key counts `score`, for its side to move, wherever it is searched to
    /// `depth` or less. A mate is counted from that position.
    pub fn set(&mut self, key: Key, score: Score, depth: Depth) {
        let given = ScoreOverride { key, score, depth };
        match self.place(key) {
            Ok(index) => self.scores[index] = given,
            Err(index) => self.scores.insert(index, given),
        }
    }

    /// What the position with this key counts in a search to `depth`, a mate being counted from that position.
    pub fn get(&self, key: Key, depth: Depth) -> Option<Score> {
        let given = self.scores[self.place(key).ok()?];
        (depth <= given.depth).then_some(given.score)
    }

    /// Whether none has been given.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    fn place(&self, key: Key) -> Result<usize, usize> {
        self.scores
            .binary_search_by_key(&key.0, |given| given.key.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_holds_for_its_position_up_to_its_depth() {
        let mut given = ScoreOverrides::default();
        assert!(given.is_empty());
        for key in [7, 3, 9] {
            given.set(Key(key), Score(key as i32), 5);
        }
        assert_eq!(given.get(Key(3), 5), Some(Score(3)));
        assert_eq!(given.get(Key(9), -2), Some(Score(9)));
        assert_eq!(given.get(Key(3), 6), None);
        assert_eq!(given.get(Key(4), 1), None);
        given.set(Key(3), Score(-20), 8);
        assert_eq!(given.get(Key(3), 6), Some(Score(-20)));
    }
}
