//! Several threads, one answer: each votes for its move.
//!
//! The deeper a thread has come and the better its score is beside the others', the more its vote counts. (Idea:
//! Stockfish, where the weight is a product of the two as well.)

use crate::types::{Depth, Move, Score};

use super::job::RunResult;

/// What the vote of the thread with the lowest score counts for each ply of its depth, in centipawns.
const LEAST_WEIGHT: i64 = 15;

/// Scores farther apart than this count as this far, so that a mate seen by one thread does not drown all depth.
const WIDEST: i32 = 500;

/// The result to answer with: of those with the move chosen the deepest, and of equal ones the first thread's. Nothing
/// if there is none.
pub(super) fn choose(results: &[RunResult]) -> Option<&RunResult> {
    // A mate needs no majority.
    let mate = results
        .iter()
        .filter(|result| result.best.is_some() && result.score >= Score::MATE_BOUND)
        .min_by_key(|result| (result.score.mate_distance(), result.worker));
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
    let first = results.iter().min_by_key(|result| result.worker)?;
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

/// Before its first depth is finished, a thread has not compared the moves.
fn voters(results: &[RunResult]) -> impl Iterator<Item = &RunResult> {
    results.iter().filter(|result| result.depth > 0)
}

fn weight(score: Score, lowest: Score, depth: Depth) -> i64 {
    let above = score.0.saturating_sub(lowest.0).clamp(0, WIDEST);
    (i64::from(above) + LEAST_WEIGHT) * i64::from(depth)
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

    /// The number of the chosen one, whatever order they come in.
    fn chosen(results: &[RunResult]) -> Option<usize> {
        let mut numbered = results.to_vec();
        for (worker, result) in numbered.iter_mut().enumerate() {
            result.worker = worker;
        }
        let chosen = choose(&numbered).map(|result| result.worker);
        numbered.reverse();
        assert_eq!(choose(&numbered).map(|result| result.worker), chosen);
        chosen
    }

    #[test]
    fn one_thread_needs_no_vote() {
        assert_eq!(chosen(&[result(1, -900, 0)]), Some(0));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn equal_threads_are_decided_for_the_first() {
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
    fn a_thread_that_is_mated_is_outvoted() {
        let mated = Score::mated_in(Ply(6)).0;
        assert_eq!(
            chosen(&[result(1, mated, 16), result(2, -300, 14)]),
            Some(1)
        );
    }
}
