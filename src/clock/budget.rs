//! Time allocation: the soft and the hard limit of a move.
//!
//! After the soft limit, no iteration starts. At the hard limit, the search stops. One move can use about a third of
//! the remaining time, so that a scheduler delay of many times the overhead does not lose the game.

use std::time::Duration;

use super::TimeControl;

/// Time limits of one move, counted from the start of its search. If both are zero, the engine moves at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// Time after which no iteration starts; at most `hard`.
    pub soft: Duration,
    /// Time at which the search stops.
    pub hard: Duration,
}

/// Remaining time up to which the engine moves at once, because communication takes this time anyway.
const MIN_CLOCK: Duration = Duration::from_millis(30);

/// Assumed number of moves to go without periods. A move's share is a fraction of the remaining time, so that the time
/// never runs out.
const DEFAULT_MOVES_TO_GO: u32 = 24;

/// Assumed number of moves to go without periods if more than half of a sufficient increment remains after the lag.
/// Saved time is then less valuable.
const MOVES_TO_GO_WITH_INCREMENT: u32 = 16;

/// Lowest sufficient increment. A smaller one may not cover the communication of a move.
const SUFFICIENT_INCREMENT: Duration = Duration::from_millis(20);

/// Highest lag of local communication. A higher lag is that of a network: it is reserved completely, and again for
/// later moves.
const LOCAL_LAG_LIMIT: Duration = Duration::from_millis(50);

/// Limit of all durations, so that no sum overflows.
const MAX_DURATION: Duration = Duration::from_secs(366 * 24 * 3600);

/// Returns the time limits of the next move.
///
/// * `remaining`: time on the engine's clock
/// * `moves_to_go`: moves until the next period; `None` without periods
/// * `opponent_remaining`: time on the opponent's clock; a large difference changes the share by a tenth
/// * `overhead`: time per move for pipes and scheduler. At most half of the remaining time is reserved for it, so that
///   the engine always thinks.
/// * `lag`: communication delay per move. Because every later move loses it again, it also reduces the increment. Up to
///   50 ms are reserved like the overhead. A higher lag is reserved completely, even if no time to think remains.
///
/// `u` is the remaining time minus overhead and `lag`, `n` the number of moves to go, and `i` the increment. While `i`
/// covers the lag, the share of a move is
///
/// ```text
/// (u - min(r, 3/4 u)) / n  +  3/4 (i - lag) min(1, u / 2r)        r = 4 lag, or 0 up to 50 ms
/// ```
///
/// so that the clock recovers if it is too low for a few late moves. Otherwise `i - lag` counts as 0, and the share is
/// reduced by the difference, at most by 7/8.
///
/// `n` is the number of moves to the next period, at most 48. Without periods it is 16 if `i` is at least 20 ms and
/// more than twice the lag, else 24.
///
/// Without periods and with an increment below 20 ms, the soft limit also reserves the overhead of 24 moves that the
/// increment does not cover, at most 3/4 of the share.
///
/// ```
/// use std::time::Duration;
/// use gaur::clock::{TimeControl, allocate_time};
/// let second = Duration::from_secs(1);
/// let overhead = Duration::from_millis(30);
/// let budget = allocate_time(&TimeControl::PerMove(second), second, None, second, overhead, Duration::ZERO);
/// assert_eq!(budget.hard, Duration::from_millis(970));
/// ```
pub fn allocate_time(
    control: &TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
    opponent_remaining: Duration,
    overhead: Duration,
    lag: Duration,
) -> TimeBudget {
    let remaining = remaining.min(MAX_DURATION);
    let lag = lag.min(MAX_DURATION);
    match *control {
        TimeControl::PerMove(limit) => per_move(limit.min(remaining), overhead, lag),
        TimeControl::Game { increment, .. } => {
            let increment = increment.min(MAX_DURATION);
            allocate_from_clock(
                remaining,
                increment,
                moves_to_go,
                opponent_remaining,
                overhead,
                lag,
            )
        }
    }
}

/// Returns limits that use all time, because unused time is lost.
fn per_move(limit: Duration, overhead: Duration, lag: Duration) -> TimeBudget {
    let hard = usable(limit, overhead, lag);
    TimeBudget { soft: hard, hard }
}

