//! Simulated games: variable soft limits must neither lose games on time nor leave much time unused.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::Parameters;

use super::{Delays, IterationStats, TimeBudget, TimeControl, allocate_time};

pub(super) const OVERHEAD: Duration = Duration::from_millis(30);

/// Returns a random number from 0 up to 1.
pub(super) fn fraction(random: &mut ChaCha8Rng) -> f64 {
    f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0)
}

/// Returns random statistics of an iteration. `difficulty` is the difficulty of the move, 0 to 1.
fn random_stats(random: &mut ChaCha8Rng, difficulty: f64, iteration: u32) -> IterationStats {
    let changes = fraction(random) < 0.1 + 0.4 * difficulty;
    let noise = 40.0 * (fraction(random) - 0.5);
    IterationStats {
        stable_iterations: if changes { 0 } else { iteration / 2 },
        best_move_node_fraction: (0.95 - 0.6 * difficulty + 0.2 * (fraction(random) - 0.5))
            .clamp(0.0, 1.0),
        score_drop: (noise + 60.0 * difficulty * difficulty) as i32,
    }
}

/// Returns the duration of a search within these limits. Each iteration takes 1.3 to 2.3 times as long as all
/// iterations before; the hard limit can stop the last one.
pub(super) fn search_time(random: &mut ChaCha8Rng, budget: &TimeBudget) -> Duration {
    let difficulty = fraction(random);
    let mut elapsed = Duration::from_micros(100);
    for iteration in 0.. {
        if elapsed
            >= budget.soft_limit_after(
                &random_stats(random, difficulty, iteration),
                &Parameters::default(),
            )
        {
            break;
        }
        elapsed = elapsed.mul_f64(1.3 + fraction(random));
    }
    elapsed.min(budget.hard)
}

/// Returns the duration of a move within these limits, with 2 to 12 ms for communication.
fn move_time(random: &mut ChaCha8Rng, budget: &TimeBudget) -> Duration {
    let communication = Duration::from_micros(2000 + u64::from(random.next_u32() % 10_000));
    search_time(random, budget) + communication
}

/// Returns the remaining time after each of `moves` moves of one game. The list is shorter if the game is lost on time.
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
        let moves_to_go = match control {
            TimeControl::PerMove(_) => None,
            TimeControl::Game { .. } => to_go,
        };
        let budget = allocate_time(
            control,
            clock,
            moves_to_go,
            clock,
            OVERHEAD,
            Delays::default(),
            &Parameters::default(),
        );
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

pub(super) fn game(moves: Option<u32>, base: u64, increment: u64) -> TimeControl {
    TimeControl::Game {
        moves,
        base: Duration::from_millis(base),
        increment: Duration::from_millis(increment),
    }
}

/// Returns the lowest and the mean fraction of `base` left after the move number `at` (from 1) in 100 games of `moves`
/// moves. Fails if a game is lost on time.
fn left(control: &TimeControl, base: u64, at: usize, moves: u32) -> (f64, f64) {
    let fractions: Vec<f64> = (0..100)
        .map(|seed| {
            let clocks = clocks(seed, control, moves);
            assert_eq!(clocks.len(), moves as usize, "lost on time, game {seed}");
            clocks[at - 1].div_duration_f64(Duration::from_millis(base))
        })
        .collect();
    let lowest = fractions.iter().copied().fold(f64::INFINITY, f64::min);
    (
        lowest,
        fractions.iter().sum::<f64>() / fractions.len() as f64,
    )
}

#[test]
fn forty_moves_in_five_minutes() {
    let control = game(Some(40), 300_000, 0);
    for period in 0..3 {
        let (lowest, mean) = left(&control, 300_000, period * 40 + 20, 120);
        assert!(
            lowest > 0.2 && (0.3..0.6).contains(&mean),
            "{lowest} {mean}"
        );
        let (lowest, mean) = left(&control, 300_000, period * 40 + 40, 120);
        assert!(lowest > 0.0 && mean < 0.02, "{lowest} {mean}");
    }
}

/// Communication alone takes about one second of the minute.
#[test]
fn a_minute_for_the_game() {
    let control = game(None, 60_000, 0);
    let (lowest, mean) = left(&control, 60_000, 20, 150);
    assert!(
        lowest > 0.2 && (0.3..0.6).contains(&mean),
        "{lowest} {mean}"
    );
    let (lowest, mean) = left(&control, 60_000, 60, 150);
    assert!(
        lowest > 0.02 && (0.04..0.2).contains(&mean),
        "{lowest} {mean}"
    );
}

/// Increments that do not cover the communication must not be relied on.
#[test]
fn a_minute_and_some_milliseconds() {
    for increment in [1, 5, 10, 19, 20] {
        let (lowest, _) = left(&game(None, 60_000, increment), 60_000, 150, 150);
        assert!(lowest > 0.0, "{increment} ms");
    }
}

#[test]
fn ten_seconds_and_a_tenth() {
    let control = game(None, 10_000, 100);
    let (lowest, mean) = left(&control, 10_000, 20, 300);
    assert!(
        lowest > 0.08 && (0.15..0.35).contains(&mean),
        "{lowest} {mean}"
    );
    // In the end it is the increment that is spent.
    for at in [100, 200, 300] {
        let (lowest, mean) = left(&control, 10_000, at, 300);
        assert!(lowest > 0.015 && mean < 0.1, "{lowest} {mean}");
    }
}

#[test]
fn seconds_per_move() {
    for limit in [100, 1000, 5000] {
        let control = TimeControl::PerMove(Duration::from_millis(limit));
        let unused = 30.0 / limit as f64;
        let (lowest, mean) = left(&control, limit, 60, 60);
        assert!(lowest > 0.0 && mean < unused, "{lowest} {mean}");
    }
}
