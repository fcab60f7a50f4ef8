//! Tests of clocks, delays and limits.

use super::*;

const OVERHEAD: Duration = Duration::from_millis(30);

fn per_move(seconds: u64) -> TimeControl {
    TimeControl::PerMove(Duration::from_secs(seconds))
}

/// Returns the limits with the default overhead and parameters.
fn limits_of(time: &TimeKeeping, started: Instant, now: Instant) -> Limits {
    time.limits(started, now, OVERHEAD, &Parameters::default())
}

fn hard_limit(time: &TimeKeeping, now: Instant) -> Option<Duration> {
    let budget = limits_of(time, now, now).budget;
    budget.map(|budget| budget.hard)
}

#[test]
fn nodes_and_time_are_converted_without_overflow() {
    assert_eq!(time_for(500, 1000), Duration::from_millis(500));
    assert_eq!(time_for(u64::MAX, 1), Duration::from_millis(u64::MAX));
    assert_eq!(nodes_in(Duration::from_millis(500), 1000), 500);
    assert_eq!(nodes_in(Duration::ZERO, 1000), 1);
    assert_eq!(nodes_in(Duration::MAX, u64::MAX), u64::MAX);
}

#[test]
fn the_unit_of_engine_time_decides_about_the_limits() {
    let now = Instant::now();
    let mut time = TimeKeeping::new();
    time.set_control(per_move(10), now);
    time.set_depth_limit(0);
    let limits = limits_of(&time, now, now);
    assert_eq!((limits.depth, limits.nodes), (Some(1), None));
    assert!(
        limits
            .budget
            .is_some_and(|budget| budget.hard < Duration::from_secs(10))
    );

    assert_eq!(time.on_search_start(now), TimeSource::Wall);
    time.set_nps_mode(NpsMode::from_rate(100));
    assert!(!time.can_change_limits());
    assert_eq!(time.on_search_start(now), TimeSource::Processor);
    assert!(time.can_change_limits());
    let limits = limits_of(&time, now, now);
    assert!(limits.budget.is_none());
    assert!(limits.nodes.is_some_and(|nodes| nodes <= 1000));

    time.on_new_game();
    assert_eq!(limits_of(&time, now, now).depth, None);
}

#[test]
fn nodes_are_charged_as_time() {
    let now = Instant::now();
    let mut time = TimeKeeping::new();
    let before = time.clocks().engine.remaining(now);
    let spent = |time: &TimeKeeping| before - time.clocks().engine.remaining(now);
    let mut charge = |mode, nodes| {
        // During a search another unit has no effect: it applies to the next search.
        time.charge(Duration::from_secs(5), nodes);
        let without_effect = spent(&time);
        time.set_nps_mode(mode);
        time.on_search_start(now);
        time.charge(Duration::from_secs(5), nodes);
        (without_effect.as_secs(), spent(&time).as_secs())
    };
    assert_eq!(charge(NpsMode::from_rate(0), 1000), (0, 5));
    assert_eq!(charge(NpsMode::from_rate(1000), 2000), (10, 12));
}

#[test]
fn another_unit_of_time_applies_from_the_next_search_on() {
    let start = Instant::now();
    let later = |seconds| start + Duration::from_secs(seconds);
    let mut time = a_minute();
    time.start_engine_turn(Color::White, 0, false, start);
    time.on_search_start(start);
    time.set_nps_mode(NpsMode::from_rate(1000));
    time.charge(Duration::from_secs(2), 2_000_000);
    time.on_engine_move(Color::White, 1, later(2));
    let remaining = |time: &TimeKeeping, at| time.clocks().engine.remaining(at).as_secs();
    assert_eq!(remaining(&time, later(2)), 58);
    time.on_opponent_move(Color::Black, later(3));
    time.start_engine_turn(Color::White, 2, false, later(3));
    time.on_search_start(later(3));
    assert_eq!(remaining(&time, later(50)), 58);
    time.charge(Duration::from_secs(1), 5_000);
    assert_eq!(remaining(&time, later(50)), 53);
}

#[test]
fn missing_time_reduces_the_limits_until_the_server_changes() {
    let second = Duration::from_secs(1);
    let mut now = Instant::now();
    let mut time = TimeKeeping::new();
    let control = TimeControl::Game {
        moves: None,
        base: 60 * second,
        increment: Duration::ZERO,
    };
    time.set_control(control, now);
    time.start_engine_turn(Color::White, 2, true, now);
    time.on_engine_move(Color::White, 3, now);
    now += second;
    time.report_engine_time(59 * second, now);
    time.start_engine_turn(Color::White, 4, true, now);
    let with_lag = hard_limit(&time, now);
    time.on_server_change();
    assert!(with_lag < hard_limit(&time, now));
}

