//! Aspiration windows: the root is searched with a narrow window around the previous score, which widens when the score
//! falls outside.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply, Score};

use super::job::Progress;
use super::node::Root;
use super::searcher::Searcher;

/// Depth of the first iteration with a narrow window. Shallower iterations take little time, and their scores vary.
const MIN_DEPTH: Depth = 4;

/// Number of scores outside the window after which the window is infinite.
///
/// A search can contradict the previous one because the table has changed: a score that failed high can fail low in the
/// second search. Without this limit the loop might not end. (Bruce Moreland describes this search instability.)
const MAX_FAILS: u32 = 7;

impl<E: Evaluator> Searcher<E> {
    /// Searches the root to `depth` until the score is inside the window, and returns it.
    ///
    /// Afterwards the leader of the root moves has the score and the line. A stop ends the search with the results so
    /// far.
    pub(super) fn search_root_window(
        &mut self,
        depth: Depth,
        report: &mut dyn FnMut(Progress),
    ) -> Score {
        let mut margin = self.parameters.aspiration_window();
        let expected = self
            .root
            .leader()
            .map_or(-Score::INFINITE, |leader| leader.previous_score);
        let narrow =
            depth >= MIN_DEPTH && margin > 0 && !expected.is_mate() && expected > -Score::INFINITE;
        let (mut alpha, mut beta) = if narrow {
            window_around(expected, margin)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        let mut fails = 0;
        loop {
            self.statistics.windows += 1;
            let score = self.search::<Root>(alpha, beta, depth, Ply::ROOT, false);
            self.root.sort();
            if self.stopped {
                return score;
            }
            let failed_low = score <= alpha && alpha > -Score::INFINITE;
            let failed_high = score >= beta && beta < Score::INFINITE;
            if !failed_low && !failed_high {
                return score;
            }
            self.statistics.fail_lows += u64::from(failed_low);
            self.statistics.fail_highs += u64::from(failed_high);
            self.report_fail(depth, Bound::of(score, alpha, beta), report);
            fails += 1;
            margin += margin / 2 + 2;
            (alpha, beta) = if fails >= MAX_FAILS || score.is_mate() {
                (-Score::INFINITE, Score::INFINITE)
            } else {
                let (low, high) = window_around(score, margin);
                if failed_low {
                    // After a fail low, beta falls to the middle of the old window.
                    (low, Score((alpha.0 + beta.0) / 2))
                } else {
                    (alpha, high)
                }
            };
        }
    }
}

/// Returns the window of `margin` centipawns on either side of a score.
fn window_around(score: Score, margin: i32) -> (Score, Score) {
    (
        (score - margin).max(-Score::INFINITE),
        (score + margin).min(Score::INFINITE),
    )
}

#[cfg(test)]
mod tests;
