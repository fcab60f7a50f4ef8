//! Tests of seeks and own challenges, and of what the server refuses.

use std::time::Duration;

use super::*;
use crate::report::{Event, Level};

#[test]
fn seeks_are_sent_in_turn() {
    let toml = "[seek]\nafter = 10\nevery = 60\n[[seek.games]]\nbase = 3\n[[seek.games]]\nbase = 5\nrated = false\n";
    let mut table = Table::logged_in(toml);
    table.wait(Duration::from_secs(9));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(1));
    let first = table.sent();
    assert!(first[0].starts_with("seek 3 0 rated"), "{first:?}");
    table.wait(Duration::from_secs(60));
    let second = table.sent();
    assert!(second[0].starts_with("seek 5 0 unrated"), "{second:?}");
}

/// Returns the warnings since the last call, and forgets the other actions.
fn warnings(table: &mut Table) -> Vec<String> {
    let is_warning = |action| match action {
        Action::Log(Level::Warning, text) => Some(text),
        _ => None,
    };
    let actions = table.account.take_actions();
    actions.into_iter().filter_map(is_warning).collect()
}

#[test]
fn a_seek_that_the_server_refuses_is_left_out() {
    for text in ["No such category/board: m/0", "seek: Command has failed."] {
        let toml = "[[seek.games]]\nbase = 3\n[[seek.games]]\nbase = 5\nautomatic = true\n";
        let mut table = Table::logged_in(toml);
        table.wait(Duration::from_secs(10));
        assert_eq!(table.sent(), ["seek 3 0 rated m"]);
        table.line(text);
        let found = warnings(&mut table);
        assert!(found[0].contains("seek 3 0 rated m") && found[0].contains("automatic = true"));
        // The other one remains.
        for _ in 0..2 {
            table.wait(Duration::from_secs(300));
            assert_eq!(table.sent(), ["seek 5 0 rated"]);
        }
        table.line(text);
        let found = warnings(&mut table);
        assert!(!found[0].contains("automatic"), "{found:?}");
        table.wait(Duration::from_secs(3600));
        assert_eq!(table.sent(), Vec::<String>::new());
    }
}

#[test]
fn a_server_without_seeks_gets_no_more() {
    let mut table = Table::logged_in("[[seek.games]]\nbase = 3\n[[seek.games]]\nbase = 5\n");
    table.wait(Duration::from_secs(10));
    table.line("seek: Command not found.");
    let found = warnings(&mut table);
    assert_eq!(found, ["the server does not know seeks: no more are sent"]);
    table.wait(Duration::from_secs(3600));
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn a_refused_line_of_the_configuration_is_a_warning() {
    let mut table = Table::new("[server]\naccount = \"Gaur\"\ncommands = [\"Frobnicate 1\"]\n");
    table.wait(Duration::ZERO);
    table.line("**** Starting FICS session as Gaur(C) ****");
    table.account.take_actions();
    table.line("frobnicate: Command not found.");
    let found = warnings(&mut table);
    assert!(found[0].contains("[server] commands"), "{found:?}");
    // Commands of the client itself need not be known.
    table.line("iset: Command not found.");
    assert_eq!(warnings(&mut table), Vec::<String>::new());
}

#[test]
fn a_rematch_is_a_challenge_with_the_other_colour() {
    let mut table = Table::playing("[rematch]\noffer = \"always\"\n");
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    table.account.take_actions();
    table.wait(Duration::from_secs(2));
    assert_eq!(table.sent(), ["match Rabbit 5 0 rated black"]);
}

#[test]
fn a_rematch_of_fischer_random_names_its_variant_in_two_words() {
    let mut table = Table::logged_in("[rematch]\noffer = \"always\"\n");
    table.engine(EngineEvent::Ready(Features {
        variants: vec!["normal".into(), "fischerandom".into()],
        ..Features::default()
    }));
    table.line("Creating: Gaur (2100) Rabbit (1200) rated wild/fr 5 0");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating rated wild/fr match.}");
    let board = table.board(true);
    table.line(&board);
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    table.account.take_actions();
    table.wait(Duration::from_secs(2));
    assert_eq!(table.sent(), ["match Rabbit 5 0 rated black wild fr"]);
}

#[test]
fn a_rematch_has_the_colour_of_the_rules() {
    for colour in ["white", "black"] {
        let toml = format!("[rematch]\noffer = \"always\"\n[challenges]\ncolour = \"{colour}\"\n");
        let mut table = Table::playing(&toml);
        table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
        table.account.take_actions();
        table.wait(Duration::from_secs(2));
        assert_eq!(table.sent(), [format!("match Rabbit 5 0 rated {colour}")]);
    }
}

#[test]
fn adjourned_opponents_are_not_challenged_in_a_pause() {
    let mut table = Table::playing("[challenges]\npause_after = 1\npause = 5\n");
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    table.account.take_actions();
    table.line("Notification: Hare, who has an adjourned game with you, has arrived.");
    table.wait(Duration::from_secs(299));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(1));
    let actions = table.account.take_actions();
    assert!(
        actions.contains(&Action::Send("match Hare".into())),
        "{actions:?}"
    );
    let event = Event::ChallengeSent {
        opponent: "Hare".into(),
        purpose: "adjourned game",
    };
    assert!(actions.contains(&Action::Report(event)), "{actions:?}");
}

#[test]
fn the_start_of_a_game_is_reported_with_its_time_control() {
    let mut table = Table::logged_in("");
    table.start_game("Gaur", "Rabbit", "Creating");
    let actions = table.account.take_actions();
    let is_line = |action: &Action| {
        matches!(action, Action::Log(Level::State, text)
        if text == "game 7 begins: Gaur against Rabbit, rated blitz 5 0")
    };
    assert!(actions.iter().any(is_line), "{actions:?}");
    let is_event = |action: &Action| {
        matches!(action, Action::Report(Event::GameStarted { terms, .. })
        if terms == "rated blitz 5 0")
    };
    assert!(actions.iter().any(is_event), "{actions:?}");
}
