//! Tablebase probes: a node with few men, directly after a capture or pawn move, has the result of the tables. (From
//! Stockfish.)

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::tablebase::Wdl;
use crate::types::{Depth, MAX_DEPTH, Ply, Score};

use crate::search::searcher::Searcher;
use crate::search::table::TableEntry;

/// Depth by which the table entry of a result exceeds that of the node: no search of this depth finds a better result.
const ENTRY_DEPTH: Depth = 6;

/// The score of a result, and the relation to the exact score: there may be a mate beyond a win or loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct TablebaseScore {
    /// Score.
    pub score: Score,
    /// Relation of `score` to the exact score.
    pub bound: Bound,
}

impl TablebaseScore {
    /// Returns the score of a result `ply` half-moves from the root, where a draw has the score `draw`.
    fn new(wdl: Wdl, ply: Ply, draw: Score) -> TablebaseScore {
        let win = Score::tablebase_win_in(ply);
        let (score, bound) = match wdl {
            Wdl::Win => (win, Bound::Lower),
            Wdl::CursedWin => (draw + 1, Bound::Exact),
            Wdl::Draw => (draw, Bound::Exact),
            Wdl::BlessedLoss => (draw - 1, Bound::Exact),
            Wdl::Loss => (-win, Bound::Upper),
        };
        TablebaseScore { score, bound }
    }

    /// Returns `true` if no search of a node with this window is needed.
    pub fn causes_cutoff(self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Returns `true` if there are tablebases, and the last move was a capture or pawn move.
    #[inline]
    pub(in crate::search) fn may_probe_tablebases(&self) -> bool {
        !self.probe_limits.is_none() && self.board.halfmove_clock() == 0
    }

    /// Returns the score of the current position by the tablebases, if they contain it. Stores it in the transposition
    /// table if no search of a node with this window and depth is needed.
    // Out of line, so that nodes are as fast as before if there are no tablebases.
    #[cold]
    #[inline(never)]
    pub(in crate::search) fn probe_tablebases(
        &mut self,
        in_check: bool,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: Ply,
    ) -> Option<TablebaseScore> {
        if !self.probe_limits.allow_probe(&self.board, depth) {
            return None;
        }
        // The tables do not distinguish a mate on the board from another loss.
        if in_check && self.board.count_legal() == 0 {
            return None;
        }
        let wdl = self.tablebases.as_ref()?.wdl(&self.board)?;
        self.tablebase_hits += 1;
        let found = TablebaseScore::new(wdl, ply, self.draw_score());
        if found.causes_cutoff(alpha, beta) {
            let entry = TableEntry {
                mv: None,
                score: found.score.to_table(ply),
                eval: Score::NONE,
                depth: (depth + ENTRY_DEPTH).min(MAX_DEPTH),
                bound: found.bound,
                on_pv: false,
            };
            self.store(self.board.key(), entry);
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_losses_are_bounds_and_draws_are_exact() {
        let score = |wdl| TablebaseScore::new(wdl, Ply(3), Score::DRAW);
        let win = score(Wdl::Win);
        assert!(win.score.is_tablebase() && win.bound == Bound::Lower);
        assert!(win.causes_cutoff(Score(0), Score(1)));
        assert!(!win.causes_cutoff(Score(0), Score::mate_in(Ply(5))));
        let loss = score(Wdl::Loss);
        assert_eq!((loss.score, loss.bound), (-win.score, Bound::Upper));
        assert!(!loss.causes_cutoff(Score::mated_in(Ply(6)), Score(0)));
        for (wdl, centipawns) in [(Wdl::CursedWin, 1), (Wdl::Draw, 0), (Wdl::BlessedLoss, -1)] {
            assert_eq!(score(wdl).score, Score(centipawns));
            assert!(score(wdl).causes_cutoff(Score(-900), Score(900)));
        }
        let avoided = TablebaseScore::new(Wdl::Draw, Ply(3), Score(-20));
        assert_eq!(avoided.score, Score(-20));
    }
}
