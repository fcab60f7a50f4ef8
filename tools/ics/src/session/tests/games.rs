//! Tests of games: moves, requests, flags, and failures of the engine.

use std::time::Duration;

use super::*;
use crate::report::Level;

/// Plays 1.e4 e5, after which the engine must move.
pub(super) fn after_two_moves(toml: &str) -> Table {
    let mut table = Table::playing(toml);
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.server_plays("e5");
    table.account.take_actions();
    table
}

#[test]
fn the_engine_gets_the_game_and_its_moves_reach_the_server() {
    let mut table = Table::logged_in("");
    table.start_game("Gaur", "Rabbit", "Creating");
    let orders = table.orders();
    let [Order::NewGame { setup, clocks }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert!(setup.engine_is_white);
    assert_eq!(
        (setup.opponent.as_str(), setup.opponent_rating),
        ("Rabbit", Some(1200))
    );
    assert_eq!(
        (setup.own_rating, clocks.own),
        (Some(2100), Duration::from_secs(300))
    );
    table.engine_moves("e2e4");
    assert_eq!(table.sent(), ["e2e4"]);
    table.server_plays("e4");
    assert_eq!(table.orders(), []);
    table.server_plays("e5");
    let orders = table.orders();
    assert!(
        matches!(orders.as_slice(), [Order::OpponentMoved { coordinates, .. }] if coordinates == "e7e5")
    );
}

#[test]
fn with_black_the_engine_waits_for_the_first_move() {
    let mut table = Table::logged_in("");
    table.start_game("Rabbit", "Gaur", "Creating");
    let orders = table.orders();
    assert!(matches!(orders.as_slice(), [Order::NewGame { setup, .. }] if !setup.engine_is_white));
    table.engine_moves("e2e4");
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn the_measured_lag_is_deducted_from_the_clock() {
    let mut table = Table::playing("");
    table.wait(Duration::from_millis(400));
    table.engine_moves("e2e4");
    table.server_plays("e4");
    // The server has charged one second.
    table.server_plays("e5");
    let orders = table.orders();
    let Some(Order::OpponentMoved { clocks, .. }) = orders.last() else {
        panic!("{orders:?}");
    };
    assert_eq!(clocks.own, Duration::from_millis(299_400));
    assert_eq!(clocks.opponent, Duration::from_secs(300));
}

#[test]
fn requests_are_answered_by_the_rules() {
    let mut table = after_two_moves("");
    table.line("Rabbit requests to pause the game.");
    assert_eq!(table.sent()[0], "decline pause");
    table.line("Rabbit offers you a draw.");
    assert_eq!(table.orders(), [Order::OfferDraw]);
    table.engine(EngineEvent::OfferDraw);
    assert_eq!(table.sent(), ["draw"]);
    table.line("Hare offers you a draw.");
    assert_eq!(table.account.take_actions(), []);
}

#[test]
fn the_engine_resigns_and_claims_through_the_server() {
    let mut table = after_two_moves("");
    table.engine(EngineEvent::Resign);
    assert_eq!(table.sent(), ["resign"]);
    let claim = |result: &str| EngineEvent::Result {
        result: result.into(),
        comment: "claim".into(),
    };
    table.engine(claim("1/2-1/2"));
    assert_eq!(table.sent(), ["draw"]);
    table.engine(claim("1-0"));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.engine(claim("0-1"));
    assert_eq!(table.sent(), ["resign"]);
}

#[test]
fn the_flag_of_the_opponent_is_called() {
    let mut table = after_two_moves("");
    table.engine_moves("g1f3");
    table.server_plays("Nf3");
    table.account.take_actions();
    table.wait(Duration::from_secs(300));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(3));
    assert_eq!(table.sent(), ["flag"]);
    table.wait(Duration::from_secs(1));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(5));
    assert_eq!(table.sent(), ["flag"]);
}

