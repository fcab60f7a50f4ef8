//! Simulated sessions of several games on busy machines and slow hosts, with the measurement of delays.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::config::Parameters;

use super::simulated_games_tests::{OVERHEAD, fraction, game, search_time};
use super::{Delays, LagEstimate, LagSample, Lateness, TimeControl, allocate_time};

/// Shortest search, which returns the move of the first iteration.
const SHORTEST_SEARCH: Duration = Duration::from_micros(200);

/// Resolution of the times that hosts report.
const RESOLUTION: u64 = 10_000;

/// Delays of one move in microseconds: until Gaur writes it, and until the host has read it.
type DelayModel = fn(&mut ChaCha8Rng) -> (u64, u64);

/// A machine and a host.
struct Conditions {
    delays: DelayModel,
    /// Set if the host reports its clock (`time`) with every move.
    reports: bool,
}

/// Returns a number from `least` to `most`.
fn between(random: &mut ChaCha8Rng, least: u64, most: u64) -> u64 {
    least + (fraction(random) * (most - least) as f64) as u64
}

/// Returns a delay of up to 10 ms with a heavy tail: a half below 0.5 ms, one in twenty above 5 ms, 1.4 ms on average.
fn preemption(random: &mut ChaCha8Rng) -> u64 {
    match between(random, 0, 100) {
        0..50 => between(random, 100, 500),
        50..80 => between(random, 500, 2_000),
        80..95 => between(random, 2_000, 5_000),
        _ => between(random, 5_000, 10_000),
    }
}

/// A machine with busy processes beside Gaur and the host.
fn busy(random: &mut ChaCha8Rng) -> (u64, u64) {
    (preemption(random), preemption(random) / 2)
}

fn quiet(random: &mut ChaCha8Rng) -> (u64, u64) {
    (between(random, 20, 300), between(random, 50, 200))
}

/// A session with one host.
struct Session {
    random: ChaCha8Rng,
    lag: LagEstimate,
    lateness: Lateness,
}

impl Session {
    fn new(seed: u64) -> Session {
        Session {
            random: ChaCha8Rng::seed_from_u64(seed),
            lag: LagEstimate::default(),
            lateness: Lateness::default(),
        }
    }

    /// Plays a game and returns the time on the host's clock after each move. The list is shorter if the game is lost
    /// on time.
    fn play(
        &mut self,
        control: &TimeControl,
        moves: u32,
        conditions: &Conditions,
    ) -> Vec<Duration> {
        let TimeControl::Game {
            moves: period,
            base,
            increment,
        } = *control
        else {
            panic!("not a game");
        };
        self.lateness.on_new_game();
        let (mut clock, mut known, mut clocks) = (base, base, Vec::new());
        for number in 0..moves {
            if conditions.reports {
                let reported =
                    Duration::from_micros(clock.as_micros() as u64 / RESOLUTION * RESOLUTION);
                let missing = known.as_micros() as i64 - reported.as_micros() as i64;
                if number > 0 {
                    self.lag.add_sample(LagSample { missing, reported }, false);
                }
                known = reported;
            }
            let to_go = period.map(|period| period - number % period);
            let expected = Delays::expected(&self.lag, &self.lateness);
            let unseen = if conditions.reports {
                Duration::ZERO
            } else {
                (Duration::from_millis(1) + self.lateness.mean()) * number
            };
            let seen = known.saturating_sub(unseen);
            let budget = allocate_time(
                control,
                seen,
                to_go,
                seen,
                OVERHEAD,
                expected,
                &Parameters::default(),
            );
            let (inside, outside) = (conditions.delays)(&mut self.random);
            let search = search_time(&mut self.random, &budget).max(SHORTEST_SEARCH);
            let used = search + Duration::from_micros(inside);
            self.lateness.add_sample(budget.lateness(used));
            let gained = increment
                + if to_go == Some(1) {
                    base
                } else {
                    Duration::ZERO
                };
            known = known.saturating_sub(used) + gained;
            let Some(left) = clock.checked_sub(used + Duration::from_micros(outside)) else {
                break;
            };
            clocks.push(left);
            clock = left + gained;
        }
        clocks
    }
}

/// Plays `sessions` sessions of three games and returns the mean time left after the move number `at`, as a fraction of
/// `base`. Fails if a game is lost on time.
fn left_after(at: usize, control: &TimeControl, moves: u32, conditions: &Conditions) -> f64 {
    let TimeControl::Game { base, .. } = *control else {
        panic!("not a game");
    };
    let (mut sum, mut games) = (0.0, 0);
    for seed in 0..20 {
        let mut session = Session::new(seed);
        for number in 0..3 {
            let clocks = session.play(control, moves, conditions);
            let played = clocks.len();
            assert_eq!(
                played, moves as usize,
                "{control:?}: lost, session {seed}, game {number}"
            );
            sum += clocks[at - 1].div_duration_f64(base);
            games += 1;
        }
    }
    sum / f64::from(games)
}

