//! Whatever a second search answers is survived, and windows change nothing of the result.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Limits;
use crate::rules::Position;
use crate::search::SingleThreadedSearch;
use crate::types::Score;

/// Changes its mind at every call: the worst instability a search can meet.
struct Liar(ChaCha8Rng);

impl Evaluator for Liar {
    fn evaluate(&mut self, _: &Board) -> Score {
        Score((self.0.next_u32() % 4001) as i32 - 2000)
    }
}

#[test]
fn an_evaluation_that_lies_neither_loops_nor_breaks_the_line() {
    for seed in 0..12 {
        let liar = Liar(ChaCha8Rng::seed_from_u64(seed));
        let mut search = SingleThreadedSearch::with_evaluator(liar, 1, Parameters::default());
        let mut position = Position::standard();
        for turn in 0..12 {
            let limits = Limits {
                depth: Some(6),
                nodes: Some(60_000),
                budget: None,
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
    /// More windows than seven misses for each of the iterations with a narrow one could explain.
    fn statistics_show_a_loop(&self) -> bool {
        self.statistics.windows > 3 + 8 * (self.depth as u64 + 1).saturating_sub(3)
    }
}

#[test]
fn misses_are_counted() {
    let mut search = SingleThreadedSearch::with_evaluator(
        Liar(ChaCha8Rng::seed_from_u64(7)),
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
