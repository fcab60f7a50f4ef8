//! Tests of takebacks.

use std::time::Duration;

use super::games::after_two_moves;
use super::*;
use crate::report::Level;

const TAKEBACKS: &str = "[takeback]\naccept = true\nrated = true\n";

#[test]
fn a_takeback_that_crosses_a_move_begins_the_game_anew() {
    let mut table = after_two_moves("");
    table.engine_moves("g1f3");
    table.server_shows(Chess::default(), 0);
    table.line("It is not your move.");
    let orders = table.orders();
    assert!(
        matches!(orders.as_slice(), [Order::NewGame { setup, .. }] if setup.moves.is_empty()),
        "{orders:?}"
    );
}

#[test]
fn a_takeback_that_does_not_come_releases_the_move() {
    let mut table = after_two_moves(TAKEBACKS);
    table.line("Rabbit would like to take back 2 half move(s).");
    table.engine_moves("g1f3");
    assert_eq!(table.sent(), ["takeback 2"]);
    table.wait(Duration::from_secs(11));
    assert_eq!(table.sent(), ["g1f3"]);
}

#[test]
fn a_withdrawn_takeback_releases_the_move() {
    for text in [
        "Rabbit withdraws the takeback request.",
        "You decline the takeback request from Rabbit.",
        "There are no offers to accept.",
    ] {
        let mut table = after_two_moves(TAKEBACKS);
        table.line("Rabbit would like to take back 2 half move(s).");
        table.engine_moves("g1f3");
        assert_eq!(table.sent(), ["takeback 2"]);
        table.line(text);
        assert_eq!(table.sent(), ["g1f3"], "{text}");
    }
}

#[test]
fn an_agreement_that_becomes_a_request_is_withdrawn() {
    let mut table = Table::playing(TAKEBACKS);
    table.engine_moves("e2e4");
    table.server_plays("e4");
    table.account.take_actions();
    table.line("Rabbit would like to take back 1 half move(s).");
    table.server_plays("e5");
    table.engine_moves("g1f3");
    assert_eq!(table.sent(), ["takeback 1"]);
    table.line("Takeback request sent.");
    assert_eq!(table.sent(), ["withdraw takeback", "g1f3"]);
}

#[test]
fn a_takeback_begins_the_game_anew_if_a_move_was_held_back() {
    let mut table = after_two_moves(TAKEBACKS);
    table.line("Rabbit would like to take back 2 half move(s).");
    table.engine_moves("g1f3");
    table.account.take_actions();
    table.server_shows(Chess::default(), 0);
    let orders = table.orders();
    assert!(
        matches!(orders.as_slice(), [Order::NewGame { setup, .. }] if setup.moves.is_empty()),
        "{orders:?}"
    );
}

#[test]
fn takebacks_are_refused_by_default() {
    let mut table = after_two_moves("");
    table.line("Rabbit would like to take back 2 half move(s).");
    let sent = table.sent();
    assert_eq!(sent[0], "decline takeback");
    assert!(sent[1].starts_with("tell Rabbit "), "{sent:?}");
}

#[test]
fn a_takeback_of_two_half_moves_reaches_the_engine() {
    let mut table = after_two_moves(TAKEBACKS);
    table.line("Rabbit would like to take back 2 half move(s).");
    assert_eq!(table.sent(), ["takeback 2"]);
    table.server_shows(Chess::default(), 0);
    let orders = table.orders();
    let [
        Order::TakeBack {
            half_moves: 2,
            setup,
            ..
        },
    ] = orders.as_slice()
    else {
        panic!("{orders:?}");
    };
    assert_eq!(setup.moves, Vec::<String>::new());
    table.engine_moves("d2d4");
    assert_eq!(table.sent(), ["d2d4"]);
}

#[test]
fn a_takeback_of_one_half_move_leaves_the_turn_to_the_opponent() {
    let mut table = after_two_moves(TAKEBACKS);
    let mut after_one = Chess::default();
    after_one.play_unchecked(
        "e4".parse::<San>()
            .expect("a move")
            .to_move(&after_one)
            .expect("legal"),
    );
    table.line("Rabbit would like to take back 1 half move(s).");
    // The engine answers the move that is being taken back.
    table.engine_moves("g1f3");
    assert_eq!(table.sent(), ["takeback 1"]);
    table.server_shows(after_one, 1);
    assert!(matches!(table.orders().as_slice(), [Order::NewGame { .. }]));
    table.wait(Duration::from_secs(60));
    assert_eq!(table.sent(), Vec::<String>::new());
    table.server_plays("d5");
    assert!(matches!(
        table.orders().as_slice(),
        [Order::OpponentMoved { .. }]
    ));
}

#[test]
fn a_refused_answer_is_named_in_the_log() {
    for (refusal, is_named) in [
        ("There are no offers to withdraw.", true),
        ("withdraw: Command not found.", true),
        ("Usage: withdraw [##, t <type>]", true),
        ("xyz: Command not found.", false),
    ] {
        let mut table = after_two_moves(TAKEBACKS);
        table.line("Takeback request sent.");
        assert_eq!(table.sent(), ["withdraw takeback"]);
        table.line(refusal);
        let names = |action: &Action| match action {
            Action::Log(Level::Warning, text) => text.contains("`withdraw takeback`"),
            _ => false,
        };
        let actions = table.account.take_actions();
        assert_eq!(actions.iter().any(names), is_named, "{actions:?}");
        table.line(refusal);
        assert!(!table.account.take_actions().iter().any(names));
    }
}
