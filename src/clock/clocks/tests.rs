//! Clocks: running, stopping, time controls, takeovers by the engine.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn level(moves: Option<u32>, base: u32, increment: u32) -> TimeControl {
    TimeControl::Game {
        moves,
        base: SECOND * base,
        increment: SECOND * increment,
    }
}

#[test]
fn a_running_clock_counts_down_and_gets_its_increment() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(None, 60, 2));
    clocks.run(Color::Black, start);
    assert_eq!(clocks.engine.remaining(start + SECOND * 7), SECOND * 53);
    clocks.finish_move(Color::Black, start + SECOND * 7);
    assert_eq!(clocks.engine.remaining(start + SECOND * 100), SECOND * 55);
    assert_eq!(clocks.opponent.remaining(start + SECOND * 17), SECOND * 50);
    assert_eq!(
        clocks.opponent.remaining(start + SECOND * 1000),
        Duration::ZERO
    );
}

#[test]
fn a_new_period_adds_its_base() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(Some(2), 60, 0));
    for (to_go, remaining) in [(1, 60), (2, 120), (1, 120), (2, 180)] {
        clocks.finish_move(Color::Black, start);
        assert_eq!(clocks.engine.moves_to_go(), Some(to_go));
        assert_eq!(clocks.engine.remaining(start), SECOND * remaining);
    }
}

#[test]
fn a_takeback_restores_the_clocks_of_each_colour() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(Some(1), 60, 5));
    clocks.run(Color::Black, start);
    let before = clocks;
    clocks.finish_move(Color::Black, start + SECOND * 10);
    assert_eq!(clocks.engine.remaining(start), SECOND * 115);
    let other_side = {
        let mut clocks = clocks;
        clocks.set_engine_color(Color::White);
        clocks
    };
    for mut clocks in [clocks, other_side] {
        clocks.stop(start + SECOND * 20);
        clocks.take_back_to(&before, start + SECOND * 20);
        assert_eq!(clocks.clock_mut(Color::Black).remaining(start), SECOND * 60);
        assert_eq!(clocks.clock_mut(Color::White).remaining(start), SECOND * 60);
        assert_eq!(clocks.clock_mut(Color::Black).moves_to_go(), Some(1));
    }
    // Clocks with another time control stay as they are.
    clocks.set_control(level(None, 30, 0), start);
    clocks.take_back_to(&before, start);
    assert_eq!(clocks.opponent.remaining(start), SECOND * 30);
}

#[test]
fn a_period_completed_in_force_mode_adds_its_time() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(Some(2), 60, 5));
    clocks.count_move(Color::White);
    assert_eq!(clocks.opponent.remaining(start), SECOND * 60);
    clocks.count_move(Color::White);
    assert_eq!(clocks.opponent.remaining(start), SECOND * 120);
}

#[test]
fn times_reported_during_a_move_hold_for_that_move_only() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(None, 60, 5));
    clocks.set_engine_color(Color::Black);
    clocks.run(Color::Black, start);
    clocks.set_engine_time(SECOND * 40, start);
    clocks.set_opponent_time(SECOND * 20, start);
    clocks.finish_move(Color::Black, start);
    assert_eq!(clocks.engine.remaining(start), SECOND * 45);
    clocks.finish_move(Color::White, start);
    assert_eq!(clocks.opponent.remaining(start), SECOND * 25);
    // The colour changes without new times: the clocks are swapped.
    clocks.set_engine_color(Color::White);
    assert_eq!(clocks.engine.remaining(start), SECOND * 25);
}

#[test]
fn only_seconds_per_move_are_restored_at_the_start_of_a_turn() {
    let start = Instant::now();
    let now = start + SECOND * 4;
    for (control, left) in [
        (TimeControl::PerMove(SECOND * 5), 5),
        (level(None, 60, 0), 56),
    ] {
        // Another side takes over while its clock runs.
        let mut clocks = Clocks::new(control);
        clocks.run(Color::White, start);
        clocks.start_engine_turn(Color::White, now);
        assert_eq!(clocks.engine.remaining(now), SECOND * left);
        assert_eq!(clocks.engine.remaining(now + SECOND), SECOND * (left - 1));
        // The engine's own clock was stopped during a move.
        clocks.stop(now + SECOND);
        clocks.start_engine_turn(Color::White, now + SECOND);
        let left = if left == 5 { 5 } else { left - 1 };
        assert_eq!(clocks.engine.remaining(now + SECOND), SECOND * left);
        // A reported time holds.
        clocks.stop(now + SECOND);
        clocks.set_engine_time(SECOND * 2, now + SECOND);
        clocks.start_engine_turn(Color::White, now + SECOND);
        assert_eq!(clocks.engine.remaining(now + SECOND), SECOND * 2);
    }
}

