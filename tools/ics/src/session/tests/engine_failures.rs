//! Tests of failures of the engine and of their reports.

use std::time::Duration;

use super::games::after_two_moves;
use super::*;
use crate::report::Event;

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
