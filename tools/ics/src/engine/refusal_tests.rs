//! Tests of commands that an engine refuses.

use super::driver_tests::{MODERN, Test};
use super::types::EngineEvent;

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
