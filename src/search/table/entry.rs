//! Entry of the transposition table: the stored result of a search, and its form of 64 bits.

use crate::messages::Bound;
use crate::types::{Depth, Move, Ply, Score};

/// The stored result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct TableEntry {
    /// Best move or refutation. It may be illegal: another position can have the same key.
    pub mv: Option<Move>,
    /// Score in table form ([`Score::to_table`]): mates are counted from this position.
    pub score: Score,
    /// Raw evaluation; [`Score::NONE`] if the side to move was in check.
    pub eval: Score,
    /// Depth of the search, -1 to 126; deeper searches are stored as 126. Depth 0: quiescence search that tried
    /// quiet checks, or with the side to move in check. Depth -1: quiescence search of captures and promotions only.
    pub depth: Depth,
    /// Kind of `score`: exact, lower bound or upper bound.
    pub bound: Bound,
    /// Set if the position is or was on a principal variation.
    pub on_pv: bool,
}

impl TableEntry {
    /// Returns the entry as 64 bits: move 0-15, score 16-31, evaluation 32-47, depth + 1 48-54, `on_pv` 55, bound 56-57
    /// (1 to 3), generation 58-63. No entry has the value 0.
    pub fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let mv = self.mv.map_or(0, Move::bits);
        u64::from(mv)
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(self.eval.0 as i16 as u16) << 32
            | u64::from((self.depth + 1).clamp(0, 127) as u8) << 48
            | u64::from(self.on_pv) << 55
            | bound << 56
            | u64::from(generation) << 58
    }

    /// Returns the entry that these 64 bits represent, or `None` for the empty entry, 0.
    pub fn unpack(data: u64) -> Option<TableEntry> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TableEntry {
            mv: Move::from_bits(data as u16),
            score: Score(i32::from((data >> 16) as u16 as i16)),
            eval: Score(i32::from((data >> 32) as u16 as i16)),
            depth: (data >> 48 & 127) as Depth - 1,
            bound,
            on_pv: data >> 55 & 1 != 0,
        })
    }

    /// Returns the generation in the packed form of an entry, 0 to 63.
    pub fn packed_generation(data: u64) -> u8 {
        (data >> 58) as u8
    }

    /// Discards the score: sets it to an upper bound above all scores. Move and evaluation stay.
    pub fn discard_score(&mut self) {
        self.score = Score::INFINITE;
        self.bound = Bound::Upper;
    }

    /// Returns the score at `ply` if it is exact, a lower bound of at least `beta` or an upper bound of at most
    /// `alpha`.
    #[inline]
    pub fn cutoff_score(&self, alpha: Score, beta: Score, ply: Ply) -> Option<Score> {
        let score = self.score.from_table(ply);
        let causes_cutoff = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        causes_cutoff.then_some(score)
    }

    /// Returns the estimate of the position at `ply`: the static evaluation `eval`, or the stored score where its bound
    /// is tighter.
    #[inline]
    pub fn refine_eval(&self, eval: Score, ply: Ply) -> Score {
        let score = self.score.from_table(ply);
        let is_tighter = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if is_tighter { score } else { eval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, bound: Bound) -> TableEntry {
        TableEntry {
            mv: None,
            score: Score(score),
            eval: Score(-3),
            depth: 5,
            bound,
            on_pv: true,
        }
    }

    #[test]
    fn packing_keeps_all_fields() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for depth in [-1, 0, 126] {
                let entry = TableEntry {
                    depth,
                    ..entry(-31_990, bound)
                };
                let data = entry.pack(63);
                assert_eq!(TableEntry::unpack(data), Some(entry));
                assert_eq!(TableEntry::packed_generation(data), 63);
            }
        }
        assert_eq!(TableEntry::unpack(0), None);
    }

    #[test]
    fn bounds_cut_off_only_outside_the_window() {
        let cutoff = |score, bound| entry(score, bound).cutoff_score(Score(10), Score(20), Ply(3));
        assert_eq!(cutoff(15, Bound::Exact), Some(Score(15)));
        assert_eq!(cutoff(20, Bound::Lower), Some(Score(20)));
        assert_eq!(cutoff(19, Bound::Lower), None);
        assert_eq!(cutoff(10, Bound::Upper), Some(Score(10)));
        assert_eq!(cutoff(11, Bound::Upper), None);
    }

    #[test]
    fn only_a_tighter_bound_refines_the_evaluation() {
        let refine = |score, bound| entry(score, bound).refine_eval(Score(50), Ply(3));
        assert_eq!(refine(40, Bound::Lower), Score(50));
        assert_eq!(refine(60, Bound::Lower), Score(60));
        assert_eq!(refine(40, Bound::Upper), Score(40));
        assert_eq!(refine(60, Bound::Upper), Score(50));
        assert_eq!(refine(40, Bound::Exact), Score(40));
        let mut discarded = entry(40, Bound::Exact);
        discarded.discard_score();
        assert_eq!(discarded.refine_eval(Score(50), Ply(3)), Score(50));
        assert_eq!(discarded.cutoff_score(Score(10), Score(20), Ply(3)), None);
    }
}
