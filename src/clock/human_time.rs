//! Thinking times of a limited playing strength, which resemble those of a person.
//!
//! The search of a limited level takes milliseconds. Its move is sent later: after a time drawn from a log-normal
//! distribution around a share of the soft limit. The soft limit leaves enough time for all later moves, and a move
//! takes less than it on average, so the clock does not run out.

use std::time::Duration;

use super::TimeBudget;

/// Mean share of the soft limit for an ordinary move.
const SHARE: f64 = 0.35;

/// Largest share of the soft limit that a single move takes.
const LARGEST_SHARE: f64 = 1.4;

/// Largest share of the hard limit that a single move takes.
const LARGEST_SHARE_OF_HARD: f64 = 0.6;

/// Standard deviation of the logarithm of the time.
const SPREAD: f64 = 0.55;

/// Mean time of an ordinary move at most. In a long game, hardly any opponent wants to wait as long as the clock
/// allows.
const LONGEST_MEAN: Duration = Duration::from_secs(12);

/// Soft limit below which moves are sent without delay: the game is so fast that the search takes a part of the time.
const SHORTEST_LIMIT: Duration = Duration::from_millis(60);

/// Number of half-moves of a game whose moves are known from other games.
const OPENING: u16 = 12;

/// Choice between moves as a player sees it before thinking for long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Number of moves to choose from, at least 1.
    pub moves: usize,
    /// Number of moves that seem hardly worse than the best, itself included.
    pub good_moves: usize,
    /// Set if the move captures the piece that has just captured or moved.
    pub is_recapture: bool,
    /// Number of half-moves played before.
    pub ply: u16,
}

impl Choice {
    /// Returns the factor of the mean time.
    fn factor(&self) -> f64 {
        if self.moves <= 1 {
            return 0.15;
        }
        let kind = if self.is_recapture { 0.3 } else { 1.0 };
        let stage = if self.ply < OPENING { 0.4 } else { 1.0 };
        let difficulty = match self.good_moves {
            0 | 1 => 0.6,
            2 => 0.9,
            3 | 4 => 1.15,
            _ => 1.35,
        };
        kind * stage * difficulty
    }
}

/// Returns the time from the request for a move until it is sent.
///
/// `pace` is the time that the player takes compared with others, about 1. `uniform` are two independent random numbers
/// from 0 to below 1.
///
/// ```
/// use gaur::clock::{Choice, TimeBudget, human_time};
/// use std::time::Duration;
///
/// let second = Duration::from_secs(1);
/// let budget = TimeBudget { soft: 8 * second, hard: 30 * second };
/// let choice = Choice { moves: 30, good_moves: 3, ply: 30, is_recapture: false };
/// let usual = human_time(&budget, choice, 1.0, [0.5, 0.5]);
/// let recapture = human_time(&budget, Choice { is_recapture: true, ..choice }, 1.0, [0.5, 0.5]);
/// assert!(usual > second && recapture < usual / 2);
/// ```
pub fn human_time(budget: &TimeBudget, choice: Choice, pace: f64, uniform: [f64; 2]) -> Duration {
    if budget.soft < SHORTEST_LIMIT {
        return Duration::ZERO;
    }
    let mean = budget.soft.mul_f64(SHARE).min(LONGEST_MEAN);
    let time = mean.as_secs_f64() * choice.factor() * pace * (SPREAD * normal(uniform)).exp();
    let longest = longest_human_time(budget);
    Duration::try_from_secs_f64(time).map_or(longest, |time| time.min(longest))
}

/// Returns the longest time that [`human_time`] returns for these limits.
pub fn longest_human_time(budget: &TimeBudget) -> Duration {
    if budget.soft < SHORTEST_LIMIT {
        return Duration::ZERO;
    }
    let by_soft = budget.soft.min(LONGEST_MEAN * 10).mul_f64(LARGEST_SHARE);
    by_soft.min(
        budget
            .hard
            .min(LONGEST_MEAN * 100)
            .mul_f64(LARGEST_SHARE_OF_HARD),
    )
}

