//! Tests of challenges, seeks, tells, and the start and end of games.

use std::time::Duration;

use super::*;
use crate::report::{Event, Level};

#[test]
fn a_challenge_is_accepted_by_the_rules() {
    let mut table = Table::logged_in("");
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    assert_eq!(table.sent(), ["accept Rabbit"]);
}

#[test]
fn a_challenge_against_the_rules_is_declined_with_a_reason() {
    let mut table = Table::logged_in("");
    table.line("Challenge: Rabbit (1200) Gaur (2100) unrated crazyhouse 5 0.");
    let sent = table.sent();
    assert_eq!(sent[0], "decline Rabbit");
    assert!(sent[1].starts_with("tell Rabbit "), "{sent:?}");
}

#[test]
fn listed_players_are_declined_without_a_reason() {
    let mut table = Table::logged_in("[challenges]\nnoplay = [\"Rabbit\"]\n");
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    assert_eq!(table.sent(), ["decline Rabbit"]);
}

#[test]
fn variants_that_the_engine_does_not_play_are_declined() {
    let mut table = Table::logged_in("");
    table.line("Challenge: Rabbit (1200) Gaur (2100) unrated wild 5 0 Loaded from wild/fr.");
    assert_eq!(table.sent()[0], "decline Rabbit");
    table.engine(EngineEvent::Ready(Features {
        variants: vec!["normal".into(), "fischerandom".into()],
        ..Features::default()
    }));
    table.line("Challenge: Rabbit (1200) Gaur (2100) unrated wild 5 0 Loaded from wild/fr.");
    assert_eq!(table.sent(), ["accept Rabbit"]);
    table.engine(EngineEvent::Exited("signal 9".into()));
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    assert_eq!(table.sent()[0], "decline Rabbit");
}

#[test]
fn no_game_begins_after_a_stop() {
    let mut table = Table::playing("");
    table.account.on_signal(table.now);
    table.line("Challenge: Hare (1200) Gaur (2100) rated blitz 5 0.");
    assert_eq!(table.sent()[0], "decline Hare");
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    assert_eq!(table.sent(), ["quit"]);
}

#[test]
fn a_game_that_begins_during_the_logout_is_played_to_its_end() {
    let mut table = Table::logged_in("");
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    table.account.on_signal(table.now);
    assert_eq!(table.sent(), ["accept Rabbit", "quit"]);
    table.start_game("Gaur", "Rabbit", "Creating");
    table.line("You can't quit while you are playing a game.");
    assert!(matches!(table.orders().as_slice(), [Order::NewGame { .. }]));
    table.wait(Duration::from_secs(60));
    let actions = table.account.take_actions();
    let is_end = |action: &Action| matches!(action, Action::End(_) | Action::Disconnect);
    assert!(!actions.iter().any(is_end), "{actions:?}");
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    assert_eq!(table.sent(), ["quit"]);
}

#[test]
fn a_game_that_begins_during_the_logout_is_adjourned_if_this_is_configured() {
    let mut table = Table::logged_in("[shutdown]\non_term = \"adjourn\"\n");
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    table.account.on_signal(table.now);
    table.start_game("Gaur", "Rabbit", "Creating");
    table.account.take_actions();
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["adjourn"]);
    table.line("{Game 7 (Gaur vs. Rabbit) Game adjourned by mutual agreement} *");
    assert_eq!(table.sent(), ["quit"]);
}

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

#[test]
fn texts_of_the_opponent_that_imitate_the_server_have_no_effect() {
    let mut table = Table::playing("");
    let board = table.board(true);
    for text in [
        "{Game 7 (Gaur vs. Rabbit) Gaur resigns} 0-1",
        "Rabbit offers you a draw.",
        "Rabbit would like to take back 2 half move(s).",
        "Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.",
        "**** Gaur has arrived - you can't both be logged in. ****",
        board.as_str(),
    ] {
        for prefix in [
            "Rabbit tells you: ",
            "Rabbit says: ",
            "Rabbit(1200)[7] kibitzes: ",
            "--> Rabbit ",
        ] {
            table.line(&format!("{prefix}{text}"));
            let actions = table.account.take_actions();
            assert_eq!(actions, [], "{prefix}{text}");
        }
    }
}

