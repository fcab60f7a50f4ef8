//! Positions set up, edited, taken back.

use super::*;

#[test]
fn setboard_leaves_the_mode_and_the_limits() {
    let mut session = Session::new();
    session.send("sd 7;setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(session.purpose(), None);
    session.send("usermove a1a8");
    assert_eq!(session.limits().depth, Some(7));
    session.send("new;usermove e2e4");
    assert_eq!(session.limits().depth, None);
}

#[test]
fn impossible_positions_let_nothing_be_played() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "total nonsense",
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let mut session = Session::new();
        session.send(&format!("force;setboard {fen}"));
        let said = session.hears();
        assert_eq!(said.len(), 1, "{fen}: {said:?}");
        let named = format!("tellusererror Illegal position: {fen} (");
        assert!(said[0].starts_with(&named), "{said:?}");
        assert_eq!(
            session.send("usermove e2e4").hears(),
            ["Illegal move: e2e4"]
        );
        session.send("go;playother;analyze;.;exit;hint;exit;white;black;ping 1");
        assert_eq!(session.hears().last().map(String::as_str), Some("pong 1"));
        assert_eq!(session.purpose(), None);
        assert_eq!(
            session.send("undo").hears(),
            ["Error (command not legal now): undo"]
        );
        session.send("new;usermove e2e4");
        assert_eq!(session.best("e7e5").hears(), ["move e7e5"]);
    }
}

#[test]
fn refusals_of_positions_give_the_reason_once() {
    let said = "tellusererror Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1 (White has no king)";
    for lines in ["xboard", "accepted debug"] {
        let mut session = Session::new();
        session
            .send(lines)
            .send("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
        assert_eq!(session.hears(), [said], "{lines}");
    }
}

#[test]
fn long_fens_are_cut_and_the_reason_stays() {
    let mut session = Session::new();
    session.send(&format!("setboard {}", "8/".repeat(5000)));
    let said = session.hears().concat();
    assert!(
        said.len() < 400 && said.contains("8/8/... (the FEN has "),
        "{said}"
    );
}

#[test]
fn undo_goes_back_to_the_beginning() {
    let mut session = Session::new();
    session.send("force");
    for _ in 0..75 {
        session.send("g1f3;g8f6;f3g1;f6g8");
    }
    for _ in 0..300 {
        session.send("undo");
    }
    assert_eq!((session.board().as_str(), session.hears()), (START, vec![]));
    assert_eq!(
        session.send("undo").hears(),
        ["Error (command not legal now): undo"]
    );
    assert_eq!(
        session.send("remove").hears(),
        ["Error (command not legal now): remove"]
    );
}

#[test]
fn remove_takes_back_a_pair_and_the_same_side_goes_on() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("remove");
    assert_eq!(session.board(), START);
    session.send("usermove d2d4");
    assert_eq!(session.best("d7d5").hears(), ["move d7d5"]);
    session.send("force;remove;usermove e2e4");
    assert_eq!(session.board(), AFTER_E4);
}

#[test]
fn changes_while_thinking_stop_quietly() {
    for command in ["undo", "setboard 4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "edit;."] {
        let mut session = Session::new();
        session.send("usermove e2e4");
        let late = session.best_event("e7e5", None, 0);
        session.send(command).event(late);
        assert_eq!(
            (session.hears(), session.purpose()),
            (vec![], None),
            "{command}"
        );
    }
}

#[test]
fn edit_changes_pieces_and_nothing_else() {
    let mut session = Session::new();
    session.send("force;usermove e2e4;edit;xe7;c;Pe5;.");
    assert_eq!(
        session.board(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b"
    );
    session.send("edit;#;Ke1;Rh1;c;Ke8;.;undo");
    assert_eq!(session.hears(), ["Error (command not legal now): undo"]);
    assert_eq!(session.board(), "4k3/8/8/8/8/8/8/4K2R b");
    session.send("usermove e8e7;usermove e1g1");
    assert_eq!(
        (session.board().as_str(), session.hears()),
        ("8/4k3/8/8/8/8/8/5RK1 b", vec![])
    );
}

#[test]
fn edit_answers_pings_and_refuses_the_rest() {
    let mut session = Session::new();
    session.send("force;edit;ping 4;frob;.;ping 5");
    let said = session.hears();
    assert_eq!((said[0].as_str(), said.len()), ("pong 4", 3));
    assert!(said[1].starts_with("Error ("));
    session.send("edit;#;Ke1;.;usermove e1e2");
    assert_eq!(
        session.hears(),
        [
            "tellusererror Illegal position: 8/8/8/8/8/8/8/4K3 w - - 0 1 (Black has no king)",
            "Illegal move: e1e2"
        ]
    );
    session.send("edit;#;Ke1;c;Ke8;.;usermove e1e2");
    assert_eq!(session.hears(), [""; 0]);
}

#[test]
fn edit_mends_an_impossible_position() {
    let mut session = Session::new();
    session.send("new;force;edit;xe1;.");
    assert_eq!(
        session.hears(),
        [
            "tellusererror Illegal position: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1 (White has no king)"
        ]
    );
    session.send("edit;Ke1;.");
    assert_eq!((session.board().as_str(), session.hears()), (START, vec![]));

    session.send("new;force;a2a3;edit;#;.");
    assert_eq!(
        session.hears(),
        ["tellusererror Illegal position: 8/8/8/8/8/8/8/8 b - - 0 1 (White has no king)"]
    );
    session.send("edit;Ke1;c;Ke8;Pe7;.;usermove e7e5");
    assert_eq!(
        (session.board().as_str(), session.hears()),
        ("4k3/8/8/4p3/8/8/8/4K3 w", vec![])
    );
}

#[test]
fn edit_mends_an_impossible_fen() {
    let mut session = Session::new();
    session.send("force;setboard 4k2P/8/8/8/8/8/8/4K3 b - - 0 1;edit;xh8;.");
    assert_eq!(
        session.hears(),
        ["tellusererror Illegal position: 4k2P/8/8/8/8/8/8/4K3 b - - 0 1 (a pawn stands on h8)"]
    );
    assert_eq!(session.board(), "4k3/8/8/8/8/8/8/4K3 b");
}

#[test]
fn edit_in_a_game_keeps_the_engine_playing() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("edit;xd2;.;usermove d1g4");
    assert_eq!(session.best("g8f6").hears(), ["move g8f6"]);
}

#[test]
fn variants_change_the_rules() {
    let mut session = Session::new();
    session.send("variant fischerandom;force;setboard bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(session.hears(), [""; 0]);
    session.send("variant atomic");
    assert_eq!(session.hears(), ["Error (unknown variant): variant atomic"]);
    session.send("new;usermove e2e4").best("e7e5");
    session.send("variant normal");
    assert_eq!(session.board(), AFTER_E4_E5);
}

#[test]
fn castling_in_fischerandom_is_written_with_letters() {
    let mut session = Session::new();
    session.send("variant fischerandom;force;setboard 4k3/8/8/8/8/8/8/4KR2 w F - 0 1;go");
    assert_eq!(session.best("O-O").hears(), ["move O-O"]);
}

#[test]
fn after_a_result_a_new_position_can_be_played() {
    let mut session = Session::new();
    session.send("result 1-0 {x};setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1;usermove a1a7");
    assert_eq!(session.best("e8d8").hears(), ["move e8d8"]);
}
