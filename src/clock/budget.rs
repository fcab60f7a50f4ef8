//! Time allocation: the soft and the hard limit of a move.
//!
//! After the soft limit, no iteration starts. At the hard limit, the search stops. One move can use about a third of
//! the remaining time, so that a scheduler delay of many times the overhead does not lose the game.

use std::time::Duration;

use crate::config::Parameters;

use super::{LagEstimate, Lateness, TimeControl};

/// Time limits of one move, counted from the start of its search. If both are zero, the engine moves at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// Time after which no iteration starts; at most `hard`.
    pub soft: Duration,
    /// Time at which the search stops.
    pub hard: Duration,
}

/// Soft limit below which a move is sent as quickly as possible.
const SHORT_SEARCH: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// Returns the delay of a move that is sent after `used`, measured from the time when it was due: the hard limit,
    /// or in a short search one and a half soft limits.
    pub fn lateness(&self, used: Duration) -> Duration {
        let due = if self.soft < SHORT_SEARCH {
            self.hard.min(self.soft * 3 / 2)
        } else {
            self.hard
        };
        used.saturating_sub(due)
    }
}

/// Delays expected per move, measured at earlier moves. They are lost in addition to the thinking time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Mean delay of the connection to a chess server.
    pub network: Duration,
    /// Mean delay on this machine, by its scheduler and a slow host.
    pub local: Duration,
    /// Delay on this machine that a single move must survive.
    pub largest: Duration,
}

impl Delays {
    /// Returns the delays to expect after these measurements. A slow host often needs a quarter more than usual.
    pub fn expected(lag: &LagEstimate, lateness: &Lateness) -> Delays {
        Delays {
            network: lag.network(),
            local: lag.local() + lateness.mean(),
            largest: lag.slow_host() * 5 / 4 + lateness.largest(),
        }
    }

    /// Returns the mean delay from all causes.
    fn mean(&self) -> Duration {
        self.network.saturating_add(self.local)
    }

    /// Returns these delays, each at most [`MAX_DURATION`].
    fn limited(self) -> Delays {
        Delays {
            network: self.network.min(MAX_DURATION),
            local: self.local.min(MAX_DURATION),
            largest: self.largest.min(MAX_DURATION),
        }
    }
}

/// Remaining time up to which the engine moves at once, because communication takes this time anyway.
const MIN_CLOCK: Duration = Duration::from_millis(30);

/// Largest number of moves to the next period among which the remaining time is divided. A move's share is then a
/// fraction of the remaining time, so that the time never runs out.
const MOST_MOVES_TO_GO: u32 = 48;

/// Number of moves whose overhead is reserved without periods if hardly any increment covers it.
const OVERHEAD_MOVES: u32 = 24;

/// Number of later moves whose local delays are reserved. A longer game is not lost, because little more than the
/// delays is used once the clock has fallen to the reserve.
const RESERVED_MOVES: u32 = 120;

/// Local delay per move that is reserved although it was not measured, because a busy machine shows it only when the
/// clock is short.
const LEAST_DELAY: Duration = Duration::from_millis(3);

/// Share of a move that is left although the reserves are not complete, because even a short search finds a much better
/// move than the first iteration. It shrinks with the clock.
const LEAST_SHARE: Duration = Duration::from_micros(700);

/// Fraction of an unavoidable local delay that may be spent on thinking even if the reserve is not complete.
const THINKING_PER_DELAY: u32 = 8;

/// Lowest sufficient increment. A smaller one may not cover the communication of a move.
const SUFFICIENT_INCREMENT: Duration = Duration::from_millis(10);

/// Increment with which the time left late in a game nearly always survives a single move that is 60 ms late. A smaller
/// one needs a reserve for it.
const LATE_MOVE_INCREMENT: Duration = Duration::from_millis(20);

/// Factor of the difference between [`LATE_MOVE_INCREMENT`] and the increment in the reserve for one late move. (Chosen
/// by games on a simulated clock: none of 6,000 was lost at 1+0.01, see `docs/experiments/search.md`.)
const LATE_MOVE_COVER: u32 = 8;

/// Highest lag of local communication. A higher lag is that of a network or a slow host: it is reserved completely, and
/// that of a network again for later moves.
const LOCAL_LAG_LIMIT: Duration = Duration::from_millis(50);