#[test]
fn a_finished_game_goes_to_the_archive() {
    let mut table = Table::playing("");
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.server_plays("e5");
    table.account.take_actions();
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    let actions = table.account.take_actions();
    let record = actions.iter().find_map(|action| match action {
        Action::Record { record, .. } => Some(record),
        _ => None,
    });
    let record = record.expect("a record");
    assert_eq!(
        (record.result.as_str(), record.termination.as_str()),
        ("1-0", "Rabbit resigns")
    );
    assert_eq!(
        (record.white.as_str(), record.white_elo),
        ("Gaur", Some(2100))
    );
    let moves: Vec<&str> = record.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(moves, ["e4", "e5"]);
    let is_over = |action: &Action| {
        matches!(
            action,
            Action::Engine(Order::GameOver { result: "1-0", .. })
        )
    };
    assert!(actions.iter().any(is_over));
    assert_eq!(table.account.results, (1, 0, 0));
}

#[test]
fn an_adjourned_game_is_resumed_with_its_moves() {
    let mut table = Table::playing("");
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.line("{Game 7 (Gaur vs. Rabbit) Game adjourned by mutual agreement} *");
    let is_record = |action: &Action| matches!(action, Action::Record { .. });
    assert!(!table.account.take_actions().iter().any(is_record));

    table.start_game("Gaur", "Rabbit", "Continuing");
    assert_eq!(table.sent(), ["moves 7"]);
    table.line("Movelist for game 7:");
    table.line("Move  Gaur                 Rabbit");
    table.line("----  -------------------  -------------------");
    table.line("  1.  e4      (0:00.000)");
    table.line("      {Still in progress} *");
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.moves, ["e2e4"]);
    assert_eq!(setup.start_fen, None);
}

/// Lasker and FICS 1.6 do not number the list, and can show the next move before it.
#[test]
fn a_move_list_may_begin_with_the_players() {
    let mut table = Table::playing("");
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.line("{Game 7 (Gaur vs. Rabbit) Game adjourned by mutual agreement} *");
    table.account.take_actions();
    table.start_game("Gaur", "Rabbit", "Continuing");
    assert_eq!(table.sent(), ["moves 7"]);
    table.server_plays("e5");
    table.line("Gaur (2100) vs. Rabbit (UNR) --- 1999.09.07 02:24:02");
    table.line("Unrated Lighting match, initial time: 5 minutes, increment: 0 seconds.");
    table.line("");
    table.line("Move  Gaur               Rabbit");
    table.line("----  ----------------   ----------------");
    table.line("  1.  e4      (0:00)     e5      (0:01)  ");
    table.line("      {Still in progress} *");
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.moves, ["e2e4", "e7e5"]);
    assert_eq!(setup.start_fen, None);
}

#[test]
fn a_resumed_game_without_a_move_list_continues_from_the_board() {
    let mut table = Table::playing("");
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit lost connection; game adjourned} *");
    table.start_game("Gaur", "Rabbit", "Continuing");
    table.account.take_actions();
    table.wait(Duration::from_secs(6));
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert!(setup.start_fen.is_some());
    assert_eq!(setup.moves, Vec::<String>::new());
}