#[test]
fn the_opponents_clock_stands_still_without_a_time_control() {
    let start = Instant::now();
    let mut clocks = Clocks::uncontrolled();
    let full = clocks.opponent.remaining(start);
    clocks.run(Color::White, start);
    assert_eq!(clocks.opponent.remaining(start + SECOND * 100), full);
    clocks.reset();
    clocks.run(Color::White, start);
    assert_eq!(clocks.opponent.remaining(start + SECOND * 100), full);
    // The engine takes over the side of the opponent.
    let later = start + SECOND * 100;
    clocks.start_engine_turn(Color::White, later);
    assert_eq!(clocks.engine.remaining(later), full);
    assert_eq!(clocks.engine.remaining(later + SECOND), full - SECOND);
    clocks.finish_move(Color::White, later);
    assert_eq!(clocks.opponent.remaining(later + SECOND * 100), full);
    clocks.set_opponent_time(SECOND * 60, start);
    clocks.run(Color::Black, start);
    assert_eq!(clocks.opponent.remaining(start + SECOND), SECOND * 59);
}

#[test]
fn a_time_of_the_engine_leaves_the_running_clock_of_the_opponent_as_it_is() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(None, 60, 0));
    clocks.run(Color::White, start);
    clocks.set_engine_time(SECOND * 50, start + SECOND * 5);
    assert_eq!(clocks.opponent.last_shown(), SECOND * 60);
    assert_eq!(clocks.opponent.remaining(start + SECOND * 6), SECOND * 54);
}

#[test]
fn a_time_control_or_time_starts_the_clock_of_the_opponent_who_thinks() {
    let start = Instant::now();
    let now = start + SECOND * 100;
    let orders: [fn(&mut Clocks, Instant); 3] = [
        |clocks, now| clocks.set_control(level(None, 60, 0), now),
        |clocks, now| clocks.set_engine_time(SECOND * 60, now),
        |clocks, now| clocks.set_opponent_time(SECOND * 60, now),
    ];
    for order in orders {
        let mut clocks = Clocks::uncontrolled();
        clocks.run(Color::White, start);
        order(&mut clocks, now);
        let full = clocks.opponent.remaining(now);
        assert_eq!(
            clocks.opponent.remaining(now + SECOND * 5),
            full - SECOND * 5
        );
        clocks.stop(now + SECOND * 5);
        clocks.set_engine_color(Color::White);
        assert_eq!(
            clocks.opponent.remaining(now + SECOND * 9),
            clocks.opponent.last_shown()
        );
    }
}

#[test]
fn seconds_per_move_are_restored_after_each_move() {
    let start = Instant::now();
    let mut clocks = Clocks::new(TimeControl::PerMove(SECOND * 5));
    clocks.run(Color::Black, start);
    clocks.finish_move(Color::Black, start + SECOND * 4);
    assert_eq!(clocks.engine.remaining(start + SECOND * 4), SECOND * 5);
}

#[test]
fn a_base_of_zero_with_increment_starts_at_ten_seconds() {
    assert_eq!(
        Clock::new(level(None, 0, 1)).remaining(Instant::now()),
        SECOND * 10
    );
    assert_eq!(
        Clock::new(level(None, 0, 0)).remaining(Instant::now()),
        Duration::ZERO
    );
}

#[test]
fn clocks_are_swapped_with_the_sides_unless_times_were_reported() {
    let now = Instant::now();
    let mut clocks = Clocks::new(level(None, 60, 0));
    clocks.set_engine_time(SECOND * 50, now);
    clocks.set_opponent_time(SECOND * 40, now);
    clocks.set_engine_color(Color::White);
    assert_eq!(clocks.engine.remaining(now), SECOND * 50);
    clocks.set_engine_color(Color::Black);
    assert_eq!(clocks.engine.remaining(now), SECOND * 40);
    clocks.set_engine_color(Color::Black);
    assert_eq!(clocks.engine.remaining(now), SECOND * 40);
}

#[test]
fn a_stopped_clock_keeps_its_time() {
    let start = Instant::now();
    let mut clocks = Clocks::new(level(None, 60, 0));
    clocks.run(Color::Black, start);
    clocks.stop(start + SECOND * 10);
    clocks.run(Color::Black, start + SECOND * 5000);
    assert_eq!(clocks.engine.remaining(start + SECOND * 5001), SECOND * 49);
}