fn reporting(delays: DelayModel) -> Conditions {
    Conditions {
        delays,
        reports: true,
    }
}

fn silent(delays: DelayModel) -> Conditions {
    Conditions {
        delays,
        reports: false,
    }
}

/// In each game, delays take 0.4 of 0.6 s (0.2 s and 2 ms per move), or of 1 s.
#[test]
fn two_hundred_moves_on_a_busy_machine() {
    for (base, increment, most_left) in [
        (200, 2, 0.8),
        (500, 5, 0.4),
        (1_000, 0, 0.5),
        (1_000, 10, 0.25),
        (2_000, 20, 0.15),
        (5_000, 0, 0.2),
        (60_000, 0, 0.15),
    ] {
        let control = game(None, base, increment);
        for conditions in [reporting(busy), silent(busy)] {
            let left = left_after(80, &control, 200, &conditions);
            assert!(left < most_left, "{base}+{increment}: {left}");
        }
    }
}

#[test]
fn a_quiet_machine_uses_its_time() {
    for (base, increment, most_left) in [
        (500, 5, 0.45),
        (1_000, 0, 0.45),
        (1_000, 10, 0.2),
        (2_000, 20, 0.1),
        (5_000, 0, 0.2),
        (60_000, 0, 0.12),
    ] {
        let left = left_after(80, &game(None, base, increment), 200, &reporting(quiet));
        assert!(left < most_left, "{base}+{increment}: {left}");
    }
}

#[test]
fn periods_on_a_busy_machine() {
    for (moves, base) in [(40, 2_000), (10, 500), (1, 100)] {
        let control = game(Some(moves), base, 0);
        let left = left_after(moves as usize, &control, moves * 4, &reporting(busy));
        assert!(left < 0.6, "{moves} moves in {base} ms: {left}");
    }
}

/// A scheduler that stops Gaur for 30 to 60 ms once in fifty moves.
fn rare_and_long(random: &mut ChaCha8Rng) -> (u64, u64) {
    match between(random, 0, 50) {
        0 => (between(random, 30_000, 60_000), 200),
        _ => quiet(random),
    }
}

#[test]
fn rare_long_delays_lose_no_game() {
    for (base, increment, most_left) in [(1_000, 10, 0.25), (2_000, 20, 0.1), (5_000, 0, 0.2)] {
        let control = game(None, base, increment);
        let left = left_after(80, &control, 150, &reporting(rare_and_long));
        assert!(left < most_left, "{base}+{increment}: {left}");
    }
}

/// A host that needs about 30 ms for the line of a move. Without any thinking, 5 s are enough for 166 moves.
fn slow_line(random: &mut ChaCha8Rng) -> (u64, u64) {
    (between(random, 20, 300), between(random, 25_000, 35_000))
}

/// A host as recorded from WinBoard under wine, with several thinking lines per move.
fn slow_host(random: &mut ChaCha8Rng) -> (u64, u64) {
    (
        between(random, 20, 300),
        between(random, 300_000, 1_000_000),
    )
}

#[test]
fn games_on_a_slow_host() {
    let control = game(None, 5_000, 0);
    let left = left_after(60, &control, 130, &reporting(slow_line));
    assert!((0.2..0.6).contains(&left), "{left}");
    let control = game(None, 60_000, 0);
    let left = left_after(40, &control, 60, &reporting(slow_host));
    assert!((0.1..0.5).contains(&left), "{left}");
    let control = game(None, 10_000, 1_000);
    let left = left_after(40, &control, 150, &reporting(slow_host));
    assert!((0.05..0.5).contains(&left), "{left}");
}

/// After the first late moves, a move exceeds `st` only by a delay that is longer than all before.
#[test]
fn seconds_per_move_on_a_busy_machine() {
    let limit = Duration::from_secs(1);
    for (delays, most_late) in [(busy as DelayModel, 0), (rare_and_long, 3)] {
        let mut session = Session::new(7);
        let mut late = 0;
        for _ in 0..200 {
            let expected = Delays::expected(&session.lag, &session.lateness);
            let budget = allocate_time(
                &TimeControl::PerMove(limit),
                limit,
                None,
                limit,
                OVERHEAD,
                expected,
                &Parameters::default(),
            );
            assert!(budget.hard > limit * 3 / 4);
            let (inside, outside) = delays(&mut session.random);
            let used = budget.hard + Duration::from_micros(inside);
            session.lateness.add_sample(budget.lateness(used));
            if used + Duration::from_micros(outside) > limit {
                late += 1;
            }
        }
        assert!(late <= most_late, "{late} late moves");
    }
}
