//! Tests of pauses, `quit` and the end of input.

use super::*;

#[test]
fn a_pause_delays_the_move_and_stops_the_clock() {
    let second = Duration::from_secs(1);
    let mut session = Session::new();
    session.send("level 0 1 0;usermove e2e4;pause");
    assert!(matches!(session.orders.last(), Some(SearchOrder::Pause(_))));
    session.wait(second * 3600).best("e7e5");
    assert_eq!(session.send("ping 1;post;pause").lines(), [""; 0]);
    session.send("resume");
    assert_eq!(session.lines(), ["move e7e5", "pong 1"]);
    session
        .send("pause")
        .wait(second * 3600)
        .send("resume;time 5000;usermove d2d4");
    assert!(session.hard() > second * 5);
}

#[test]
fn a_move_ends_a_pause() {
    let mut session = Session::after_e4("e7e5", None);
    session.send("pause;usermove d2d4");
    assert_eq!(session.best("e5d4").lines(), ["move e5d4"]);
    session.send("usermove d1d4;pause;new;ping 2");
    assert_eq!(session.lines(), ["pong 2"]);
    assert_eq!(session.board(), START);
}

#[test]
fn a_move_found_before_a_pause_is_dropped_if_a_command_cancels_it() {
    for command in [
        "force",
        "new",
        "result 1-0 {x}",
        "setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "undo",
        "remove",
        "edit;.",
        "playother",
        "analyze;exit",
        "variant fischerandom",
    ] {
        let mut session = Session::new();
        session.send("force;g1f3;g8f6;go;pause").best("b1c3");
        assert_eq!(session.send(command).lines(), [""; 0], "{command}");
        let orders = session.orders.len();
        assert_eq!(session.send("resume;ping 1").lines(), ["pong 1"]);
        assert_eq!(
            session.orders.len(),
            orders,
            "{command}: a search was resumed"
        );
    }
    for command in ["resume", "?", "go"] {
        let mut session = Session::new();
        session.send("force;go;pause").best("b1c3");
        let searches = session.request().id;
        assert_eq!(session.send(command).lines(), ["move b1c3"], "{command}");
        assert_eq!(
            session.running_id(),
            Some(searches),
            "{command}: no other search"
        );
        assert_eq!(session.send("ping 1").lines(), ["pong 1"], "{command}");
    }
}

#[test]
fn the_first_move_is_timed_after_a_pause() {
    let second = Duration::from_secs(1);
    let mut session = Session::new();
    session
        .send("level 0 1 0;force;go;pause")
        .wait(second * 3600);
    session.send("resume").wait(second * 50).best("e2e4");
    let engine = session.machine.time.clocks().engine;
    assert_eq!(engine.remaining(session.now), second * 10);
}

#[test]
fn a_pause_does_not_count_after_a_restart() {
    let mut session = Session::new();
    session.send("level 0 1 0;force;go");
    let start = session.request().started;
    session.send("pause").wait(Duration::from_secs(3600));
    session.send("resume;exclude e2e4");
    assert_eq!(session.request().started, start + Duration::from_secs(3600));
}

#[test]
fn the_end_of_input_quits_in_any_mode() {
    let pondering = "hard;go;pause";
    for lines in [
        "",
        "analyze",
        "analyze;pause",
        "edit;#",
        pondering,
        "setboard x",
    ] {
        for by_quit in [true, false] {
            let mut session = Session::new();
            session.send(lines);
            if lines == pondering {
                session.send("resume").best("e2e4").send("pause");
            }
            session.quit(by_quit);
            assert!(session.has_quit, "{lines}");
            assert!(matches!(session.orders.last(), Some(SearchOrder::Quit)));
        }
    }
}

#[test]
fn pending_pongs_are_sent_before_quitting() {
    for by_quit in [true, false] {
        let mut session = Session::new();
        session.send("xboard;memory 32;ping 1;option Variety=20;ping 2");
        session.quit(by_quit);
        assert!(session.is_quitting && !session.has_quit);
        assert_eq!(session.lines(), [""; 0]);
        session.event(SearchEvent::Configured);
        assert_eq!(
            (session.lines(), session.has_quit),
            (vec!["pong 1".to_owned()], false)
        );
        session.event(SearchEvent::Configured);
        assert_eq!(session.lines(), ["pong 2"]);
        assert!(session.has_quit);
        assert!(matches!(session.orders.last(), Some(SearchOrder::Quit)));
    }
}

#[test]
fn the_end_of_input_requests_the_move_at_once() {
    for orders in [
        "go;?;ping 1",
        "go;ping 1",
        "go;ping 1;pause",
        "post;hard;go;ping 1",
    ] {
        let mut session = Session::new();
        session.send(orders).quit(false);
        assert!(session.is_quitting && !session.has_quit, "{orders}");
        let id = session.request().id;
        let ordered = session.orders.last();
        assert!(
            matches!(ordered, Some(SearchOrder::MoveNow(asked)) if *asked == id),
            "{orders}"
        );
        assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
        assert!(session.has_quit);
        assert_eq!(session.request().id, id, "{orders}: pondering has started");
    }

    for orders in ["go", "go;?;ping 1", "go;pause"] {
        let mut session = Session::new();
        session.send(orders).quit(true);
        assert!(session.has_quit && !session.is_quitting);
    }
}

#[test]
fn a_move_found_just_before_a_pause_is_played_at_the_end_of_input() {
    let mut session = Session::new();
    session
        .send("hard;go;ping 1;pause")
        .best("e2e4")
        .quit(false);
    assert_eq!(session.lines(), ["move e2e4", "pong 1"]);
    assert!(session.has_quit);
}

#[test]
fn pongs_for_settings_are_sent_after_the_last_move() {
    let mut session = Session::new();
    session.send("go;memory 32;ping 1").quit(false);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4"]);
    assert!(!session.has_quit);
    assert_eq!(session.configured().lines(), ["pong 1"]);
    assert!(session.has_quit);

    // The first pong waits only for the move.
    let mut session = Session::new();
    session.send("go;ping 1;memory 32;ping 2").quit(false);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
    assert!(!session.has_quit);
    assert_eq!(session.configured().lines(), ["pong 2"]);
    assert!(session.has_quit);
}
