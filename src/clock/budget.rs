//! How much of the clock one move may cost.
//!
//! Two limits: after the soft one no further iteration is begun, at the hard one the search answers with what it
//! has. The hard limit leaves so much on the clock that a scheduler delay of many times the overhead does not
//! cost the game, because a third of the stock is the most that one move of many can take.

use std::time::Duration;

use super::TimeControl;

/// What one move may cost, counted from the moment it was asked for. Both limits zero: answer at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// Begin no further iteration once this much has been used; at most `hard`.
    pub soft: Duration,
    /// Answer when this much has been used, whatever is going on.
    pub hard: Duration,
}

/// Clocks at or below this give no time to think at all: what the way to the GUI takes is lost anyway.
const MIN_CLOCK: Duration = Duration::from_millis(30);

/// In how many moves a stock without periods would be spent if every move took its share; since a share is one of
/// what is left, the stock never runs out.
const DEFAULT_MOVES_TO_GO: u32 = 24;

/// The same where more than half of a fair increment remains after the lag: what is saved for later is then worth less.
const MOVES_TO_GO_WITH_INCREMENT: u32 = 16;

/// Increments from here on are fair ones; smaller ones may not even pay for the way of a move to the GUI.
const FAIR_INCREMENT: Duration = Duration::from_millis(20);

/// More lag than this is that of a network, which is set aside in full, and more of it for later moves.
const LOCAL_LAG_LIMIT: Duration = Duration::from_millis(50);

/// Longer times are treated as this, so that no sum can overflow.
const MAX_DURATION: Duration = Duration::from_secs(366 * 24 * 3600);

/// The limits for the next move.
///
/// * `remaining`: what the engine's clock shows now;
/// * `moves_to_go`: moves until the next period adds its time, `None` when there are no periods;
/// * `opponent_remaining`: the other clock, which shifts the shares a little;
/// * `overhead`: what a move costs besides thinking (pipes, scheduler). When that is more than half of what is left,
///   only half is set aside, so that some thinking is always done;
/// * `lag`: what the network adds to the overhead. As each move of the game will pay it, it also counts as an
///   increment that is lost. Up to 50 ms it is set aside as the overhead is. More is always set aside in full, even if
///   no time to think remains.
///
/// With `u` left of the stock when overhead and `lag` are set aside, `n` moves to expect and the increment `i`, a
/// move's share is, while `i` pays for the lag,
///
/// ```text
/// (u - min(r, 3/4 u)) / n  +  3/4 (i - lag) min(1, u / 2r)        r = 4 lag, or 0 up to 50 ms
/// ```
///
/// so that a stock too small for a few late moves grows again. Else `i - lag` counts as 0, and what is missing is taken
/// off the share, up to 7/8 of it.
///
/// `n` is the number of moves to the next period, at most 48; without periods it is 16 where `i` is at least 20 ms and
/// more than twice the lag, else 24.
///
/// Without periods and with an increment below 20 ms the soft limit also leaves aside what 24 moves cost besides
/// thinking and more than the increment, up to 3/4 of it.
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

/// Nothing can be saved up, so everything is used.
fn per_move(limit: Duration, overhead: Duration, lag: Duration) -> TimeBudget {
    let hard = usable(limit, overhead, lag);
    TimeBudget { soft: hard, hard }
}

/// A share of the stock, and of the increment that comes back.
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
    let default_moves_to_go = if increment >= FAIR_INCREMENT && increment > lag.saturating_mul(2) {
        MOVES_TO_GO_WITH_INCREMENT
    } else {
        DEFAULT_MOVES_TO_GO
    };
    let moves = period.map_or(default_moves_to_go, |moves| {
        moves.min(DEFAULT_MOVES_TO_GO * 2)
    });
    // The next moves may be late, too, and one of them later than usual.
    let network = network(lag);
    let reserve = network * 4;
    let mut share = (usable - reserve.min(usable * 3 / 4)) / moves;
    let earned = increment.saturating_sub(lag) * 3 / 4;
    share += if usable < reserve * 2 {
        earned.mul_f64(usable.div_duration_f64(reserve * 2))
    } else {
        earned
    };
    // LagEstimate that no increment pays for is paid from the stock, at each move to come.
    share -= lag.saturating_sub(increment).min(share * 7 / 8);
    // Someone short of time cannot use what we would save; someone with plenty can.
    if opponent_remaining < remaining / 2 {
        share = share * 11 / 10;
    } else if opponent_remaining / 2 > remaining {
        share = share * 9 / 10;
    }
    // The last move of a period may take most of what is there, any other at most about a third.
    let free = usable.saturating_sub(network);
    let most = free * 3 / 10 + period.map_or(Duration::ZERO, |moves| free / 2 / moves);
    let hard = (share * 4).min(most);
    // Where hardly any time comes back, what all moves to come cost besides thinking must be there from the start.
    if increment < FAIR_INCREMENT && period.is_none() {
        let later = overhead.min(LOCAL_LAG_LIMIT).saturating_sub(increment) * DEFAULT_MOVES_TO_GO;
        share -= (later.min(usable * 3 / 4) / moves).min(share * 3 / 4);
    }
    let soft = (share * 7 / 10).min(hard);
    TimeBudget { soft, hard }
}

