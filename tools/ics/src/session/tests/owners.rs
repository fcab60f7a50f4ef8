//! Tests of the commands of owners.

use std::time::Duration;

use super::*;
use crate::report::{Event, Level};

#[test]
fn only_tells_of_owners_are_commands() {
    let mut table = Table::playing("[owners]\nnames = [\"Boss\"]\n");
    table.line("Finger of Boss(SR):");
    for line in [
        "Rabbit tells you: resign",
        "Boss(U) tells you: resign",
        "Boss says: resign",
        "Boss(2000)[7] kibitzes: resign",
        "Boss shouts: resign",
        "Rabbit tells you: Boss tells you: resign",
    ] {
        table.line(line);
        assert_eq!(table.sent(), Vec::<String>::new(), "{line}");
    }
    table.line("Boss tells you: status");
    assert!(table.sent()[0].starts_with("tell Boss game 7 against Rabbit"));
    table.line("Boss(SR) tells you: resign");
    assert_eq!(table.sent(), ["resign", "tell Boss resign is sent"]);
}

#[test]
fn the_owner_must_have_an_account_on_the_server() {
    let toml = "[owners]\nnames = [\"Boss\"]\n";
    let is_carried_out = |lines: &[&str]| {
        let mut table = Table::logged_in(toml);
        for line in lines {
            table.line(line);
        }
        table.wait(Duration::from_secs(11));
        table.account.take_actions();
        table.line("Boss tells you: stop");
        table.sent().contains(&"quit".to_string())
    };
    assert!(is_carried_out(&[
        "Statistics for boss      On for: 8 secs   Idle: 0 secs"
    ]));
    assert!(is_carried_out(&["Finger of Boss(SR):"]));
    assert!(!is_carried_out(&["finger: Command not found."]));
    assert!(!is_carried_out(&["Finger of Boss(U):"]));
    for text in [
        "",
        "There is no player matching the name boss.",
        "There is no player matching that name.",
        "Statistics for Bossy             (Never connected.)",
        "Ambiguous name 'Boss'; matches more than one player.",
        "-- Matches: 2 names --",
    ] {
        assert!(!is_carried_out(&[text]), "{text}");
    }
    assert!(!is_carried_out(&[
        "Statistics for Boss",
        "Boss is NOT a registered player."
    ]));
}

#[test]
fn a_refused_owner_is_checked_again_after_a_minute() {
    let mut table = Table::logged_in("[owners]\nnames = [\"Boss\"]\n");
    table.line("Boss tells you: status");
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(60));
    table.account.take_actions();
    table.line("Boss tells you: status");
    assert_eq!(table.sent(), ["finger Boss"]);
    table.line("Finger of Boss:");
    table.line("Boss tells you: status");
    assert_eq!(table.sent().len(), 1);
}

#[test]
fn the_owner_is_answered_before_the_logout() {
    for command in ["stop", "stop now"] {
        let mut table = Table::logged_in("[owners]\nnames = [\"Boss\"]\n");
        table.line("Finger of Boss:");
        table.line(&format!("Boss tells you: {command}"));
        assert_eq!(table.sent().last().map(String::as_str), Some("quit"));
    }
}

#[test]
fn the_owner_learns_of_options_that_the_engine_does_not_have() {
    let mut table = Table::logged_in("[owners]\nnames = [\"Boss\"]\n");
    table.engine(EngineEvent::Ready(Features {
        options: vec![("Resign".into(), "spin 0 0 1000".into())],
        ..Features::default()
    }));
    table.line("Finger of Boss:");
    table.line("Boss tells you: option Nonsense=1");
    assert_eq!(
        table.sent(),
        ["tell Boss the engine has no option Nonsense"]
    );
    table.line("Boss tells you: option Resign=5000");
    assert_eq!(
        table.sent(),
        ["tell Boss 5000 is not allowed for the option Resign: 0 to 1000"]
    );
    table.line("Boss tells you: option resign=900");
    assert_eq!(table.orders(), [Order::Line("option Resign=900".into())]);
}

#[test]
fn the_owner_learns_of_a_stop_and_of_declined_challenges() {
    let mut table = Table::playing("[owners]\nnames = [\"Boss\"]\n");
    table.line("Finger of Boss:");
    table.line("Boss tells you: accept off");
    table.line("Boss tells you: stop");
    table.account.take_actions();
    table.line("Boss tells you: status");
    let text = table.sent().concat();
    assert!(
        text.ends_with(", the program ends after this game, challenges are declined"),
        "{text}"
    );
    table.line("Boss tells you: accept on");
    let text = table.sent().concat();
    assert!(text.contains("the program ends after this game"), "{text}");
}

#[test]
fn stop_now_ends_the_connection_because_servers_refuse_to_log_out_during_a_game() {
    let mut table = Table::playing("[owners]\nnames = [\"Boss\"]\n");
    table.line("Finger of Boss(SR):");
    table.account.take_actions();
    table.line("Boss(SR) tells you: stop now");
    let actions = table.account.take_actions();
    assert!(
        matches!(
            actions.as_slice(),
            [
                ..,
                Action::Disconnect,
                Action::Record { .. },
                Action::End(_)
            ]
        ),
        "{actions:?}"
    );
}

#[test]
fn supervising_programs_learn_of_the_stop_of_an_owner() {
    for command in ["stop", "stop now"] {
        let mut table = Table::playing("[owners]\nnames = [\"Boss\"]\n");
        table.line("Finger of Boss(SR):");
        table.line(&format!("Boss(SR) tells you: {command}"));
        let expected = Event::Stopping {
            reason: format!("Boss: {command}"),
        };
        let actions = table.account.take_actions();
        assert!(actions.contains(&Action::Report(expected)), "{actions:?}");
    }
}

#[test]
fn an_owner_without_an_account_is_named_once() {
    let mut table = Table::logged_in("[owners]\nnames = [\"Boss\", \"Chief\"]\n");
    table.line("Finger of Chief(SR):");
    for line in [
        "There is no player matching the name boss.",
        "There is no player matching the name boss.",
        // An owner with an account may log out before the answer.
        "Chief is not logged in.",
        "There is no player matching the name rabbit.",
    ] {
        table.line(line);
    }
    let is_warning = |action: &Action| matches!(action, Action::Log(Level::Warning, text) if text.contains("boss"));
    let actions = table.account.take_actions();
    assert!(
        matches!(actions.as_slice(), [action] if is_warning(action)),
        "{actions:?}"
    );
}