#[test]
fn a_game_that_is_announced_twice_begins_once() {
    let mut table = Table::playing("");
    table.line("{Game 7 (Gaur vs. Rabbit) Continuing rated blitz match.}");
    assert_eq!(table.account.take_actions(), []);
    table.engine_moves("e2e4");
    assert_eq!(table.sent(), ["e2e4"]);
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
<<<<<<< HEAD
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
=======
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

#[test]
fn adjourned_opponents_are_challenged_one_after_the_other() {
    let mut table = Table::logged_in("[challenges]\nnoplay = [\"Crow\"]\n");
    table.line("1 player, who has an adjourned game with you, is online: Rabbit");
    assert_eq!(table.sent(), ["match Rabbit"]);
    table.line("3 players, who have an adjourned game with you, are online:");
    table.line("Hare             Crow             Fox");
    assert_eq!(table.sent(), Vec::<String>::new());
    table.line("Rabbit declines your match offer.");
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["match Hare"]);
    table.wait(Duration::from_secs(60));
    assert_eq!(table.sent(), ["match Fox"]);
    table.start_game("Gaur", "Fox", "Continuing");
    table.line("Notification: Rabbit, who has an adjourned game with you, has arrived.");
>>>>>>> b7c138c (ics: show logins, game starts and mates alike everywhere, and report own challenges)
    table.account.take_actions();
    table.wait(Duration::from_secs(2));
    assert_eq!(table.sent(), ["match Rabbit 5 0 rated black wild fr"]);
}

#[test]
fn the_server_may_write_the_own_name_in_another_case() {
    let mut table = Table::logged_in("");
    table.line("Creating: gaur (2100) rabbit (1200) rated blitz 5 0");
    table.line("{Game 7 (gaur vs. rabbit) Creating rated blitz match.}");
    let board = table.board(true).replace("Gaur", "gaur");
    table.line(&board);
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert!(setup.engine_is_white);
    assert_eq!(
        (setup.own_rating, setup.opponent_rating),
        (Some(2100), Some(1200))
    );
}

#[test]
fn a_game_that_does_not_fit_the_rules_is_not_begun_without_a_protest() {
    let mut table = Table::logged_in("[challenges]\nrated = false\n");
    table.line("Challenge: Rabbit (1200) Gaur (2100) unrated blitz 5 0.");
    assert_eq!(table.sent(), ["accept Rabbit"]);
    // The opponent has changed the terms at the same moment.
    table.line("Creating: Gaur (2100) Rabbit (1200) rated blitz 5 0");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating rated blitz match.}");
    let sent = table.sent();
    assert_eq!(sent[0], "abort");
    assert!(sent[1].contains("only unrated games"), "{sent:?}");
    // It is played if the opponent does not agree.
    let board = table.board(true);
    table.line(&board);
    assert!(matches!(table.orders().as_slice(), [Order::NewGame { .. }]));
}

#[test]
fn a_game_of_another_variant_than_the_accepted_one_is_refused_once() {
    let mut table = Table::logged_in("");
    table.line("Challenge: Rabbit (1200) Gaur (2100) unrated blitz 5 0.");
    table.account.take_actions();
    table.line("Creating: Gaur (2100) Rabbit (1200) unrated crazyhouse 5 0");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating unrated crazyhouse match.}");
    let board = table.board(true);
    table.line(&board);
    let sent = table.sent();
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert_eq!(sent[0], "abort");
    assert!(sent[1].starts_with("tell Rabbit "), "{sent:?}");
    for command in ["adjourn", "resign"] {
        table.wait(Duration::from_secs(20));
        assert_eq!(table.sent(), [command]);
    }
}

#[test]
fn a_game_of_an_unknown_variant_is_aborted_adjourned_or_resigned() {
    let mut table = Table::logged_in("");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating unrated crazyhouse match.}");
    let board = table.board(true);
    table.line(&board);
    assert_eq!(table.sent()[0], "abort");
    table.line(&board);
    assert_eq!(table.account.take_actions(), []);
    for command in ["adjourn", "resign"] {
        table.wait(Duration::from_secs(20));
        assert_eq!(table.sent(), [command]);
    }
    table.wait(Duration::from_secs(20));
    table.account.take_actions();
    // This player has no other game.
    table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
    assert!(table.sent().contains(&"decline Rabbit".to_string()));
    table.line("Challenge: Hare (1200) Gaur (2100) rated blitz 5 0.");
    assert!(table.sent().contains(&"accept Hare".to_string()));
}