/// Returns a number of the standard normal distribution from two uniform ones (Box-Muller).
fn normal([first, second]: [f64; 2]) -> f64 {
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::clock::{Delays, TimeControl, allocate_time};
    use crate::config::Parameters;

    const ORDINARY: Choice = Choice {
        moves: 35,
        good_moves: 3,
        is_recapture: false,
        ply: 40,
    };

    fn uniform(random: &mut ChaCha8Rng) -> [f64; 2] {
        [0; 2].map(|_: i32| f64::from(random.next_u32()) / 4_294_967_296.0)
    }

    fn budget(soft: f64, hard: f64) -> TimeBudget {
        TimeBudget {
            soft: Duration::from_secs_f64(soft),
            hard: Duration::from_secs_f64(hard),
        }
    }

    /// Returns the mean of many times for these limits.
    fn mean(budget: &TimeBudget, choice: Choice) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let times = (0..2000).map(|_| human_time(budget, choice, 1.0, uniform(&mut random)));
        times.map(|time| time.as_secs_f64()).sum::<f64>() / 2000.0
    }

    #[test]
    fn times_depend_on_clock_and_position() {
        let blitz = budget(5.0, 20.0);
        let usual = mean(&blitz, ORDINARY);
        assert!((1.5..4.0).contains(&usual), "{usual}");
        assert!(mean(&budget(50.0, 200.0), ORDINARY) > 3.0 * usual);
        for easier in [
            Choice {
                is_recapture: true,
                ..ORDINARY
            },
            Choice {
                moves: 1,
                ..ORDINARY
            },
            Choice {
                good_moves: 1,
                ..ORDINARY
            },
            Choice { ply: 4, ..ORDINARY },
        ] {
            assert!(mean(&blitz, easier) < 0.7 * usual, "{easier:?}");
        }
    }

    #[test]
    fn no_move_exceeds_its_share_of_the_clock() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for (soft, hard) in [(5.0, 20.0), (0.1, 0.11), (3000.0, 9000.0), (1e9, 1e9)] {
            let budget = budget(soft, hard);
            for _ in 0..2000 {
                let time = human_time(&budget, ORDINARY, 1.5, uniform(&mut random));
                assert!(time <= longest_human_time(&budget));
                assert!(time <= budget.hard.mul_f64(0.61), "{time:?} of {budget:?}");
            }
        }
    }

    #[test]
    fn fast_games_have_no_delay() {
        let bullet = budget(0.03, 0.12);
        assert_eq!(
            human_time(&bullet, ORDINARY, 1.0, [0.9, 0.0]),
            Duration::ZERO
        );
        assert_eq!(longest_human_time(&TimeBudget::default()), Duration::ZERO);
    }

    /// Plays the clock of long games, with 15 ms for the search and the host.
    #[test]
    fn long_games_are_not_lost_on_time() {
        let second = Duration::from_secs(1);
        for (seed, (base, increment)) in [(60, 0), (180, 2), (15, 0), (2, 0), (5400, 30)]
            .into_iter()
            .enumerate()
        {
            let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
            let (base, increment) = (second * base, second * increment);
            let control = TimeControl::Game {
                moves: None,
                base,
                increment,
            };
            let overhead = Duration::from_millis(30);
            let mut clock = base;
            for number in 0..100 {
                let budget = allocate_time(
                    &control,
                    clock,
                    None,
                    clock,
                    overhead,
                    Delays::default(),
                    &Parameters::default(),
                );
                let time = human_time(&budget, ORDINARY, 1.2, uniform(&mut random));
                let used = time + Duration::from_millis(15);
                assert!(used < clock, "move {number} of {base:?}: {used:?}");
                clock = clock - used + increment;
            }
        }
    }
}
