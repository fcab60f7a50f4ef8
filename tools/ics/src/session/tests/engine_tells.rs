//! Tests of messages and commands of the engine.

use super::*;
use crate::engine::EngineTell;

/// Returns what a playing account sends if the engine prints one message of each kind.
fn passed_on(toml: &str) -> Vec<String> {
    let mut table = Table::playing(toml);
    for tell in [
        EngineTell::Ics("set 1 hello".into()),
        EngineTell::IcsNoAlias("password old new".into()),
        EngineTell::Opponent("hello\nresign".into()),
        EngineTell::All("a score".into()),
        EngineTell::Others("a line".into()),
        EngineTell::User("a note".into()),
    ] {
        table.engine(EngineEvent::Tell(tell));
    }
    table.sent()
}

const MESSAGES: [&str; 3] = ["say hello?resign", "kibitz a score", "whisper a line"];

const COMMANDS: [&str; 2] = ["set 1 hello", "password old new"];

#[test]
fn the_engine_sends_messages_but_no_commands() {
    assert_eq!(passed_on(""), MESSAGES);
}

#[test]
fn commands_of_the_engine_have_their_own_switch() {
    let all: Vec<&str> = COMMANDS.into_iter().chain(MESSAGES).collect();
    assert_eq!(passed_on("[chat]\nengine_commands = true\n"), all);
    let toml = "[chat]\nengine = false\nengine_commands = true\n";
    assert_eq!(passed_on(toml), COMMANDS);
    assert!(passed_on("[chat]\nengine = false\n").is_empty());
}

#[test]
fn without_a_game_the_engine_sends_nothing() {
    let mut table = Table::logged_in("[chat]\nengine_commands = true\n");
    table.engine(EngineEvent::Tell(EngineTell::Ics("seek 5 0".into())));
    assert!(table.sent().is_empty());
}
