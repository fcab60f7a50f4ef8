//! Aspiration windows with an unstable evaluation.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Limits;
use crate::rules::Position;
use crate::search::SingleThreadedSearch;
use crate::types::Score;

/// An evaluator with random scores, which make the search as unstable as possible.
struct RandomEvaluator(ChaCha8Rng);

impl Evaluator for RandomEvaluator {
    fn evaluate(&mut self, _: &Board) -> Score {
        Score((self.0.next_u32() % 4001) as i32 - 2000)
    }
}

#[test]
fn a_random_evaluation_causes_no_endless_loop_and_no_illegal_line() {
    for seed in 0..12 {
        let evaluator = RandomEvaluator(ChaCha8Rng::seed_from_u64(seed));
        let mut search = SingleThreadedSearch::with_evaluator(evaluator, 1, Parameters::default());
        let mut position = Position::standard();
        for turn in 0..12 {
            let limits = Limits {
                depth: Some(6),
                nodes: Some(60_000),
                ..Limits::default()
            };
            let result = search.run(&position, limits, |info| {
                let mut line = position.clone();
                for &mv in &info.pv {
                    assert!(
                        line.is_legal(mv),
                        "seed {seed}, turn {turn}: {mv:?} in {:?}",
                        info.pv
                    );
                    let _ = line.play(mv);
                }
                assert!(info.score.0.abs() <= Score::MATE.0);
            });
            assert!(!result.statistics_show_a_loop(), "{:?}", result.statistics);
            let Some(best) = result.best else { break };
            assert!(position.is_legal(best));
            let _ = position.play(best);
        }
    }
}

impl crate::search::SingleThreadedResult {
    /// Returns `true` if there were more windows than seven fails of each iteration with a narrow window can explain.
    fn statistics_show_a_loop(&self) -> bool {
        self.statistics.windows > 3 + 8 * (self.depth as u64 + 1).saturating_sub(3)
    }
}

#[test]
fn fails_are_counted() {
    let mut search = SingleThreadedSearch::with_evaluator(
        RandomEvaluator(ChaCha8Rng::seed_from_u64(7)),
        1,
        Parameters::default(),
    );
    let limits = Limits {
        depth: Some(8),
        ..Limits::default()
    };
    let counts = search.run(&Position::standard(), limits, |_| {}).statistics;
    assert!(counts.fail_lows + counts.fail_highs > 0, "{counts:?}");
    assert_eq!(counts.windows, 8 + counts.fail_lows + counts.fail_highs);
}
