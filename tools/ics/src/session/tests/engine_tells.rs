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

/// The engine says goodbye once it has received the result.
#[test]
fn a_message_to_the_opponent_right_after_the_game_is_sent() {
    for (seconds, expected) in [(2, &["say Thank you for the game."][..]), (4, &[])] {
        let mut table = Table::playing("[chat]\nengine_commands = true\n");
        table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
        table.account.take_actions();
        table.now += Duration::from_secs(seconds);
        table.engine(EngineEvent::Tell(EngineTell::Ics("seek 5 0".into())));
        let text = "Thank you for the game.".into();
        table.engine(EngineEvent::Tell(EngineTell::Opponent(text)));
        assert_eq!(table.sent(), expected, "{seconds} s");
    }
}