/// Limit of all durations, so that no sum overflows.
const MAX_DURATION: Duration = Duration::from_secs(366 * 24 * 3600);

/// Returns the time limits of the next move. The numbers below are the default values of `parameters`.
///
/// * `remaining`: time on the engine's clock
/// * `moves_to_go`: moves until the next period; `None` without periods
/// * `opponent_remaining`: time on the opponent's clock; a large difference changes the share by a tenth
/// * `overhead`: time per move for pipes and scheduler. At most half of the remaining time is reserved for it, so that
///   the engine always thinks.
/// * `delays`: measured delays per move. A mean of up to 50 ms is reserved like the overhead. A higher one is reserved
///   completely, even if no time to think remains, and so is the largest local delay.
/// * `parameters`: the parameters whose names begin with `time_`
///
/// `u` is the remaining time minus these reserves, `n` the number of moves to go, `i` the increment, `d` the network
/// delay, and `l` the local delay. The share of a move is
///
/// ```text
/// (u - min(r, 3/4 u) - R) / n  +  3/4 (i - d - l) min(1, u / 2(r + R))
/// r = 4 d, or 0 up to 50 ms
/// R = 2 largest + m (l - i)
/// ```
///
/// where a negative difference counts as 0. The last factor lets the clock recover if it is too low for a few late
/// moves. A network delay above the increment reduces the share by the difference, at most by 7/8.
///
/// `n` is the number of moves to the next period, at most 48. Without periods it is 16 if `i` is at least 10 ms and
/// more than twice the mean delay, else 24. `m` is the number of later moves whose local delays are reserved: 120, or
/// fewer if the period ends earlier.
///
/// If these reserves leave less, the share is 0.7 ms, at most `u / 200`, or an eighth of `l - i`, at most `u / n`: this
/// time costs few moves, and finds much better ones than the first iteration.
///
/// Without periods and with an increment of 10 to 20 ms, `u` is lower by 8 (20 ms - `i`), at most by two thirds, so
/// that one late move hardly ever loses a game.
///
/// Without periods and with an increment below 10 ms, the soft limit also reserves the overhead of 24 moves that the
/// increment does not cover, at most 3/4 of the share. An increment below 3 ms may not cover delays that were not
/// measured. Then it adds nothing to the soft limit, which reserves the difference for 120 moves, and the hard limit is
/// at most six soft limits.
///
/// ```
/// use std::time::Duration;
/// use gaur::clock::{Delays, TimeControl, allocate_time};
/// use gaur::config::Parameters;
/// let second = Duration::from_secs(1);
/// let overhead = Duration::from_millis(30);
/// let control = TimeControl::PerMove(second);
/// let (delays, parameters) = (Delays::default(), Parameters::default());
/// let budget = allocate_time(&control, second, None, second, overhead, delays, &parameters);
/// assert_eq!(budget.hard, Duration::from_millis(970));
/// ```
pub fn allocate_time(
    control: &TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
    opponent_remaining: Duration,
    overhead: Duration,
    delays: Delays,
    parameters: &Parameters,
) -> TimeBudget {
    let remaining = remaining.min(MAX_DURATION);
    let delays = delays.limited();
    match *control {
        TimeControl::PerMove(limit) => per_move(limit.min(remaining), overhead, delays),
        TimeControl::Game { increment, .. } => {
            let increment = increment.min(MAX_DURATION);
            allocate_from_clock(
                remaining,
                increment,
                moves_to_go,
                opponent_remaining,
                overhead,
                delays,
                parameters,
            )
        }
    }
}

/// Returns limits that use all time, because unused time is lost.
fn per_move(limit: Duration, overhead: Duration, delays: Delays) -> TimeBudget {
    let hard = usable(limit, overhead, delays);
    TimeBudget { soft: hard, hard }
}

