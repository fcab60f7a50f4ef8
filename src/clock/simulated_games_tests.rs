//! Whole games on a pretended clock: soft limits that stretch and shrink must neither lose a game nor waste its time.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{IterationStats, TimeBudget, TimeControl, allocate_time};

const OVERHEAD: Duration = Duration::from_millis(30);

/// A number from 0 up to 1.
fn fraction(random: &mut ChaCha8Rng) -> f64 {
    f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0)
}

/// How hard an iteration of a move is that is as hard as this, 0 to 1.
fn iteration_stats(random: &mut ChaCha8Rng, hardness: f64, iteration: u32) -> IterationStats {
    let changes = fraction(random) < 0.1 + 0.4 * hardness;
    let noise = 40.0 * (fraction(random) - 0.5);
    IterationStats {
        stable_iterations: if changes { 0 } else { iteration / 2 },
        best_move_node_fraction: (0.95 - 0.6 * hardness + 0.2 * (fraction(random) - 0.5))
            .clamp(0.0, 1.0),
        score_drop: (noise + 60.0 * hardness * hardness) as i32,
    }
}

/// What a move takes within these limits: iterations that take 1.3 to 2.3 times as long as all before, the last one
/// perhaps cut off by the hard limit, and 2 to 12 ms for the way.
fn move_time(random: &mut ChaCha8Rng, budget: &TimeBudget) -> Duration {
    let hardness = fraction(random);
    let way = Duration::from_micros(2000 + u64::from(random.next_u32() % 10_000));
    let mut thought = Duration::from_micros(100);
    for iteration in 0.. {
        if thought >= budget.soft_limit_after(&iteration_stats(random, hardness, iteration)) {
            break;
        }
        thought = thought.mul_f64(1.3 + fraction(random));
    }
    thought.min(budget.hard) + way
}

/// What the clock shows after each of so many moves of one game; it ends early when time is lost.
fn clocks(seed: u64, control: &TimeControl, moves: u32) -> Vec<Duration> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (period, base, increment) = match *control {
        TimeControl::Game {
            moves,
            base,
            increment,
        } => (moves, base, increment),
        TimeControl::PerMove(limit) => (Some(1), limit, Duration::ZERO),
    };
    let mut clock = base;
    let mut shown = Vec::new();
    for number in 0..moves {
        let to_go = period.map(|period| period - number % period);
        let asked = match control {
            TimeControl::PerMove(_) => None,
            TimeControl::Game { .. } => to_go,
        };
        let budget = allocate_time(control, clock, asked, clock, OVERHEAD, Duration::ZERO);
        match clock.checked_sub(move_time(&mut random, &budget)) {
            Some(left) => clock = left,
            None => break,
        }
        shown.push(clock);
        clock += increment;
        if to_go == Some(1) {
            clock = match control {
                TimeControl::PerMove(limit) => *limit,
                TimeControl::Game { base, .. } => clock + *base,
            };
        }
    }
    shown
}

fn game(moves: Option<u32>, base: u64, increment: u64) -> TimeControl {
    TimeControl::Game {
        moves,
        base: Duration::from_millis(base),
        increment: Duration::from_millis(increment),
    }
}

/// Least and mean share of `base` left after the move with this number (from 1) in a hundred games, none of which may
/// be lost on time in so many moves.
fn left(control: &TimeControl, base: u64, at: usize, moves: u32) -> (f64, f64) {
    let shares: Vec<f64> = (0..100)
        .map(|seed| {
            let clocks = clocks(seed, control, moves);
            assert_eq!(clocks.len(), moves as usize, "lost on time, game {seed}");
            clocks[at - 1].div_duration_f64(Duration::from_millis(base))
        })
        .collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    (least, shares.iter().sum::<f64>() / shares.len() as f64)
}

#[test]
fn forty_moves_in_five_minutes() {
    let control = game(Some(40), 300_000, 0);
    for period in 0..3 {
        let (least, mean) = left(&control, 300_000, period * 40 + 20, 120);
        assert!(least > 0.2 && (0.3..0.6).contains(&mean), "{least} {mean}");
        let (least, mean) = left(&control, 300_000, period * 40 + 40, 120);
        assert!(least > 0.0 && mean < 0.02, "{least} {mean}");
    }
}

/// The way alone takes a second of the minute in so many moves.
#[test]
fn a_minute_for_the_game() {
    let control = game(None, 60_000, 0);
    let (least, mean) = left(&control, 60_000, 20, 150);
    assert!(least > 0.2 && (0.3..0.6).contains(&mean), "{least} {mean}");
    let (least, mean) = left(&control, 60_000, 60, 150);
    assert!(
        least > 0.02 && (0.04..0.2).contains(&mean),
        "{least} {mean}"
    );
}

/// Increments that do not pay for the way must not be relied on.
#[test]
fn a_minute_and_some_milliseconds() {
    for increment in [1, 5, 10, 19, 20] {
        let (least, _) = left(&game(None, 60_000, increment), 60_000, 150, 150);
        assert!(least > 0.0, "{increment} ms");
    }
}

#[test]
fn ten_seconds_and_a_tenth() {
    let control = game(None, 10_000, 100);
    let (least, mean) = left(&control, 10_000, 20, 300);
    assert!(
        least > 0.08 && (0.15..0.35).contains(&mean),
        "{least} {mean}"
    );
    // In the end it is the increment that is spent.
    for at in [100, 200, 300] {
        let (least, mean) = left(&control, 10_000, at, 300);
        assert!(least > 0.015 && mean < 0.1, "{least} {mean}");
    }
}

#[test]
fn seconds_per_move() {
    for limit in [100, 1000, 5000] {
        let control = TimeControl::PerMove(Duration::from_millis(limit));
        let unused = 30.0 / limit as f64;
        let (least, mean) = left(&control, limit, 60, 60);
        assert!(least > 0.0 && mean < unused, "{least} {mean}");
    }
}
