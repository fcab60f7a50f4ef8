//! Tests of games: moves, pongs, draws and results.

use super::*;

#[test]
fn the_engine_replies_as_black_without_go() {
    let mut session = Session::new();
    session.send("xboard;protover 1;new;e2e4");
    assert_eq!(session.searched(), AFTER_E4);
    assert_eq!(session.best("e7e5").lines(), ["move e7e5"]);
    assert_eq!(
        session.purpose(),
        Some(Purpose::Play),
        "the stub keeps the request"
    );
    assert!(session.machine.mode.search().is_none());
}

#[test]
fn protover_gets_features_at_any_time() {
    let mut session = Session::new();
    session.send("xboard;protover 2");
    assert_eq!(
        session.lines().last().map(String::as_str),
        Some("feature done=1")
    );
    session.send("usermove e2e4;protover 3");
    assert_eq!(
        session.lines().last().map(String::as_str),
        Some("feature done=1")
    );
    assert_eq!(session.best("c7c5").lines(), ["move c7c5"]);
}

#[test]
fn go_changes_the_side_and_has_no_effect_while_thinking() {
    let mut session = Session::new();
    session.send("force;usermove e2e4;usermove e7e5;go");
    let id = session.running_id();
    assert_eq!(session.send("go").running_id(), id);
    assert_eq!(session.best("g1f3").lines(), ["move g1f3"]);
    session.send("b8c6");
    assert_eq!(session.best("f1b5").lines(), ["move f1b5"]);
}

#[test]
fn force_ignores_late_search_events() {
    let mut session = Session::new();
    session.send("go");
    let late = session.best_event("e2e4", None, 0);
    let late_info = session.info_event("e2e4");
    session.send("post;force;force");
    assert!(matches!(
        session.orders.last(),
        Some(SearchOrder::Abandon(_))
    ));
    assert_eq!(session.event(late_info).event(late).lines(), [""; 0]);
    assert_eq!(session.board(), START);
    assert_eq!(
        session.send("usermove d2d4;usermove d7d5;ping 8").lines(),
        ["pong 8"]
    );
}

#[test]
fn pongs_wait_only_for_the_move() {
    let mut session = Session::new();
    session.send("go;ping 7;ping 8;?");
    assert!(matches!(
        session.orders.last(),
        Some(SearchOrder::MoveNow(_))
    ));
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(
        session.best("d2d4").lines(),
        ["move d2d4", "pong 7", "pong 8"]
    );
    assert_eq!(
        session.send("usermove d7d5;ping 9;new;ping 10").lines(),
        ["pong 9", "pong 10"]
    );
}

#[test]
fn fifty_pings_get_fifty_pongs_in_order() {
    let mut session = Session::new();
    session.send("go");
    for number in 0..50 {
        session.send(&format!("ping {number}"));
    }
    let expected: Vec<String> = (0..50).map(|number| format!("pong {number}")).collect();
    assert_eq!(session.best("g1f3").lines()[1..], expected[..]);
}

#[test]
fn move_now_has_no_effect_without_a_search_for_a_move() {
    let mut session = Session::after_e4("e7e5", Some("g1f3"));
    let orders = session.orders.len();
    assert_eq!(session.send("?;force;?").lines(), [""; 0]);
    assert!(
        !session.orders[orders..]
            .iter()
            .any(|order| matches!(order, SearchOrder::MoveNow(_)))
    );
}

#[test]
fn illegal_moves_are_rejected_and_change_nothing() {
    let mut session = Session::new();
    for text in ["e2e5", "e7e5", "e3e4", "@@@@", "a1a1", "e2e4q", "Ke3"] {
        assert_eq!(
            session.send(&format!("usermove {text}")).lines(),
            [format!("Illegal move: {text}")]
        );
        assert_eq!((session.board().as_str(), session.purpose()), (START, None));
    }
    session.send("usermove e2e4");
    assert_eq!(
        session.send("usermove e7e5").lines(),
        ["Illegal move: e7e5"]
    );
    assert_eq!(session.best("c7c5").lines(), ["move c7c5"]);
}

#[test]
fn moves_for_the_engine_are_rejected() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("undo;usermove d7d5");
    assert_eq!(session.lines(), ["Illegal move: d7d5"]);
    assert_eq!(session.board(), AFTER_E4);
    assert!(session.machine.mode.search().is_none());
    session.send("go");
    assert_eq!(session.best("d7d5").lines(), ["move d7d5"]);
    // On a server the move shows no takeback, either.
    session
        .send("ics freechess.org;new;usermove e2e4")
        .best("e7e5");
    session
        .send("usermove g1f3")
        .best("b8c6")
        .send("undo;usermove g8f6");
    assert_eq!(
        session.lines().last().map(String::as_str),
        Some("Illegal move: g8f6")
    );
    assert_eq!(session.machine.game.len(), 3);
}