/// Returns limits from a fraction of the remaining time and of the increment.
fn allocate_from_clock(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    opponent_remaining: Duration,
    overhead: Duration,
    delays: Delays,
    parameters: &Parameters,
) -> TimeBudget {
    let mut usable = usable(remaining, overhead, delays);
    let period = moves_to_go.map(|moves| moves.max(1));
    if increment >= SUFFICIENT_INCREMENT && period.is_none() {
        let missing = LATE_MOVE_INCREMENT.saturating_sub(increment) * LATE_MOVE_COVER;
        usable -= missing.min(usable * 2 / 3);
    }
    // Saved time is less valuable if more than half of a sufficient increment remains after the lag.
    let default_moves_to_go =
        if increment >= SUFFICIENT_INCREMENT && increment > delays.mean().saturating_mul(2) {
            parameters.time_moves_increment()
        } else {
            parameters.time_moves()
        };
    let moves = period.map_or(default_moves_to_go.unsigned_abs(), |moves| {
        moves.min(MOST_MOVES_TO_GO)
    });
    // Reserves for the next moves, one of which may be later than usual, and for the local delays of all later moves.
    let network = above_local_limit(delays.network);
    let network_reserve = network * 4;
    let drain = delays.local.saturating_sub(increment);
    let later_moves = period.map_or(RESERVED_MOVES, |moves| (moves - 1).min(RESERVED_MOVES));
    let local_reserve = delays.largest * 2 + drain * later_moves;
    let reserve = network_reserve + local_reserve;
    let mut share =
        (usable - network_reserve.min(usable * 3 / 4)).saturating_sub(local_reserve) / moves;
    let mut earned = percent(
        increment.saturating_sub(delays.mean()),
        parameters.time_increment(),
    );
    if usable < reserve * 2 {
        earned = earned.mul_f64(usable.div_duration_f64(reserve * 2));
    }
    share += earned;
    // Every later move loses the lag that the increment does not cover.
    share -= delays.network.saturating_sub(increment).min(share * 7 / 8);
    let least_share = (drain / THINKING_PER_DELAY)
        .min(usable / moves)
        .max(LEAST_SHARE.min(usable / 200));
    share = share.max(least_share);
    // An opponent short of time moves quickly, so that saved time has less value; one with much time does not.
    if opponent_remaining < remaining / 2 {
        share = share * 11 / 10;
    } else if opponent_remaining / 2 > remaining {
        share = share * 9 / 10;
    }
    // The last move of a period may use most of the time, any other only a part.
    let free = usable.saturating_sub(network);
    let most = percent(free, parameters.time_hard_clock())
        + period.map_or(Duration::ZERO, |moves| free / 2 / moves);
    let mut hard = percent(share, parameters.time_hard()).min(most);
    let full_share = share;
    // With hardly any increment, the overhead of all later moves is reserved from the start.
    if increment < SUFFICIENT_INCREMENT && period.is_none() {
        let later = overhead.min(LOCAL_LAG_LIMIT).saturating_sub(increment) * OVERHEAD_MOVES;
        share -= (later.min(usable * 3 / 4) / moves).min(share * 3 / 4);
        if increment < LEAST_DELAY {
            let unmeasured = (LEAST_DELAY - increment) * RESERVED_MOVES;
            let rest = full_share
                .saturating_sub(earned + unmeasured / moves)
                .max(least_share);
            if rest < share {
                share = rest;
                hard = hard.min(percent(share, parameters.time_hard()));
            }
        }
    }
    let soft = percent(share, parameters.time_soft()).min(hard);
    TimeBudget { soft, hard }
}

/// Returns `percent` hundredths, not negative, of a time.
fn percent(time: Duration, percent: i32) -> Duration {
    time * percent.unsigned_abs() / 100
}

/// Returns the remaining time minus overhead and delays.
fn usable(remaining: Duration, overhead: Duration, delays: Delays) -> Duration {
    if remaining <= MIN_CLOCK {
        return Duration::ZERO;
    }
    let delay = delays.mean();
    let long_delay = above_local_limit(delay);
    let overhead = overhead.saturating_add(delay - long_delay);
    let reserve = overhead
        .min(remaining / 2)
        .saturating_add(long_delay)
        .max(delays.largest);
    remaining.saturating_sub(reserve)
}

/// Returns the delay if it is longer than that of local communication, else zero.
fn above_local_limit(delay: Duration) -> Duration {
    if delay > LOCAL_LAG_LIMIT {
        delay
    } else {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests;
