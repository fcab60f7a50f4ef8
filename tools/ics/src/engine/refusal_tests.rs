//! Tests of commands that an engine refuses, or that there are not for a position.

use super::driver_tests::{MODERN, Test, setup};
use super::types::{EngineEvent, GameSetup};

#[test]
fn commands_that_old_engines_do_not_need_are_noted_once() {
    let mut test = Test::game(MODERN, true, &[]);
    for command in ["draw", "result", "draw"] {
        test.line(&format!("Error (unknown command): {command}"));
    }
    let events = test.events();
    let is_note = |event: &EngineEvent| matches!(event, EngineEvent::Note(_));
    assert!(
        events.len() == 2 && events.iter().all(is_note),
        "{events:?}"
    );
    test.line("Error (unknown command): nonsense");
    let events = test.events();
    assert!(
        matches!(events.as_slice(), [EngineEvent::Error(_)]),
        "{events:?}"
    );
}

#[test]
fn a_position_that_cannot_be_set_up_is_reported() {
    let mut test = Test::new(&["feature ping=1 done=1"]);
    test.sent();
    test.events();
    test.new_game(&GameSetup {
        start_fen: Some("nonsense".into()),
        ..setup(true, &[])
    });
    assert!(test.sent().is_empty());
    assert!(
        matches!(test.events().as_slice(), [EngineEvent::Error(text)] if text.contains("nonsense"))
    );
}