/// Returns limits from a fraction of the remaining time and of the increment.
fn allocate_from_clock(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    opponent_remaining: Duration,
    overhead: Duration,
    lag: Duration,
) -> TimeBudget {
    let usable = usable(remaining, overhead, lag);
    let period = moves_to_go.map(|moves| moves.max(1));
    let default_moves_to_go =
        if increment >= SUFFICIENT_INCREMENT && increment > lag.saturating_mul(2) {
            MOVES_TO_GO_WITH_INCREMENT
        } else {
            DEFAULT_MOVES_TO_GO
        };
    let moves = period.map_or(default_moves_to_go, |moves| {
        moves.min(DEFAULT_MOVES_TO_GO * 2)
    });
    // A reserve for the next moves, one of which may be later than usual.
    let network = network(lag);
    let reserve = network * 4;
    let mut share = (usable - reserve.min(usable * 3 / 4)) / moves;
    let earned = increment.saturating_sub(lag) * 3 / 4;
    share += if usable < reserve * 2 {
        earned.mul_f64(usable.div_duration_f64(reserve * 2))
    } else {
        earned
    };
    // Every later move loses the lag that the increment does not cover.
    share -= lag.saturating_sub(increment).min(share * 7 / 8);
    // An opponent short of time moves quickly, so that saved time has less value; one with much time does not.
    if opponent_remaining < remaining / 2 {
        share = share * 11 / 10;
    } else if opponent_remaining / 2 > remaining {
        share = share * 9 / 10;
    }
    // The last move of a period may use most of the time, any other about a third.
    let free = usable.saturating_sub(network);
    let most = free * 3 / 10 + period.map_or(Duration::ZERO, |moves| free / 2 / moves);
    let hard = (share * 4).min(most);
    // With hardly any increment, the overhead of all later moves is reserved from the start.
    if increment < SUFFICIENT_INCREMENT && period.is_none() {
        let later = overhead.min(LOCAL_LAG_LIMIT).saturating_sub(increment) * DEFAULT_MOVES_TO_GO;
        share -= (later.min(usable * 3 / 4) / moves).min(share * 3 / 4);
    }
    let soft = (share * 7 / 10).min(hard);
    TimeBudget { soft, hard }
}

/// Returns the remaining time minus overhead and lag.
fn usable(remaining: Duration, overhead: Duration, lag: Duration) -> Duration {
    if remaining <= MIN_CLOCK {
        return Duration::ZERO;
    }
    let network = network(lag);
    let overhead = overhead.saturating_add(lag - network);
    (remaining - overhead.min(remaining / 2)).saturating_sub(network)
}

