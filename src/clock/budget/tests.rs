//! Tests of the time allocation.

use proptest::prelude::*;

use super::*;

const OVERHEAD: Duration = Duration::from_millis(30);

fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Returns the delay of a network without local delays.
fn network(lag: Duration) -> Delays {
    Delays {
        network: lag,
        ..Delays::default()
    }
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
        Delays::default(),
        &Parameters::default(),
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
            Delays::default(),
            &Parameters::default(),
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
            Delays::default(),
            &Parameters::default(),
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
            Delays::default(),
            &Parameters::default(),
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
        Delays::default(),
        &Parameters::default(),
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
        let budget = allocate_time(
            &game(None, 180_000, 0),
            clock,
            None,
            clock,
            OVERHEAD,
            network(lag),
            &Parameters::default(),
        );
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
        let budget = allocate_time(
            &control,
            clock,
            None,
            clock,
            OVERHEAD,
            network(millis(lag)),
            &Parameters::default(),
        );
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
    let budget = allocate_time(
        &control,
        clock,
        None,
        clock,
        OVERHEAD,
        network(millis(600)),
        &Parameters::default(),
    );
    assert_eq!(budget, TimeBudget::default());
}

#[test]
fn lag_is_a_part_of_the_overhead() {
    let second = millis(1000);
    let control = TimeControl::PerMove(second);
    let budget = allocate_time(
        &control,
        second,
        None,
        second,
        OVERHEAD,
        network(millis(200)),
        &Parameters::default(),
    );
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
        local in durations(),
        largest in durations(),
        moves in proptest::option::of(any::<u32>()),
    ) {
        let control = if per_move {
            TimeControl::PerMove(base)
        } else {
            TimeControl::Game { moves, base, increment }
        };
        let delays = Delays { network: lag, local, largest };
        let budget = allocate_time(&control, remaining, moves, opponent, overhead, delays, &Parameters::default());
        prop_assert!(budget.soft <= budget.hard);
        prop_assert!(budget.hard <= remaining.saturating_sub(largest));
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

#[test]
fn one_long_interruption_costs_the_next_move_less_than_half_of_its_time() {
    let soft = |lateness: &Lateness| {
        let delays = Delays::expected(&LagEstimate::default(), lateness);
        let time = millis(850);
        allocate_time(
            &game(None, 1000, 0),
            time,
            None,
            time,
            OVERHEAD,
            delays,
            &Parameters::default(),
        )
        .soft
    };
    let mut lateness = Lateness::default();
    let before = soft(&lateness);
    lateness.add_sample(millis(100));
    let after = soft(&lateness);
    assert!(
        after < before && after > before / 2,
        "{after:?} of {before:?}"
    );
}
