//! Tests of positions that are set up, edited or taken back.

use super::*;

#[test]
fn setboard_keeps_the_mode_and_the_limits() {
    let mut session = Session::new();
    session.send("sd 7;setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(session.purpose(), None);
    session.send("usermove a1a8");
    assert_eq!(session.limits().depth, Some(7));
    session.send("new;usermove e2e4");
    assert_eq!(session.limits().depth, None);
}

#[test]
fn no_move_is_legal_in_an_illegal_position() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "total nonsense",
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let mut session = Session::new();
        session.send(&format!("force;setboard {fen}"));
        let replies = session.lines();
        assert_eq!(replies.len(), 1, "{fen}: {replies:?}");
        let prefix = format!("tellusererror Illegal position: {fen} (");
        assert!(replies[0].starts_with(&prefix), "{replies:?}");
        assert_eq!(
            session.send("usermove e2e4").lines(),
            ["Illegal move: e2e4"]
        );
        session.send("go;playother;analyze;.;exit;hint;exit;white;black;ping 1");
        assert_eq!(session.lines().last().map(String::as_str), Some("pong 1"));
        assert_eq!(session.purpose(), None);
        assert_eq!(
            session.send("undo").lines(),
            ["Error (command not legal now): undo"]
        );
        session.send("new;usermove e2e4");
        assert_eq!(session.best("e7e5").lines(), ["move e7e5"]);
    }
}

#[test]
fn errors_about_positions_contain_the_reason_once() {
    let replies = "tellusererror Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1 (White has no king)";
    for lines in ["xboard", "accepted debug"] {
        let mut session = Session::new();
        session
            .send(lines)
            .send("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
        assert_eq!(session.lines(), [replies], "{lines}");
    }
}

#[test]
fn long_fens_are_truncated_and_the_reason_stays() {
    let mut session = Session::new();
    session.send(&format!("setboard {}", "8/".repeat(5000)));
    let replies = session.lines().concat();
    assert!(
        replies.len() < 400 && replies.contains("8/8/... (the FEN has "),
        "{replies}"
    );
}

#[test]
fn undo_reaches_the_start_of_the_game() {
    let mut session = Session::new();
    session.send("force");
    for _ in 0..75 {
        session.send("g1f3;g8f6;f3g1;f6g8");
    }
    for _ in 0..300 {
        session.send("undo");
    }
    assert_eq!((session.board().as_str(), session.lines()), (START, vec![]));
    assert_eq!(
        session.send("undo").lines(),
        ["Error (command not legal now): undo"]
    );
    assert_eq!(
        session.send("remove").lines(),
        ["Error (command not legal now): remove"]
    );
}

#[test]
fn remove_takes_back_two_half_moves() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("remove");
    assert_eq!(session.board(), START);
    session.send("usermove d2d4");
    assert_eq!(session.best("d7d5").lines(), ["move d7d5"]);
    session.send("force;remove;usermove e2e4");
    assert_eq!(session.board(), AFTER_E4);
}

#[test]
fn changes_of_the_position_stop_the_search_without_a_move() {
    for command in ["undo", "setboard 4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "edit;."] {
        let mut session = Session::new();
        session.send("usermove e2e4");
        let late = session.best_event("e7e5", None, 0);
        session.send(command).event(late);
        assert_eq!(
            (session.lines(), session.purpose()),
            (vec![], None),
            "{command}"
        );
    }
}

#[test]
fn edit_changes_only_the_pieces() {
    let mut session = Session::new();
    session.send("force;usermove e2e4;edit;xe7;c;Pe5;.");
    assert_eq!(
        session.board(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b"
    );
    session.send("edit;#;Ke1;Rh1;c;Ke8;.;undo");
    assert_eq!(session.lines(), ["Error (command not legal now): undo"]);
    assert_eq!(session.board(), "4k3/8/8/8/8/8/8/4K2R b");
    session.send("usermove e8e7;usermove e1g1");
    assert_eq!(
        (session.board().as_str(), session.lines()),
        ("8/4k3/8/8/8/8/8/5RK1 b", vec![])
    );
}

#[test]
fn edit_mode_answers_pings_and_rejects_other_commands() {
    let mut session = Session::new();
    session.send("force;edit;ping 4;frob;.;ping 5");
    let replies = session.lines();
    assert_eq!((replies[0].as_str(), replies.len()), ("pong 4", 3));
    assert!(replies[1].starts_with("Error ("));
    session.send("edit;#;Ke1;.;usermove e1e2");
    assert_eq!(
        session.lines(),
        [
            "tellusererror Illegal position: 8/8/8/8/8/8/8/4K3 w - - 0 1 (Black has no king)",
            "Illegal move: e1e2"
        ]
    );
    session.send("edit;#;Ke1;c;Ke8;.;usermove e1e2");
    assert_eq!(session.lines(), [""; 0]);
}

#[test]
fn edit_can_correct_an_illegal_position() {
    let mut session = Session::new();
    session.send("new;force;edit;xe1;.");
    assert_eq!(
        session.lines(),
        [
            "tellusererror Illegal position: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1 (White has no king)"
        ]
    );
    session.send("edit;Ke1;.");
    assert_eq!((session.board().as_str(), session.lines()), (START, vec![]));

    session.send("new;force;a2a3;edit;#;.");
    assert_eq!(
        session.lines(),
        ["tellusererror Illegal position: 8/8/8/8/8/8/8/8 b - - 0 1 (White has no king)"]
    );
    session.send("edit;Ke1;c;Ke8;Pe7;.;usermove e7e5");
    assert_eq!(
        (session.board().as_str(), session.lines()),
        ("4k3/8/8/4p3/8/8/8/4K3 w", vec![])
    );
}

#[test]
fn edit_can_correct_an_illegal_fen() {
    let mut session = Session::new();
    session.send("force;setboard 4k2P/8/8/8/8/8/8/4K3 b - - 0 1;edit;xh8;.");
    assert_eq!(
        session.lines(),
        ["tellusererror Illegal position: 4k2P/8/8/8/8/8/8/4K3 b - - 0 1 (a pawn stands on h8)"]
    );
    assert_eq!(session.board(), "4k3/8/8/8/8/8/8/4K3 b");
}

#[test]
fn edit_in_a_game_keeps_the_engine_playing() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("edit;xd2;.;usermove d1g4");
    assert_eq!(session.best("g8f6").lines(), ["move g8f6"]);
}

#[test]
fn variants_change_the_rules() {
    let mut session = Session::new();
    session.send("variant fischerandom;force;setboard bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(session.lines(), [""; 0]);
    session.send("variant atomic");
    assert_eq!(session.lines(), ["Error (unknown variant): variant atomic"]);
    session.send("new;usermove e2e4").best("e7e5");
    session.send("variant normal");
    assert_eq!(session.board(), AFTER_E4_E5);
}

#[test]
fn castling_in_fischerandom_is_written_with_letters() {
    let mut session = Session::new();
    session.send("variant fischerandom;force;setboard 4k3/8/8/8/8/8/8/4KR2 w F - 0 1;go");
    assert_eq!(session.best("O-O").lines(), ["move O-O"]);
}

#[test]
fn after_a_result_a_new_position_can_be_played() {
    let mut session = Session::new();
    session.send("result 1-0 {x};setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1;usermove a1a7");
    assert_eq!(session.best("e8d8").lines(), ["move e8d8"]);
}
