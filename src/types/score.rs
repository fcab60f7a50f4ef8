//! Scores: centipawns for the side to move, and mate distances in plies.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use super::Ply;

/// A value for the side to move, in centipawns; near the ends of its range, a distance to mate in plies.
///
/// Fits in sixteen bits, so that the transposition table can pack it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Nobody is better.
    pub const DRAW: Score = Score(0);
    /// Mate on the board, seen by the winner.
    pub const MATE: Score = Score(32_000);
    /// Beyond every score a search can return: the first window.
    pub const INFINITE: Score = Score(32_001);
    /// No score: never a result of a search.
    pub const NONE: Score = Score(32_002);
    /// The least score that announces a mate.
    pub const MATE_BOUND: Score = Score(Score::MATE.0 - super::MAX_PLY as i32);
    /// The largest score the evaluation may give.
    pub const EVAL_MAX: Score = Score(Score::MATE_BOUND.0 - 1);

    /// The side to move is mated here, `ply` half-moves from the root.
    #[inline]
    pub const fn mated_in(ply: Ply) -> Score {
        Score(-Score::MATE.0 + ply.0 as i32)
    }

    /// The side to move mates `ply` half-moves from the root.
    #[inline]
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Score::MATE.0 - ply.0 as i32)
    }

    /// Whether it announces a mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE_BOUND.0
    }

    /// Half-moves until mate if this announces one: positive when the side to move wins.
    pub const fn mate_distance(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(Score::MATE.0 - self.0)
        } else {
            Some(-Score::MATE.0 - self.0)
        }
    }

    /// Held within what an evaluation may say, so that it cannot be taken for a mate.
    #[inline]
    pub fn clamp_to_eval(self) -> Score {
        Score(self.0.clamp(-Score::EVAL_MAX.0, Score::EVAL_MAX.0))
    }

    /// The form kept in the transposition table: mate distances counted from the stored position, `ply`
    /// half-moves below the root, instead of from the root.
    #[inline]
    pub const fn to_table(self, ply: Ply) -> Score {
        if self.0 >= Score::MATE_BOUND.0 {
            Score(self.0 + ply.0 as i32)
        } else if self.0 <= -Score::MATE_BOUND.0 {
            Score(self.0 - ply.0 as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::to_table`].
    #[inline]
    pub const fn from_table(self, ply: Ply) -> Score {
        if self.0 >= Score::MATE_BOUND.0 {
            Score(self.0 - ply.0 as i32)
        } else if self.0 <= -Score::MATE_BOUND.0 {
            Score(self.0 + ply.0 as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl AddAssign<i32> for Score {
    #[inline]
    fn add_assign(&mut self, margin: i32) {
        self.0 += margin;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(plies) => write!(f, "mate in {plies} plies"),
            None => write!(f, "{} cp", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_form_is_the_distance_from_the_stored_position() {
        let seen_from_root = Score::mate_in(Ply(9));
        let stored = seen_from_root.to_table(Ply(4));
        assert_eq!(stored.mate_distance(), Some(5));
        assert_eq!(stored.from_table(Ply(4)), seen_from_root);
        assert_eq!((-seen_from_root).to_table(Ply(4)), -stored);
        assert_eq!(Score(123).to_table(Ply(30)), Score(123));
    }

    #[test]
    fn evaluations_are_no_mates() {
        assert!(!Score(1_000_000).clamp_to_eval().is_mate());
        assert!(!Score(-1_000_000).clamp_to_eval().is_mate());
        assert_eq!(Score::mated_in(Ply(2)).mate_distance(), Some(-2));
    }
}