/// What is left of a clock when overhead and lag are set aside.
fn usable(remaining: Duration, overhead: Duration, lag: Duration) -> Duration {
    if remaining <= MIN_CLOCK {
        return Duration::ZERO;
    }
    let network = network(lag);
    let overhead = overhead.saturating_add(lag - network);
    (remaining - overhead.min(remaining / 2)).saturating_sub(network)
}

/// The lag, if it is that of a network.
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
    fn seconds_per_move_are_used_but_never_passed() {
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
    fn an_empty_clock_means_at_once() {
        for remaining in [0, 1, 10, 30] {
            assert_eq!(sudden_death(60_000, 1000, remaining), TimeBudget::default());
        }
        assert_eq!(sudden_death(0, 0, 0), TimeBudget::default());
    }

    #[test]
    fn a_tenth_of_a_second_is_nearly_nothing() {
        let budget = sudden_death(60_000, 0, 100);
        assert!(
            budget.hard <= millis(30) && budget.hard > Duration::ZERO,
            "{budget:?}"
        );
    }

    #[test]
    fn blitz_with_a_tiny_increment_never_drains_the_clock() {
        // 1 s + 0.01 s per move, every move using its hard limit and 10 ms more.
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
    fn a_slow_network_does_not_eat_up_the_clock() {
        // 3 minutes without increment and 0.7 s lost at each move, every move using half more than its soft limit.
        let lag = millis(700);
        let mut clock = millis(180_000);
        for _ in 0..75 {
            let budget = allocate_time(&game(None, 180_000, 0), clock, None, clock, OVERHEAD, lag);
            let spent = (budget.soft * 3 / 2).min(budget.hard);
            clock = clock.checked_sub(spent + lag).expect("lost on time");
        }
    }

    /// The least that a clock showed in a game on a server where each move loses about `lag`, from 0.7 to 1.3 times as
    /// much, and now and then twice that. The moves use 0.7 to 3 times their soft limit.
    fn least_clock(base: u64, increment: u64, lag: u64, moves: usize) -> Option<Duration> {
        let control = game(None, base, increment);
        let mut clock = millis(base);
        let mut least = clock;
        for number in 0..moves {
            let budget = allocate_time(&control, clock, None, clock, OVERHEAD, millis(lag));
            let thought = budget.soft * [7, 10, 12, 16, 20, 25, 30][number * 5 % 7] / 10;
            let spike = if number % 31 == 17 { 2 } else { 1 };
            let lost = millis(lag) * [100, 70, 130, 85, 115][number * 3 % 5] / 100 * spike;
            clock = clock.checked_sub(thought.min(budget.hard) + lost)?;
            least = least.min(clock);
            clock += millis(increment);
        }
        Some(least)
    }

    #[test]
    fn a_clock_with_increment_does_not_sink_below_what_late_moves_need() {
        for (base, increment, lag) in [
            (10_000, 1000, 300),
            (10_000, 1000, 600),
            (10_000, 1000, 900),
            (120_000, 2000, 600),
        ] {
            let least = least_clock(base, increment, lag, 150).expect("lost on time");
            assert!(least >= millis(lag * 2), "{lag} ms lag: {least:?}");
        }
    }

    #[test]
    fn without_increment_the_lag_of_sixty_moves_is_kept() {
        for (base, lag) in [(60_000, 300), (180_000, 600)] {
            let least = least_clock(base, 0, lag, 60).expect("lost on time");
            assert!(least >= millis(lag * 2), "{lag} ms lag: {least:?}");
        }
    }

    #[test]
    fn a_clock_that_only_the_lag_fits_into_means_at_once() {
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
