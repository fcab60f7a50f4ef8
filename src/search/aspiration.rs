//! Aspiration: a narrow window around the last score at the root, opened where it misses.

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Ply, Score};

use super::job::Progress;
use super::node::Root;
use super::searcher::Searcher;

/// From this depth on; shallower iterations cost nothing and their scores jump.
const FIRST_DEPTH: Depth = 4;

/// After this many misses the window is opened wholly.
///
/// A search may contradict the one before it: what failed high can fail low the second time. So the number of misses
/// has an end. (Bruce Moreland's warning: whoever opens one side only and trusts the second search crashes.)
const MISSES: u32 = 7;

impl<E: Evaluator> Searcher<E> {
    /// Searches the root to `depth`; afterwards the best of the moves not yet placed is the leader, with its score and
    /// line. When stopped on the way, what was found so far stands.
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
        let narrow = depth >= FIRST_DEPTH
            && margin > 0
            && !expected.is_mate()
            && expected > -Score::INFINITE;
        let (mut alpha, mut beta) = if narrow {
            window_around(expected, margin)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        let mut misses = 0;
        loop {
            self.statistics.windows += 1;
            let score = self.search::<Root>(alpha, beta, depth, Ply::ROOT, false);
            self.root.sort();
            if self.stopped {
                return score;
            }
            let missed_low = score <= alpha && alpha > -Score::INFINITE;
            let missed_high = score >= beta && beta < Score::INFINITE;
            if !missed_low && !missed_high {
                return score;
            }
            self.statistics.fail_lows += u64::from(missed_low);
            self.statistics.fail_highs += u64::from(missed_high);
            self.report_miss(depth, Bound::of(score, alpha, beta), report);
            misses += 1;
            margin += margin / 2 + 2;
            (alpha, beta) = if misses >= MISSES || score.is_mate() {
                (-Score::INFINITE, Score::INFINITE)
            } else {
                let (low, high) = window_around(score, margin);
                if missed_low {
                    (low, Score((alpha.0 + beta.0) / 2)) // the score is low: half of the window above is enough
                } else {
                    (alpha, high)
                }
            };
        }
    }
}

fn window_around(score: Score, margin: i32) -> (Score, Score) {
    (
        (score - margin).max(-Score::INFINITE),
        (score + margin).min(Score::INFINITE),
    )
}

#[cfg(test)]
mod tests;