/// Returns clocks with a minute for the game.
fn a_minute() -> TimeKeeping {
    let mut time = TimeKeeping::new();
    let control = TimeControl::Game {
        moves: None,
        base: Duration::from_secs(60),
        increment: Duration::ZERO,
    };
    time.set_control(control, Instant::now());
    time
}

/// Searches for a move, which is sent `late` after the hard limit.
fn late_move(time: &mut TimeKeeping, start: Instant, late: Duration) -> Instant {
    let limits = limits_of(time, start, start);
    time.plan(&limits, start, start);
    let hard = limits.budget.expect("a budget").hard;
    let end = start + hard + late;
    time.on_move_found(end);
    end
}

#[test]
fn a_late_move_increases_the_reserve_without_reports() {
    let mut time = a_minute();
    let start = Instant::now();
    assert_eq!(time.delays(), Delays::default());
    late_move(&mut time, start, Duration::from_millis(40));
    let delays = time.delays();
    // The first late move counts as 16 ms.
    assert_eq!(delays.largest, Duration::from_millis(32));
    assert_eq!(delays.local, Duration::from_millis(1));
    time.on_new_game();
    let kept = time.delays();
    assert!(Duration::ZERO < kept.largest && kept.largest < delays.largest);
    for _ in 0..400 {
        late_move(&mut time, start, Duration::ZERO);
    }
    assert!(time.delays().largest < Duration::from_micros(10));
}

#[test]
fn limits_that_arrive_too_late_do_not_make_a_move_late() {
    let mut time = a_minute();
    let start = Instant::now();
    time.start_engine_turn(Color::White, 2, false, start);
    let now = start + Duration::from_secs(20);
    time.report_engine_time(Duration::ZERO, now);
    let limits = limits_of(&time, start, now);
    time.plan(&limits, start, now);
    time.on_move_found(now + Duration::from_millis(3));
    assert_eq!(time.delays().largest, Duration::from_millis(6));
}

#[test]
fn a_pause_and_other_units_of_time_make_no_move_late() {
    let start = Instant::now();
    let later = start + Duration::from_secs(50);
    for interrupt in [
        |time: &mut TimeKeeping, now: Instant| time.stop(now),
        |time: &mut TimeKeeping, now: Instant| time.run(Color::White, now),
        |time: &mut TimeKeeping, _: Instant| time.on_new_game(),
    ] {
        let mut time = a_minute();
        let limits = limits_of(&time, start, start);
        time.plan(&limits, start, start);
        interrupt(&mut time, start);
        time.on_move_found(later);
        assert_eq!(time.delays(), Delays::default());
    }
    let mut time = a_minute();
    time.set_nps_mode(NpsMode::ProcessorTime);
    let limits = limits_of(&time, start, start);
    time.plan(&limits, start, start);
    time.on_move_found(later);
    assert_eq!(time.delays(), Delays::default());
}

#[test]
fn moves_without_reports_cost_a_little_more_than_gaur_sees() {
    let start = Instant::now();
    let mut time = a_minute();
    let first = hard_limit(&time, start);
    for length in 1..=40 {
        time.start_engine_turn(Color::White, length * 2, false, start);
        time.on_engine_move(Color::White, length * 2 + 1, start);
    }
    let unreported = hard_limit(&time, start);
    assert!(unreported < first);
    time.report_engine_time(Duration::from_secs(60), start);
    assert_eq!(hard_limit(&time, start), first);
}

#[test]
fn delays_of_earlier_moves_cost_no_nodes_and_no_processor_time() {
    let start = Instant::now();
    let mut late = a_minute();
    for length in 1..=40 {
        late.start_engine_turn(Color::White, length * 2, false, start);
        let limits = limits_of(&late, start, start);
        late.plan(&limits, start, start);
        late.on_move_found(start + Duration::from_secs(30));
        late.on_engine_move(Color::White, length * 2 + 1, start);
    }
    assert_ne!(late.delays(), Delays::default());
    for mode in [NpsMode::ProcessorTime, NpsMode::Nodes(1000)] {
        let mut punctual = a_minute();
        punctual.set_nps_mode(mode);
        late.set_nps_mode(mode);
        assert_eq!(
            limits_of(&late, start, start),
            limits_of(&punctual, start, start)
        );
    }
}