#[test]
fn ambiguous_moves_are_rejected() {
    let mut session = Session::new();
    session.send("force;setboard 4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    assert_eq!(
        session.send("usermove Nd2").lines(),
        ["Error (ambiguous move): Nd2"]
    );
    assert_eq!(session.send("usermove Nbd2").lines(), [""; 0]);
}

#[test]
fn a_mating_move_is_followed_by_the_result() {
    let mut session = Session::new();
    session.send("force;f2f3;e7e5;g2g4;hard;go;ping 3");
    assert_eq!(
        session.best("d8h4").lines(),
        ["move d8h4", "0-1 {Black mates}", "pong 3"]
    );
    assert_eq!(
        session.send("usermove a2a3").lines(),
        ["Illegal move: a2a3"]
    );
    assert_eq!(
        session
            .send("result 0-1 {Black mates};force;ping 4")
            .lines(),
        ["pong 4"]
    );
    assert_eq!(session.send("go").lines(), ["0-1 {Black mates}"]);
    assert!(session.machine.mode.search().is_none());
}

#[test]
fn checkmate_by_the_opponent_gives_the_result_only() {
    let mut session = Session::new();
    session.send("force;f2f3;e7e5;g2g4;playother");
    assert_eq!(session.send("usermove d8h4").lines(), ["0-1 {Black mates}"]);
}

#[test]
fn draws_on_the_board_are_claimed() {
    let mut session = Session::new();
    session.send("force;g1f3;g8f6;f3g1;f6g8;g1f3;g8f6;f3g1;playother");
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(
        session.send("usermove f6g8").lines(),
        ["1/2-1/2 {Draw by repetition}"]
    );

    session.send("new;force;setboard 4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80;go");
    assert_eq!(
        session.best("a1a2").lines(),
        ["offer draw", "move a1a2", "1/2-1/2 {50-move rule}"]
    );

    session.send("new;force;setboard 4k3/8/8/8/8/8/4p3/4K3 w - - 0 1;go");
    assert_eq!(
        session.best("e1e2").lines(),
        ["move e1e2", "1/2-1/2 {Insufficient material}"]
    );

    session.send("new;force;setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1;go");
    assert_eq!(session.lines(), ["1/2-1/2 {Stalemate}"]);
}

#[test]
fn go_in_a_drawn_position_gets_the_claim_and_a_move() {
    let mut session = Session::new();
    session.send("force;setboard 4k3/8/8/8/8/8/4P3/R3K3 w - - 100 80;go;ping 1");
    assert_eq!(session.lines(), ["1/2-1/2 {50-move rule}"]);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
    session.send("force;setboard 4k3/8/8/8/8/8/8/4K3 w - - 0 1;go");
    assert_eq!(session.lines(), ["1/2-1/2 {Insufficient material}"]);
    assert!(session.machine.mode.search().is_none());
}

#[test]
fn force_mode_makes_no_claims() {
    let mut session = Session::new();
    session.send("force;g1f3;g8f6;f3g1;f6g8;g1f3;g8f6;f3g1;f6g8;e2e4;ping 1");
    assert_eq!(session.lines(), ["pong 1"]);
}

#[test]
fn a_result_ends_the_game() {
    let mut session = Session::new();
    session.send("hard;usermove e2e4");
    let late = session.best_event("e7e5", None, 0);
    session
        .send("result 1-0 {GuestX forfeits on time}")
        .event(late);
    assert_eq!(session.lines(), [""; 0]);
    assert!(session.machine.mode.search().is_none());
    session.send("usermove d2d4");
    assert_eq!(session.lines(), ["Illegal move: d2d4"]);
    // Both usual orders at the end of a game, and the next game.
    session.send("?;force;result * {x};ping 5;new;usermove d2d4");
    assert_eq!(session.lines(), ["pong 5"]);
    assert_eq!(session.best("d7d5").lines(), ["move d7d5"]);
}

#[test]
fn playother_waits_for_the_opponent() {
    let mut session = Session::new();
    session.send("force;usermove e2e4;playother");
    assert_eq!(session.purpose(), None);
    session.send("usermove e7e5");
    assert_eq!(session.best("g1f3").lines(), ["move g1f3"]);
}

#[test]
fn obsolete_command_sequences_play_the_side_to_move() {
    for commands in ["white;go", "black;time 1234;otim 567;white;go", "go"] {
        let mut session = Session::new();
        session.send(commands);
        assert_eq!(session.searched(), START, "{commands}");
        assert_eq!(session.best("e2e4").lines(), ["move e2e4"]);
    }
    let mut session = Session::new();
    session.send("force;e2e4;white;time 1234;otim 567;black;go");
    assert_eq!(session.searched(), AFTER_E4);
    assert!(session.hard() < Duration::from_millis(12_340 / 2));
    assert_eq!(session.send("force;undo;ping 1").lines(), ["pong 1"]);
    assert_eq!(session.board(), START);
}

