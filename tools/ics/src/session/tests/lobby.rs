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
    let is_reported = |action: &Action| matches!(action, Action::Report(Event::GameStarted { terms, .. }) if terms == "5 0");
    assert!(actions.iter().any(is_reported), "{actions:?}");
    let begins = |action: &Action| matches!(action, Action::Engine(Order::NewGame { .. }));
    assert!(actions.iter().any(begins), "{actions:?}");
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
