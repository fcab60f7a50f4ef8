//! The scores of even positions.

use crate::types::Score;

/// Largest score of an even position in centipawns.
pub(super) const EVEN_SCORE: i32 = 15;

/// The scores of even positions, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EvenScores {
    /// Lowest score.
    pub lowest: i32,
    /// Highest score.
    pub highest: i32,
}

impl EvenScores {
    /// Returns the scores of even positions in searches with this contempt: a drawn position scores its negative, and
    /// an equal one with pieces left about 0.
    pub fn with_contempt(contempt: i32) -> EvenScores {
        EvenScores {
            lowest: -EVEN_SCORE - contempt.max(0),
            highest: EVEN_SCORE - contempt.min(0),
        }
    }

    /// Returns `true` for the score of an even position.
    pub fn contains(self, score: Score) -> bool {
        (Score(self.lowest)..=Score(self.highest)).contains(&score)
    }
}