/// Lasker names the variant of a resumed game after its first announcement.
#[test]
fn a_resumed_game_of_fischer_random_may_be_announced_as_wild() {
    let mut table = Table::logged_in("");
    table.engine(EngineEvent::Ready(Features {
        variants: vec!["normal".into(), "fischerandom".into()],
        ..Features::default()
    }));
    table.line("{Game 7 (Gaur vs. Rabbit) Continuing rated wild match.}");
    table.line("Creating: Gaur (2100) Rabbit (1200) rated wild 5 0 Loaded from wild/fr");
    table.line("{Game 7 (Gaur vs. Rabbit) Continuing rated wild/fr match.}");
    table.account.take_actions();
    let board = table.board(true);
    table.line(&board);
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.variant.name(), "fischerandom");
}

#[test]
fn a_game_without_an_announcement_is_picked_up_from_its_board() {
    let mut table = Table::logged_in("");
    let board = table.board(true);
    table.line(&board);
    let actions = table.account.take_actions();
    let is_reported = |action: &Action| matches!(action, Action::Report(Event::GameStarted { terms, .. }) if terms == "match");
    assert!(actions.iter().any(is_reported), "{actions:?}");
    let begins = |action: &Action| matches!(action, Action::Engine(Order::NewGame { .. }));
    assert!(actions.iter().any(begins), "{actions:?}");
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
fn a_game_without_a_board_ends_after_three_requests() {
    let mut table = Table::logged_in("");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating rated blitz match.}");
    table.account.on_signal(table.now);
    for _ in 0..3 {
        table.wait(Duration::from_secs(10));
        assert_eq!(table.sent(), ["refresh"]);
    }
    table.wait(Duration::from_secs(10));
    assert_eq!(table.sent(), ["quit"]);
}

#[test]
fn a_game_that_the_server_does_not_know_ends_here() {
    for is_playing in [false, true] {
        let mut table = Table::logged_in("");
        table.line("{Game 7 (Gaur vs. Rabbit) Creating rated blitz match.}");
        if is_playing {
            let board = table.board(true);
            table.line(&board);
        }
        table.account.take_actions();
        table.line("You are not playing a game.");
        assert!(matches!(
            table.orders().as_slice(),
            [Order::GameOver { result: "*", .. }]
        ));
        table.line("You are not playing a game.");
        assert_eq!(table.account.take_actions(), []);
        table.line("Challenge: Rabbit (1200) Gaur (2100) rated blitz 5 0.");
        assert_eq!(table.sent(), ["accept Rabbit"]);
    }
}

#[test]
fn the_list_of_computers_is_read() {
    let mut table = Table::logged_in("");
    table.line("-- computer list: 3 names --");
    table.line("Fritz                Rabbit");
    table.prompt(LoginPrompt::Command);
    table.line("Hare");
    assert!(table.account.is_computer("rabbit"));
    assert!(!table.account.is_computer("Hare"));
    table.line("-- computer list: 2 names --");
    table.line("Fritz                Rabbit               Fox");
    table.line("Hare");
    assert!(!table.account.is_computer("Fox"));
    assert!(!table.account.is_computer("Hare"));
}

#[test]
fn an_engine_that_ends_too_often_ends_the_program() {
    let mut table = Table::logged_in("");
    for _ in 0..5 {
        table.engine(EngineEvent::Exited("status 1".into()));
        assert_eq!(table.starts_and_orders().0, 1);
    }
    table.engine(EngineEvent::Exited("status 1".into()));
    let actions = table.account.take_actions();
    assert!(
        actions
            .iter()
            .any(|action| matches!(action, Action::End(_))),
        "{actions:?}"
    );
    assert!(
        actions
            .iter()
            .any(|action| matches!(action, Action::Log(Level::Error, _)))
    );
}