#[test]
fn the_flag_is_not_called_again_in_a_game_without_clocks() {
    let mut table = after_two_moves("");
    table.engine_moves("g1f3");
    table.server_plays("Nf3");
    table.wait(Duration::from_secs(303));
    assert_eq!(table.sent(), ["g1f3", "flag"]);
    table.line("You can't flag an untimed game.");
    table.wait(Duration::from_secs(60));
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn an_engine_that_ends_is_started_again_with_the_game() {
    let mut table = after_two_moves("");
    table.engine(EngineEvent::Exited("signal 9".into()));
    let (starts, orders) = table.starts_and_orders();
    let (1, [Order::NewGame { setup, .. }]) = (starts, orders.as_slice()) else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.moves, ["e2e4", "e7e5"]);
}

#[test]
fn a_silent_engine_is_asked_to_move_and_then_started_again() {
    let mut table = after_two_moves("");
    table.wait(Duration::from_secs(31));
    assert_eq!(table.orders(), [Order::MoveNow]);
    table.wait(Duration::from_secs(6));
    let (starts, orders) = table.starts_and_orders();
    assert!(
        starts == 1 && matches!(orders.as_slice(), [Order::NewGame { .. }]),
        "{orders:?}"
    );
}

#[test]
fn illegal_moves_of_the_engine_do_not_reach_the_server() {
    let mut table = after_two_moves("");
    for _ in 0..2 {
        table.engine_moves("e2e4");
        let (starts, orders) = table.starts_and_orders();
        assert!(
            starts == 1 && matches!(orders.as_slice(), [Order::NewGame { .. }]),
            "{orders:?}"
        );
    }
    table.engine_moves("e2e4");
    assert_eq!(table.sent(), ["resign"]);
}

#[test]
fn a_lost_connection_ends_the_game_for_the_engine() {
    let mut table = after_two_moves("");
    table
        .account
        .on_server(ServerEvent::Closed("reset".into()), table.now);
    assert!(matches!(
        table.orders().as_slice(),
        [Order::GameOver { result: "*", .. }]
    ));
}

#[test]
fn with_adjourn_a_signal_asks_for_an_adjournment_and_then_logs_out() {
    let mut table = after_two_moves("[shutdown]\non_term = \"adjourn\"\n");
    table.account.on_signal(table.now);
    table.wait(Duration::from_millis(100));
    assert_eq!(table.sent(), ["adjourn"]);
    table.wait(Duration::from_secs(31));
    let actions = table.account.take_actions();
    assert!(actions.contains(&Action::Disconnect), "{actions:?}");
    assert!(
        matches!(actions.last(), Some(Action::End(_))),
        "{actions:?}"
    );
}

#[test]
fn an_adjournment_that_is_requested_and_declined_is_reported() {
    let mut table = after_two_moves("[shutdown]\non_term = \"adjourn\"\n");
    table.account.on_signal(table.now);
    table.wait(Duration::from_millis(100));
    table.line("Rabbit declines the adjourn request.");
    let is_notice = |action| match action {
        Action::Log(Level::Notice, text) => Some(text),
        _ => None,
    };
    let actions = table.account.take_actions();
    let notices: Vec<String> = actions.into_iter().filter_map(is_notice).collect();
    assert_eq!(
        notices,
        [
            "the program requests the adjournment of this game, and ends after it",
            "Rabbit declines the adjournment; if the game has not ended in 30 s, the account logs out"
        ]
    );
}

#[test]
fn boards_of_other_games_are_ignored() {
    let mut table = after_two_moves("");
    let other = table
        .board(true)
        .replace(" 0 7 Gaur Rabbit 1 ", " 0 8 Hare Fox 0 ");
    table.line(&other);
    assert_eq!(table.account.take_actions(), []);
}

