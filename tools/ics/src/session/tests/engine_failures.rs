//! Tests of failures of the engine: their reports, and a variant that it does not play.

use std::time::Duration;

use super::games::after_two_moves;
use super::*;
use crate::report::{Event, Level};

/// Returns the number of reports with this reason since the last call, and forgets the other actions.
fn failures(table: &mut Table, reason: &str) -> usize {
    let is_failure = |action: &Action| match action {
        Action::Report(Event::EngineFailed { reason: given }) => given == reason,
        _ => false,
    };
    let actions = table.account.take_actions();
    actions.iter().filter(|action| is_failure(action)).count()
}

#[test]
fn supervising_programs_learn_of_every_failure() {
    let mut table = after_two_moves("");
    table.engine(EngineEvent::Exited("signal 9".into()));
    assert_eq!(failures(&mut table, "signal 9"), 1);
    table.engine(EngineEvent::Ready(Features::default()));
    table.wait(Duration::from_secs(31));
    table.wait(Duration::from_secs(6));
    assert_eq!(failures(&mut table, "it does not answer"), 1);
    for _ in 0..3 {
        table.engine(EngineEvent::Ready(Features::default()));
        table.engine_moves("e2e4");
        assert_eq!(failures(&mut table, "it makes illegal moves"), 1);
    }
}

#[test]
fn the_last_failure_does_not_announce_another_start() {
    let mut table = after_two_moves("");
    for _ in 0..5 {
        table.engine(EngineEvent::Exited("signal 9".into()));
    }
    table.engine(EngineEvent::Ready(Features::default()));
    table.account.take_actions();
    table.wait(Duration::from_secs(31));
    table.wait(Duration::from_secs(6));
    let actions = table.account.take_actions();
    assert!(
        actions.contains(&Action::Send("resign".into())),
        "{actions:?}"
    );
    let announces = |action: &Action| match action {
        Action::StartEngine => true,
        Action::Log(_, text) => text.contains("started again"),
        _ => false,
    };
    assert!(!actions.iter().any(announces), "{actions:?}");
}

/// Begins a game of Fischer Random while the engine starts.
fn fischer_random_before_the_start() -> Table {
    let mut table = Table::logged_in("");
    table.engine(EngineEvent::Exited("signal 9".into()));
    table.line("{Game 7 (Gaur vs. Rabbit) Creating rated wild/fr match.}");
    let board = table.board(true);
    table.line(&board);
    assert!(matches!(table.orders().as_slice(), [Order::NewGame { .. }]));
    table
}

#[test]
fn a_game_that_the_engine_does_not_play_is_ended_when_the_engine_is_ready() {
    let mut table = fischer_random_before_the_start();
    table.engine(EngineEvent::Ready(Features::default()));
    let sent = table.sent();
    assert_eq!(sent[0], "abort");
    assert!(sent[1].starts_with("tell Rabbit "), "{sent:?}");
    for command in ["adjourn", "resign"] {
        table.wait(Duration::from_secs(20));
        let actions = table.account.take_actions();
        assert_eq!(actions, [Action::Send(command.into())]);
    }
    table.wait(Duration::from_secs(20));
    let actions = table.account.take_actions();
    let is_warning = |action: &Action| matches!(action, Action::Log(Level::Warning, _));
    assert!(actions.iter().any(is_warning), "{actions:?}");
    assert!(!table.account.phase.is_game());
}

#[test]
fn features_that_arrive_late_save_the_game() {
    let mut table = fischer_random_before_the_start();
    table.engine(EngineEvent::Ready(Features::default()));
    assert_eq!(table.sent()[0], "abort");
    table.engine(EngineEvent::Ready(Features {
        variants: vec!["normal".into(), "fischerandom".into()],
        ..Features::default()
    }));
    assert!(matches!(table.orders().as_slice(), [Order::NewGame { .. }]));
    table.wait(Duration::from_secs(20));
    assert_eq!(table.sent(), Vec::<String>::new());
}