/// Returns the lag if it is that of a network, else zero.
fn network(lag: Duration) -> Duration {
    if lag > LOCAL_LAG_LIMIT {
        lag
    } else {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn game(moves: Option<u32>, base: u64, increment: u64) -> TimeControl {
        TimeControl::Game {
            moves,
            base: millis(base),
            increment: millis(increment),
        }
    }

    fn sudden_death(base: u64, increment: u64, remaining: u64) -> TimeBudget {
        allocate_time(
            &game(None, base, increment),
            millis(remaining),
            None,
            millis(remaining),
            OVERHEAD,
            Duration::ZERO,
        )
    }

    #[test]
    fn seconds_per_move_are_used_but_not_exceeded() {
        let budget = |limit, remaining| {
            allocate_time(
                &TimeControl::PerMove(millis(limit)),
                millis(remaining),
                None,
                millis(remaining),
                OVERHEAD,
                Duration::ZERO,
            )
        };
        assert_eq!(
            budget(5000, 5000),
            TimeBudget {
                soft: millis(4970),
                hard: millis(4970)
            }
        );
        assert_eq!(budget(5000, 1000).hard, millis(970));
        assert_eq!(budget(40, 40).hard, millis(20));
        assert_eq!(budget(0, 0), TimeBudget::default());
    }

    #[test]
    fn an_empty_clock_leaves_no_time() {
        for remaining in [0, 1, 10, 30] {
            assert_eq!(sudden_death(60_000, 1000, remaining), TimeBudget::default());
        }
        assert_eq!(sudden_death(0, 0, 0), TimeBudget::default());
    }

    #[test]
    fn a_tenth_of_a_second_leaves_little_time() {
        let budget = sudden_death(60_000, 0, 100);
        assert!(
            budget.hard <= millis(30) && budget.hard > Duration::ZERO,
            "{budget:?}"
        );
    }

    #[test]
    fn blitz_with_a_tiny_increment_never_drains_the_clock() {
        // 1 s + 0.01 s per move. Every move uses its hard limit and 10 ms more.
        let mut clock = millis(1000);
        for _ in 0..500 {
            let budget = allocate_time(
                &game(None, 1000, 10),
                clock,
                None,
                clock,
                OVERHEAD,
                Duration::ZERO,
            );
            assert!(budget.hard <= clock / 3);
            clock = clock
                .checked_sub(budget.hard + millis(10))
                .expect("lost on time")
                + millis(10);
        }
    }

    #[test]
    fn classical_periods_are_spread_evenly() {
        let mut clock = millis(300_000);
        for to_go in (1..=40).rev() {
            let budget = allocate_time(
                &game(Some(40), 300_000, 0),
                clock,
                Some(to_go),
                clock,
                OVERHEAD,
                Duration::ZERO,
            );
            assert!(
                budget.soft >= millis(2_000),
                "{to_go} to go: {budget:?} of {clock:?}"
            );
            assert!(budget.hard < clock);
            clock -= budget.soft * 13 / 10;
        }
    }

    #[test]
    fn one_move_in_a_second_uses_most_of_it() {
        let second = millis(1000);
        let budget = allocate_time(
            &game(Some(1), 1000, 0),
            second,
            Some(1),
            second,
            OVERHEAD,
            Duration::ZERO,
        );
        assert!(
            budget.hard >= millis(700) && budget.hard <= millis(900),
            "{budget:?}"
        );
    }

    #[test]
    fn the_increment_is_spent() {
        assert!(
            sudden_death(60_000, 2000, 60_000).soft
                > sudden_death(60_000, 0, 60_000).soft + millis(900)
        );
    }

    #[test]
    fn a_slow_network_does_not_use_up_the_clock() {
        // 3 minutes without increment, and a lag of 0.7 s. Every move uses 1.5 times its soft limit.
        let lag = millis(700);
        let mut clock = millis(180_000);
        for _ in 0..75 {
            let budget = allocate_time(&game(None, 180_000, 0), clock, None, clock, OVERHEAD, lag);
            let spent = (budget.soft * 3 / 2).min(budget.hard);
            clock = clock.checked_sub(spent + lag).expect("lost on time");
        }
    }

    /// Returns the lowest time on the clock during a game on a server, or `None` if the game is lost on time. A move
    /// loses 0.7 to 1.3 times `lag`, a few of them twice as much. It uses 0.7 to 3 times its soft limit.
    fn lowest_clock(base: u64, increment: u64, lag: u64, moves: usize) -> Option<Duration> {
        let control = game(None, base, increment);
        let mut clock = millis(base);
        let mut lowest = clock;
        for number in 0..moves {
            let budget = allocate_time(&control, clock, None, clock, OVERHEAD, millis(lag));
            let thinking_time = budget.soft * [7, 10, 12, 16, 20, 25, 30][number * 5 % 7] / 10;
            let spike = if number % 31 == 17 { 2 } else { 1 };
            let lost = millis(lag) * [100, 70, 130, 85, 115][number * 3 % 5] / 100 * spike;
            clock = clock.checked_sub(thinking_time.min(budget.hard) + lost)?;
            lowest = lowest.min(clock);
            clock += millis(increment);
        }
        Some(lowest)
    }

    #[test]
    fn a_clock_with_increment_keeps_time_for_late_moves() {
        for (base, increment, lag) in [
            (10_000, 1000, 300),
            (10_000, 1000, 600),
            (10_000, 1000, 900),
            (120_000, 2000, 600),
        ] {
            let lowest = lowest_clock(base, increment, lag, 150).expect("lost on time");
            assert!(lowest >= millis(lag * 2), "{lag} ms lag: {lowest:?}");
        }
    }

    #[test]
    fn without_increment_the_lag_of_sixty_moves_is_kept() {
        for (base, lag) in [(60_000, 300), (180_000, 600)] {
            let lowest = lowest_clock(base, 0, lag, 60).expect("lost on time");
            assert!(lowest >= millis(lag * 2), "{lag} ms lag: {lowest:?}");
        }
    }

    #[test]
    fn a_clock_below_overhead_and_lag_leaves_no_time() {
        let clock = millis(700);
        let control = game(None, 0, 1000);
        let budget = allocate_time(&control, clock, None, clock, OVERHEAD, millis(600));
        assert_eq!(budget, TimeBudget::default());
    }

    #[test]
    fn lag_is_a_part_of_the_overhead() {
        let second = millis(1000);
        let control = TimeControl::PerMove(second);
        let budget = allocate_time(&control, second, None, second, OVERHEAD, millis(200));
        assert_eq!(budget.hard, millis(770));
    }

    fn durations() -> impl Strategy<Value = Duration> {
        prop_oneof![
            (0u64..5000).prop_map(Duration::from_millis),
            (0u64..10_000_000).prop_map(Duration::from_millis),
            any::<u64>().prop_map(Duration::from_secs),
        ]
    }

    proptest! {
        #[test]
        fn limits_are_in_order_for_any_input(
            per_move in any::<bool>(),
            base in durations(),
            increment in durations(),
            remaining in durations(),
            opponent in durations(),
            overhead in durations(),
            lag in durations(),
            moves in proptest::option::of(any::<u32>()),
        ) {
            let control = if per_move {
                TimeControl::PerMove(base)
            } else {
                TimeControl::Game { moves, base, increment }
            };
            let budget = allocate_time(&control, remaining, moves, opponent, overhead, lag);
            prop_assert!(budget.soft <= budget.hard);
            prop_assert!(budget.hard <= remaining);
            if lag > LOCAL_LAG_LIMIT {
                prop_assert!(budget.hard <= remaining.saturating_sub(lag));
            }
            if per_move {
                prop_assert!(budget.hard <= base);
            } else {
                prop_assert!(budget.hard <= remaining.min(MAX_DURATION) * 4 / 5);
            }
        }
    }
}