#[test]
fn a_move_that_a_pause_has_refused_is_sent_again() {
    let mut table = after_two_moves("");
    table.engine_moves("g1f3");
    assert_eq!(table.sent(), ["g1f3"]);
    table.line("Game clock is paused, use \"unpause\" to resume.");
    table.wait(Duration::from_secs(30));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.line("Game 7: Game clock resumed.");
    assert_eq!(table.sent(), ["g1f3"]);
    table.server_plays("Nf3");
    table.wait(Duration::from_secs(30));
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn a_move_that_the_server_does_not_show_is_sent_again() {
    let mut table = after_two_moves("");
    table.engine_moves("g1f3");
    assert_eq!(table.sent(), ["g1f3"]);
    // A board before the answer proves nothing.
    let board = table.board(true);
    table.line(&board);
    assert_eq!(table.sent(), Vec::<String>::new());
    table.wait(Duration::from_secs(6));
    assert_eq!(table.sent(), ["refresh"]);
    table.line(&board);
    assert_eq!(table.sent(), ["g1f3"]);
}

#[test]
fn without_clocks_neither_the_engine_nor_the_opponent_is_out_of_time() {
    let mut table = Table::logged_in("");
    table.line("Creating: Gaur (2100) Rabbit (1200) unrated untimed");
    table.line("{Game 7 (Gaur vs. Rabbit) Creating unrated untimed match.}");
    let board = table.board(true).replace("300000 300000", "0 0");
    table.line(&board);
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert!(setup.base.is_zero() && setup.increment.is_zero());
    table.wait(Duration::from_secs(20));
    assert_eq!(table.account.take_actions(), []);
    table.engine_moves("e2e4");
    table.account.take_actions();
    table.wait(Duration::from_secs(600));
    assert!(!table.sent().contains(&"flag".to_string()));
}

#[test]
fn the_engine_may_accept_a_draw_even_if_it_may_not_offer_one() {
    let mut table = after_two_moves("[draw]\noffer = false\n");
    table.engine(EngineEvent::OfferDraw);
    assert_eq!(table.sent(), Vec::<String>::new());
    table.line("Rabbit offers you a draw.");
    table.engine(EngineEvent::OfferDraw);
    assert_eq!(table.sent(), ["draw"]);
    // The own move declines the offer.
    table.engine_moves("g1f3");
    table.server_plays("Nf3");
    table.server_plays("Nc6");
    table.account.take_actions();
    table.engine(EngineEvent::OfferDraw);
    assert_eq!(table.sent(), Vec::<String>::new());
}

#[test]
fn an_engine_that_ends_too_often_resigns_the_game_before_the_program_ends() {
    let mut table = after_two_moves("");
    for _ in 0..6 {
        table.engine(EngineEvent::Exited("signal 9".into()));
    }
    let actions = table.account.take_actions();
    let is_end = |action: &Action| matches!(action, Action::End(_));
    assert!(
        actions.contains(&Action::Send("resign".into())),
        "{actions:?}"
    );
    assert!(!actions.iter().any(is_end));
    table.line("{Game 7 (Gaur vs. Rabbit) Gaur resigns} 0-1");
    let actions = table.account.take_actions();
    let position = |test: &dyn Fn(&Action) -> bool| actions.iter().position(test);
    let record = position(
        &|action| matches!(action, Action::Record { record, .. } if record.result == "0-1"),
    );
    assert!(
        record.is_some() && record < position(&is_end),
        "{actions:?}"
    );
}

#[test]
fn an_interrupted_game_is_recorded_once() {
    let is_record = |action: &Action| matches!(action, Action::Record { .. });
    // Resumed.
    let mut table = after_two_moves("");
    table.line("{Game 7 (Gaur vs. Rabbit) Game adjourned by mutual agreement} *");
    table.start_game("Gaur", "Rabbit", "Continuing");
    table.line("Movelist for game 7:");
    table.line("  1.  e4      (0:00.000)     e5      (0:00.000)");
    table.line("      {Still in progress} *");
    assert!(!table.account.take_actions().iter().any(is_record));
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    let actions = table.account.take_actions();
    assert_eq!(actions.iter().filter(|action| is_record(action)).count(), 1);
    // Not resumed.
    let mut table = after_two_moves("");
    table
        .account
        .on_server(ServerEvent::Closed("reset".into()), table.now);
    assert!(!table.account.take_actions().iter().any(is_record));
    table.account.on_signal(table.now);
    let actions = table.account.take_actions();
    assert!(
        matches!(actions.as_slice(), [.., Action::Record { record, .. }, Action::End(_)] if record.result == "*"),
        "{actions:?}"
    );
}

#[test]
fn the_flag_is_not_called_before_both_players_have_moved() {
    let mut table = Table::logged_in("");
    table.start_game("Rabbit", "Gaur", "Creating");
    table.account.take_actions();
    table.wait(Duration::from_secs(303));
    assert!(!table.sent().contains(&"flag".to_string()));
    table.line("You cannot flag before both players have moved.");
    table.engine(EngineEvent::Exited("signal 9".into()));
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.base, Duration::from_secs(300));
}

