//! Tests of quiescence search with many queens, of draws known to the evaluation, and of stops in the first iteration.

use std::time::{Duration, Instant};

use super::solve;
use crate::board::Board;
use crate::config::Parameters;
use crate::eval::Evaluator;
use crate::messages::Limits;
use crate::search::test_support::{learn_correction, position, searcher_at};
use crate::search::{job, searcher, stop::RunId, table};
use crate::types::{Color, Ply, Score};

#[test]
fn the_first_iteration_is_small_with_many_queens() {
    for (side, pieces) in [
        (
            Color::White,
            "Qh8 Qg8 Qf8 qe8 qd8 Rc8 qh7 bf7 Qe7 bb7 ra7 qg6 Bb6 ka6 Qg5 Re5 Qc5 qb5 Bg4 qd4 Qc4 Rf3 \
             Rd3 Qb3 qh2 bg2 Bd2 Kb2 qh1 bf1 qe1 qb1",
        ),
        (
            Color::Black,
            "qg8 qf8 Qb8 Qa8 Qh7 Rf7 qe7 qg6 Ba6 Qg5 Qe5 qa5 Be4 qb4 qd3 ka3 Kh2 Re2 qb2 Qh1 qe1 Qd1",
        ),
        (
            Color::Black,
            "Kd8 Bc7 Bb7 Ra7 nh6 ng6 Rf6 qe6 Rc6 na6 nh5 qg5 qb5 Rf4 qc4 kg3 rf3 Nc3 re2 Rh1 bg1 Re1 Rb1",
        ),
    ] {
        let result = solve(&position(side, pieces, 0), 1);
        assert_eq!(result.depth, 1);
        assert!(result.nodes < 10_000, "{} nodes for {pieces}", result.nodes);
    }
}

#[test]
fn corrections_do_not_change_a_known_draw() {
    let drawn = "kg4 Pa3 Kc1";
    let mut searcher = searcher_at(&position(Color::Black, drawn, 0));
    let correction = learn_correction(&mut searcher, Ply::ROOT);
    assert!(correction < -20, "a correction exists");
    let raw = searcher.evaluate();
    assert_eq!(searcher.correct_eval(raw, Ply::ROOT), Score::DRAW);
    searcher.variety = 100;
    searcher.variety_seed = 5;
    assert_eq!(
        searcher.evaluate(),
        Score::DRAW,
        "variety does not change it"
    );
}

/// Evaluation function that takes 1 ms.
struct Slow;

impl Evaluator for Slow {
    fn evaluate(&mut self, _: &Board) -> Score {
        std::thread::sleep(Duration::from_millis(1));
        Score::DRAW
    }
}

#[test]
fn a_stop_ends_a_slow_first_iteration_within_milliseconds() {
    // A thousand nodes would take a second.
    let position = position(
        Color::White,
        "Qh8 Qg8 Qf8 qe8 qd8 Rc8 qh7 bf7 Qe7 bb7 ra7 qg6 Bb6 ka6 Qg5 Re5 Qc5 qb5 Bg4 qd4 Qc4 Rf3 \
         Rd3 Qb3 qh2 bg2 Bd2 Kb2 qh1 bf1 qe1 qb1",
        0,
    );
    let shared = std::sync::Arc::new(job::Shared::new(table::Table::new(1), 1));
    let mut searcher = searcher::Searcher::new(
        Slow,
        std::sync::Arc::clone(&shared),
        0,
        Parameters::default(),
    );
    shared.gate.stop_through(RunId(1));
    let job = job::Job::plain(RunId(1), &position, &Limits::default());
    let begin = Instant::now();
    let result = searcher.iterate(&job, &mut |_| {});
    assert_eq!(result.depth, 0);
    assert!(result.best.is_some());
    assert!(
        result.nodes < 200,
        "{} nodes in {:?}",
        result.nodes,
        begin.elapsed()
    );
}
