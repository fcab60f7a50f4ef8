//! Scores: centipawns, mate distances and tablebase results for the side to move.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use super::Ply;

/// Centipawns that users see for a tablebase win at the root.
const SHOWN_TABLEBASE_WIN: i32 = 20_000;

/// A score for the side to move. It fits into 16 bits, so that the transposition table can pack it.
///
/// | absolute value | meaning |
/// |---|---|
/// | 0 to [`Score::EVAL_MAX`] | evaluation in centipawns |
/// | [`Score::TABLEBASE_BOUND`] to [`Score::TABLEBASE_WIN`] | tablebase result, see [`Score::tablebase_win_in`] |
/// | [`Score::MATE_BOUND`] to [`Score::MATE`] | mate, see [`Score::mate_in`] |
/// | [`Score::INFINITE`] | bound of the widest window |
/// | [`Score::NONE`] | no score |
///
/// ```
/// use gaur::types::{Ply, Score};
///
/// assert!(Score::mate_in(Ply(5)) < Score::mate_in(Ply(3)));
/// assert!(Score::tablebase_win_in(Ply(3)) < Score::mate_in(Ply(5)));
/// assert!(Score(900) < Score::tablebase_win_in(Ply(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Score of a drawn position.
    pub const DRAW: Score = Score(0);
    /// Score of the side that has mated. Mate scores count down from it, one per ply from the root.
    pub const MATE: Score = Score(32_000);
    /// Score above every score that a search returns.
    pub const INFINITE: Score = Score(32_001);
    /// Marker for a missing score. A search never returns it.
    pub const NONE: Score = Score(32_002);
    /// Lowest score of a won mate.
    pub const MATE_BOUND: Score = Score(Score::MATE.0 - super::MAX_PLY as i32);
    /// Score of a tablebase win at the root. Tablebase scores count down from it, one per ply from the root.
    pub const TABLEBASE_WIN: Score = Score(Score::MATE_BOUND.0 - 1);
    /// Lowest score of a tablebase win.
    pub const TABLEBASE_BOUND: Score = Score(Score::TABLEBASE_WIN.0 - super::MAX_PLY as i32);
    /// Highest score of an evaluation.
    pub const EVAL_MAX: Score = Score(Score::TABLEBASE_BOUND.0 - 1);

    /// Returns the score of a side that is mated `ply` half-moves from the root.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// assert_eq!(Score::mated_in(Ply::ROOT), -Score::MATE);
    /// assert_eq!(Score::mated_in(Ply(2)).mate_distance(), Some(-2));
    /// ```
    #[inline]
    pub const fn mated_in(ply: Ply) -> Score {
        Score(-Score::MATE.0 + ply.0 as i32)
    }

    /// Returns the score of a side that mates `ply` half-moves from the root.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// assert_eq!(Score::mate_in(Ply(3)).mate_distance(), Some(3));
    /// ```
    #[inline]
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Score::MATE.0 - ply.0 as i32)
    }

    /// Returns the score of a side that reaches a won tablebase position `ply` half-moves from the root. The
    /// score of a lost position is its negative.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// let score = Score::tablebase_win_in(Ply(4));
    /// assert!(score.is_tablebase() && !score.is_mate() && score.is_decisive());
    /// assert!((-score).is_tablebase());
    /// ```
    #[inline]
    pub const fn tablebase_win_in(ply: Ply) -> Score {
        Score(Score::TABLEBASE_WIN.0 - ply.0 as i32)
    }

    /// Returns `true` for a mate of either side.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// assert!(Score::mated_in(Ply(2)).is_mate());
    /// assert!(!Score::EVAL_MAX.is_mate());
    /// ```
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE_BOUND.0
    }

    /// Returns `true` for a win or loss by tablebase.
    #[inline]
    pub const fn is_tablebase(self) -> bool {
        self.is_decisive() && !self.is_mate()
    }

    /// Returns `true` for a proven win or loss: by mate or by tablebase.
    ///
    /// ```
    /// use gaur::types::Score;
    ///
    /// assert!(Score::TABLEBASE_BOUND.is_decisive() && Score::MATE.is_decisive());
    /// assert!(!Score::EVAL_MAX.is_decisive());
    /// ```
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Score::TABLEBASE_BOUND.0
    }

    /// Returns the score in centipawns as users see it. Tablebase results are counted from 200 pawns down, as in other
    /// engines; programs that read scores may take larger numbers for mates.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// assert_eq!(Score::tablebase_win_in(Ply(3)).centipawns(), 19_997);
    /// assert_eq!(Score(-35).centipawns(), -35);
    /// ```
    pub const fn centipawns(self) -> i32 {
        if self.is_tablebase() {
            self.0 - self.0.signum() * (Score::TABLEBASE_WIN.0 - SHOWN_TABLEBASE_WIN)
        } else {
            self.0
        }
    }

    /// Returns the number of half-moves to mate if this is a mate score; it is negative if the side to move is mated.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// assert_eq!(Score::mated_in(Ply(4)).mate_distance(), Some(-4));
    /// assert_eq!(Score(500).mate_distance(), None);
    /// ```
    pub const fn mate_distance(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(Score::MATE.0 - self.0)
        } else {
            Some(-Score::MATE.0 - self.0)
        }
    }

    /// Returns the nearest score that an evaluation may have.
    ///
    /// ```
    /// use gaur::types::Score;
    ///
    /// assert_eq!(Score(1_000_000).clamp_to_eval(), Score::EVAL_MAX);
    /// assert_eq!(Score(-12).clamp_to_eval(), Score(-12));
    /// ```
    #[inline]
    pub fn clamp_to_eval(self) -> Score {
        Score(self.0.clamp(-Score::EVAL_MAX.0, Score::EVAL_MAX.0))
    }

    /// Returns the form that the transposition table stores: mates and tablebase results are counted from the stored
    /// position, `ply` half-moves below the root, instead of from the root.
    ///
    /// ```
    /// use gaur::types::{Ply, Score};
    ///
    /// let stored = Score::mate_in(Ply(9)).to_table(Ply(4));
    /// assert_eq!(stored.mate_distance(), Some(5));
    /// assert_eq!(stored.from_table(Ply(4)), Score::mate_in(Ply(9)));
    /// ```
    #[inline]
    pub const fn to_table(self, ply: Ply) -> Score {
        if self.0 >= Score::TABLEBASE_BOUND.0 {
            Score(self.0 + ply.0 as i32)
        } else if self.0 <= -Score::TABLEBASE_BOUND.0 {
            Score(self.0 - ply.0 as i32)
        } else {
            self
        }
    }

    /// Returns the score counted from the root; the inverse of [`Score::to_table`].
    #[inline]
    pub const fn from_table(self, ply: Ply) -> Score {
        if self.0 >= Score::TABLEBASE_BOUND.0 {
            Score(self.0 - ply.0 as i32)
        } else if self.0 <= -Score::TABLEBASE_BOUND.0 {
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
    use crate::types::MAX_PLY;

    #[test]
    fn table_form_is_the_distance_from_the_stored_position() {
        let root = Ply(4);
        for seen_from_root in [Score::mate_in(Ply(9)), Score::tablebase_win_in(Ply(9))] {
            let stored = seen_from_root.to_table(root);
            assert_eq!(stored, seen_from_root + 4);
            assert_eq!(stored.from_table(root), seen_from_root);
            assert_eq!((-seen_from_root).to_table(root), -stored);
            assert_eq!((-stored).from_table(root), -seen_from_root);
        }
        for score in [Score(123), Score::EVAL_MAX, -Score::EVAL_MAX] {
            assert_eq!(score.to_table(Ply(30)), score);
            assert_eq!(score.from_table(Ply(30)), score);
        }
    }

    #[test]
    fn ranges_of_evaluation_tablebase_and_mate_do_not_overlap() {
        let deepest = Ply(MAX_PLY as u16);
        assert!(!Score(1_000_000).clamp_to_eval().is_decisive());
        assert!(!Score(-1_000_000).clamp_to_eval().is_decisive());
        for ply in [Ply::ROOT, Ply(1), deepest] {
            let win = Score::tablebase_win_in(ply);
            assert!(win.is_tablebase() && (-win).is_tablebase(), "{win:?}");
            assert!(Score::mate_in(ply).is_mate() && !Score::mate_in(ply).is_tablebase());
            assert_eq!(win.mate_distance(), None);
        }
        assert!(Score::EVAL_MAX < Score::tablebase_win_in(deepest));
        assert!(Score::TABLEBASE_WIN < Score::mate_in(deepest));
    }

    #[test]
    fn ranges_have_these_limits() {
        assert_eq!(MAX_PLY, 192);
        assert_eq!(Score::EVAL_MAX, Score(31_614));
        assert_eq!(Score::TABLEBASE_BOUND, Score(31_615));
        assert_eq!(Score::TABLEBASE_WIN, Score(31_807));
        assert_eq!(Score::MATE_BOUND, Score(31_808));
        assert_eq!(Score::MATE, Score(32_000));
        assert_eq!(Score::INFINITE, Score(32_001));
        assert_eq!(Score::NONE, Score(32_002));
    }

    #[test]
    fn every_score_fits_into_sixteen_bits() {
        for score in [Score::NONE, Score::INFINITE, Score::MATE] {
            for score in [score, -score] {
                assert!(i16::try_from(score.0).is_ok(), "{score:?}");
            }
        }
    }
}