#[test]
fn an_engine_that_ends_after_its_move_does_not_move_again() {
    let mut table = Table::playing("");
    table.engine_moves("e2e4");
    assert_eq!(table.sent(), ["e2e4"]);
    table.engine(EngineEvent::Exited("signal 9".into()));
    let orders = table.orders();
    let [Order::NewGame { setup, .. }] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.moves, ["e2e4"]);
    table.server_plays("e4");
    table.server_plays("e5");
    assert!(matches!(
        table.orders().as_slice(),
        [Order::OpponentMoved { .. }]
    ));
}

#[test]
fn a_connection_without_an_answer_is_given_up() {
    let mut table = Table::playing("");
    table.server_lives = false;
    table.engine_moves("e2e4");
    table.account.take_actions();
    table.wait(Duration::from_secs(6));
    assert_eq!(table.sent(), ["refresh"]);
    table.wait(Duration::from_secs(20));
    let actions = table.account.take_actions();
    assert!(actions.contains(&Action::Disconnect), "{actions:?}");
    table.wait(Duration::from_secs(5));
    let connects = |action: &Action| matches!(action, Action::Connect { .. });
    assert!(table.account.take_actions().iter().any(connects));
}

#[test]
fn a_quiet_server_is_asked_on_the_turn_of_the_opponent() {
    let mut table = Table::playing("");
    table.server_lives = false;
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.account.take_actions();
    for _ in 0..3 {
        table.wait(Duration::from_secs(31));
        assert_eq!(table.sent(), ["refresh"]);
        let board = table.board(true);
        table.line(&board);
    }
}

#[test]
fn a_game_whose_end_was_missed_does_not_block_the_account() {
    let mut table = Table::playing("[clock]\ncall_flag = false\n");
    table.server_lives = false;
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.account.take_actions();
    table.wait(Duration::from_secs(31));
    assert_eq!(table.sent(), ["refresh"]);
    table.line("You are not playing a game.");
    table.account.take_actions();
    table.line("Challenge: Hare (1200) Gaur (2100) rated blitz 5 0.");
    assert_eq!(table.sent(), ["accept Hare"]);
}

#[test]
fn a_move_whose_board_was_missed_has_neither_clock_nor_time() {
    let mut table = Table::playing("");
    let mut position = Chess::default();
    for san in ["e4", "e5"] {
        let mv = san.parse::<San>().expect("a move").to_move(&position);
        position.play_unchecked(mv.expect("a legal move"));
    }
    table.server_shows(position, 2);
    table.line("{Game 7 (Gaur vs. Rabbit) Rabbit resigns} 1-0");
    let actions = table.account.take_actions();
    let record = actions.iter().find_map(|action| match action {
        Action::Record { record, .. } => Some(record),
        _ => None,
    });
    let text = record.expect("a record").to_pgn();
    assert!(
        text.contains("\n1. e4 e5 {[%clk 0:05:00.0] 1.0s} 1-0"),
        "{text}"
    );
}

#[test]
fn a_refused_repetition_is_no_illegal_move_of_the_engine() {
    let mut table = after_two_moves("");
    for _ in 0..4 {
        table.engine_moves("g1f3");
        table.wait(Duration::from_secs(6));
        let board = table.board(true);
        table.line(&board);
        assert_eq!(table.sent(), ["g1f3", "refresh", "g1f3"]);
        table.line("Illegal move (g1f3).");
        assert_eq!(table.sent(), ["refresh"]);
    }
}
