//! The vote of the worker threads on the best move.
//!
//! The weight of a thread's vote grows with its depth and with its score relative to the lowest score. (From
//! Stockfish, which also multiplies the two.)

use std::time::Duration;

use crate::types::{Depth, Move, Score};

use super::job::RunResult;

/// Longest time that the result of worker 0 waits for those of the helpers. They see a stop within a fraction of this,
/// unless they wait for a processor.
const MAX_TIME: Duration = Duration::from_millis(4);

/// Fraction of the hard limit that the vote takes at most: one divided by this.
const TIME_DIVISOR: u32 = 16;

/// Weight per ply of depth of the thread with the lowest score, in centipawns.
const MIN_WEIGHT: i64 = 15;

/// Largest difference of scores that counts, in centipawns. Without it, depth would not matter beside a mate score.
const MAX_SCORE_DIFFERENCE: i32 = 500;

/// Returns the longest time that the result of worker 0 waits for those of the helpers, in a search with this hard
/// limit.
pub(super) fn longest_time(hard_limit: Option<Duration>) -> Duration {
    hard_limit.map_or(MAX_TIME, |hard| MAX_TIME.min(hard / TIME_DIVISOR))
}

/// Returns the result to answer with: among those with the chosen move the deepest, and among equally deep ones that
/// with the lowest index. Returns `None` if there is no result.
pub(super) fn choose(results: &[RunResult]) -> Option<&RunResult> {
    // The shortest mate is played without a vote.
    let mate = results
        .iter()
        .filter(|result| result.best.is_some() && result.score >= Score::MATE_BOUND)
        .min_by_key(|result| (result.score.mate_distance(), result.worker_id));
    if mate.is_some() {
        return mate;
    }
    let scores = voters(results).map(|result| result.score);
    let lowest = scores.min().unwrap_or(Score::DRAW);
    let votes = |mv: Option<Move>| -> i64 {
        voters(results)
            .filter(|result| result.best == mv)
            .map(|result| weight(result.score, lowest, result.depth))
            .sum()
    };
    let first = results.iter().min_by_key(|result| result.worker_id)?;
    let chosen = results.iter().fold(first, |chosen, result| {
        let is_better = if result.best == chosen.best {
            result.depth > chosen.depth
        } else {
            result.best.is_some() && votes(result.best) > votes(chosen.best)
        };
        if is_better { result } else { chosen }
    });
    Some(chosen)
}

/// Returns the results of the threads that have completed an iteration. The others have not compared the moves.
fn voters(results: &[RunResult]) -> impl Iterator<Item = &RunResult> {
    results.iter().filter(|result| result.depth > 0)
}

/// Returns the weight of a vote.
fn weight(score: Score, lowest: Score, depth: Depth) -> i64 {
    let above = score
        .0
        .saturating_sub(lowest.0)
        .clamp(0, MAX_SCORE_DIFFERENCE);
    (i64::from(above) + MIN_WEIGHT) * i64::from(depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Ply, Square};

    fn mv(to: usize) -> Move {
        let from = Square::from_index(0);
        Move::new(from, Square::from_index(to), MoveKind::Quiet)
    }

    fn result(to: usize, score: i32, depth: Depth) -> RunResult {
        RunResult {
            score: Score(score),
            depth,
            ..RunResult::unsearched(Some(mv(to)))
        }
    }

    /// Returns the index of the chosen result, which must not depend on the order of the results.
    fn chosen(results: &[RunResult]) -> Option<usize> {
        let mut numbered = results.to_vec();
        for (worker, result) in numbered.iter_mut().enumerate() {
            result.worker_id = worker;
        }
        let chosen = choose(&numbered).map(|result| result.worker_id);
        numbered.reverse();
        assert_eq!(choose(&numbered).map(|result| result.worker_id), chosen);
        chosen
    }

    #[test]
    fn the_vote_takes_a_fraction_of_the_time() {
        let milliseconds = Duration::from_millis;
        assert_eq!(longest_time(None), MAX_TIME);
        assert_eq!(longest_time(Some(milliseconds(1000))), MAX_TIME);
        assert_eq!(longest_time(Some(milliseconds(32))), milliseconds(2));
        assert_eq!(longest_time(Some(Duration::ZERO)), Duration::ZERO);
    }

    #[test]
    fn one_thread_needs_no_vote() {
        assert_eq!(chosen(&[result(1, -900, 0)]), Some(0));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn the_first_of_equal_threads_is_chosen() {
        assert_eq!(chosen(&[result(1, 20, 12), result(2, 20, 12)]), Some(0));
    }

    #[test]
    fn depth_and_score_both_count() {
        assert_eq!(chosen(&[result(1, 20, 12), result(2, 20, 13)]), Some(1));
        assert_eq!(chosen(&[result(1, 20, 12), result(2, 45, 12)]), Some(1));
        assert_eq!(chosen(&[result(1, 45, 12), result(2, 20, 13)]), Some(0));
    }

    #[test]
    fn a_majority_beats_a_single_thread() {
        let results = [
            result(1, 25, 12),
            result(2, 20, 12),
            result(2, 22, 13),
            result(2, 20, 12),
        ];
        assert_eq!(chosen(&results), Some(2), "the deepest that agrees");
    }

    #[test]
    fn threads_without_a_finished_depth_have_no_vote() {
        assert_eq!(chosen(&[result(1, -50, 1), result(2, 800, 0)]), Some(0));
        assert_eq!(chosen(&[result(1, 0, 0), result(2, 0, 0)]), Some(0));
        let nothing = RunResult::unsearched(None);
        assert_eq!(chosen(&[nothing.clone(), nothing]), Some(0));
    }

    #[test]
    fn the_shortest_mate_is_played() {
        let results = [
            result(1, 300, 15),
            result(1, 310, 15),
            result(2, Score::mate_in(Ply(9)).0, 9),
            result(3, Score::mate_in(Ply(5)).0, 8),
        ];
        assert_eq!(chosen(&results), Some(3));
    }

    #[test]
    fn a_thread_that_finds_itself_mated_is_outvoted() {
        let mated = Score::mated_in(Ply(6)).0;
        assert_eq!(
            chosen(&[result(1, mated, 16), result(2, -300, 14)]),
            Some(1)
        );
    }
}