#[test]
fn black_to_move_in_an_edited_position() {
    let mut session = Session::new();
    session.send("new;force;edit;#;Ke1;c;Ke8;Pe7;.;black;force;e7e5;go");
    assert_eq!(session.searched(), "4k3/8/8/4p3/8/8/8/4K3 w");
    session.send("white;black;go");
    assert_eq!(session.searched(), "4k3/8/8/4p3/8/8/8/4K3 b");
}

#[test]
fn an_accepted_offer_is_followed_by_the_move() {
    let mut session = Session::new();
    session.send("usermove e2e4;draw");
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(
        session.best_with("e7e5", None, -300).lines(),
        ["offer draw", "move e7e5"]
    );
    // While the engine waits, the last score decides at once.
    assert_eq!(session.send("draw").lines(), ["offer draw"]);
    session.send("usermove d2d4");
    assert_eq!(session.best_with("e5d4", None, 50).lines(), ["move e5d4"]);
    assert_eq!(session.send("draw").lines(), [""; 0]);
    session.send("usermove c2c3");
    assert_eq!(
        session.best_with("d4c3", None, -300).lines(),
        ["offer draw", "move d4c3"]
    );
    session.send("usermove b1c3");
    assert_eq!(session.best_with("b8c6", None, -300).lines(), ["move b8c6"]);
}

#[test]
fn force_mode_does_not_answer_offers() {
    assert_eq!(Session::new().send("force;draw").lines(), [""; 0]);
}

#[test]
fn an_offer_in_force_mode_is_answered_with_the_next_move() {
    let mut session = Session::new();
    session.send("force;usermove e2e4;time 6000;otim 6000;draw;go");
    assert_eq!(
        session.best_with("e7e5", None, -300).lines(),
        ["offer draw", "move e7e5"]
    );
    // The answered offer is removed, and a bad score alone makes no offer in force mode.
    session.send("force;usermove d2d4;go");
    assert_eq!(session.best_with("e5d4", None, -300).lines(), ["move e5d4"]);
    assert_eq!(session.send("force;draw").lines(), [""; 0]);
}

#[test]
fn resignation_depends_on_the_option() {
    for (limit, last) in [("0", "move"), ("800", "resign")] {
        let mut session = Session::new();
        session
            .send(&format!("option Resign={limit}"))
            .event(SearchEvent::Configured);
        // Knight moves back and forth, and some pawn moves to avoid repetition.
        let pawns = [
            "a2a3", "b2b3", "c2c3", "d2d3", "a3a4", "b3b4", "c3c4", "d3d4",
        ];
        let mut knights = ["g1f3", "f3g1"].iter().cycle();
        let mut ours = ["g8f6", "f6g8"].iter().cycle();
        let mut lines = Vec::new();
        for turn in 0..24 {
            let their = match turn % 3 {
                2 => pawns[turn / 3],
                _ => knights.next().expect("endless"),
            };
            session.send(&format!("usermove {their}"));
            lines = session
                .best_with(ours.next().expect("endless"), None, -2000)
                .lines();
            if lines == ["resign"] {
                break;
            }
        }
        assert!(lines[0].starts_with(last), "{limit}: {lines:?}");
    }
}

#[test]
fn hint_shows_the_best_known_move() {
    let mut session = Session::new();
    assert_eq!(session.send("hint").lines(), [""; 0]);
    session.send("usermove e2e4");
    session.info("c7c5").send("hint");
    assert_eq!(session.lines(), ["Hint: c7c5"]);
    session.best_with("c7c5", Some("g1f3"), 0).send("hint");
    assert_eq!(session.lines(), ["move c7c5", "Hint: g1f3"]);
}

#[test]
fn thinking_output_depends_on_post() {
    let mut session = Session::new();
    session.send("usermove e2e4");
    assert_eq!(session.info("c7c5").lines(), [""; 0]);
    session.send("post");
    let line = session.info("c7c5").lines();
    assert!(line[0].starts_with("5 21 12 4000"), "{line:?}");
    assert_eq!(session.send("nopost").info("c7c5").lines(), [""; 0]);
}

#[test]
fn a_takeback_on_a_server_is_detected() {
    let mut session = Session::new();
    session.send("ics freechess.org;usermove e2e4").best("e7e5");
    session.send("usermove e4e5");
    assert_eq!(session.lines(), ["move e7e5", "Illegal move: e4e5"]);
    session.send("usermove e2e3");
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b"
    );
    let mut local = Session::after_e4("e7e5", None);
    assert_eq!(local.send("usermove e2e3").lines(), ["Illegal move: e2e3"]);
}

#[test]
fn a_thousand_games_at_once_are_played() {
    let mut session = Session::new();
    for game in 0..200 {
        session.send("new;force;setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;go;?");
        session.send(&format!("ping {game}"));
        assert_eq!(
            session.best("e2e4").lines(),
            ["move e2e4".to_owned(), format!("pong {game}")]
        );
    }
}
