//! Takebacks, and games that begin again without them.

use super::driver_tests::{MODERN, Test, setup};

#[test]
fn two_half_moves_are_removed_while_the_opponent_is_to_move() {
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.line("move e7e5");
    test.sent();
    test.take_back(2, &setup(false, &[]));
    assert_eq!(test.sent(), ["remove", "ping 1"]);
    test.opponent_moved("d2d4");
    assert_eq!(test.sent(), ["time 10000", "otim 9000", "usermove d2d4"]);
    test.line("pong 1");
    test.line("move d7d5");
    assert_eq!(test.moves(), ["e7e5", "d7d5"]);
}

#[test]
fn one_half_move_is_undone_while_the_engine_thinks() {
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.sent();
    test.take_back(1, &setup(false, &[]));
    assert_eq!(test.sent(), ["force", "ping 1"]);
    test.opponent_moved("d2d4");
    assert!(test.sent().is_empty());
    test.line("pong 1");
    let expected = [
        "undo",
        "time 10000",
        "otim 9000",
        "playother",
        "time 10000",
        "otim 9000",
        "usermove d2d4",
    ];
    assert_eq!(test.sent(), expected);
    test.line("move d7d5");
    assert_eq!(test.moves(), ["d7d5"]);
}

#[test]
fn a_move_that_crosses_a_takeback_is_undone_too() {
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.sent();
    test.take_back(1, &setup(false, &[]));
    test.sent();
    test.line("move e7e5");
    test.line("pong 1");
    assert_eq!(
        test.sent(),
        ["undo", "undo", "time 10000", "otim 9000", "playother"]
    );
    assert!(test.moves().is_empty());
}

#[test]
fn the_own_move_is_taken_back() {
    let mut test = Test::game(MODERN, true, &[]);
    test.line("move e2e4");
    test.take_back(1, &setup(true, &[]));
    assert_eq!(
        test.sent(),
        ["force", "ping 1", "undo", "time 10000", "otim 9000", "go"]
    );
    test.line("pong 1");
    test.line("move d2d4");
    assert_eq!(test.moves(), ["e2e4", "d2d4"]);
}

#[test]
fn a_game_begins_again_if_a_takeback_has_no_answer() {
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.take_back(1, &setup(false, &[]));
    test.sent();
    test.pass(10_000);
    let sent = test.sent();
    assert_eq!(sent.first().map(String::as_str), Some("new"), "{sent:?}");
    assert!(!sent.contains(&"undo".to_string()));
}

#[test]
fn an_engine_that_refuses_playother_gets_go_after_the_next_move() {
    // The error arrives before or after the opponent's move.
    for is_late in [false, true] {
        let mut test = Test::game(MODERN, true, &[]);
        test.line("move e2e4");
        test.opponent_moved("e7e5");
        test.line("move g1f3");
        test.opponent_moved("b8c6");
        test.sent();
        let before = ["e2e4", "e7e5", "g1f3"];
        test.take_back(1, &setup(true, &before));
        test.line("pong 1");
        assert_eq!(test.sent().last().map(String::as_str), Some("playother"));
        if is_late {
            test.opponent_moved("g8f6");
        }
        test.line("Invalid move: playother");
        if !is_late {
            test.opponent_moved("g8f6");
        }
        let sent = test.sent();
        assert!(sent.contains(&"usermove g8f6".to_string()), "{sent:?}");
        assert_eq!(sent.last().map(String::as_str), Some("go"));
        test.line("move f3e5");
        assert_eq!(test.moves(), ["e2e4", "g1f3", "f3e5"]);
        test.take_back(2, &setup(true, &before));
        assert_eq!(test.sent(), ["remove", "ping 2"]);
    }
}

#[test]
fn an_engine_that_answers_ping_twice_counts_as_one_without_it() {
    let mut test = Test::game("feature ping=1 done=1", false, &[]);
    test.opponent_moved("e2e4");
    test.sent();
    test.take_back(1, &setup(false, &[]));
    test.line("pong 1");
    assert_eq!(test.sent(), ["force", "ping 1", "undo"]);
    // The engine has printed the first answer before it has stopped.
    test.line("move e7e5");
    test.line("pong 1");
    let sent = test.sent();
    assert_eq!(sent[..2], ["force", "new"]);
    test.opponent_moved("d2d4");
    test.line("move d7d5");
    assert_eq!(test.moves(), ["d7d5"]);
    test.sent();
    test.opponent_moved("c2c4");
    test.take_back(1, &setup(false, &["d2d4", "d7d5"]));
    assert_eq!(test.sent().last().map(String::as_str), Some("force"));
    test.pass(500);
    let sent = test.sent();
    assert_eq!(sent.first().map(String::as_str), Some("new"));
    assert!(!sent.iter().any(|line| line.starts_with("ping")));
}

#[test]
fn a_takeback_begins_anew_if_the_engine_has_moved_meanwhile() {
    let mut test = Test::game(MODERN, true, &[]);
    test.line("move e2e4");
    test.opponent_moved("e7e5");
    test.line("move g1f3");
    test.sent();
    // The server has taken back two half-moves: the start position, with the engine to move.
    test.take_back(2, &setup(true, &[]));
    let sent = test.sent();
    assert!(sent.contains(&"go".to_string()), "{sent:?}");
}

#[test]
fn a_takeback_of_one_half_move_begins_anew_if_the_engine_has_moved_meanwhile() {
    let mut test = Test::game(MODERN, true, &[]);
    test.line("move e2e4");
    test.opponent_moved("e7e5");
    test.line("move g1f3");
    test.sent();
    test.take_back(1, &setup(true, &["e2e4"]));
    let sent = test.sent();
    assert!(sent.contains(&"new".to_string()), "{sent:?}");
}
