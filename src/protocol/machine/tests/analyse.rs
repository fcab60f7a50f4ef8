//! Tests of analysis mode and excluded root moves.

use super::*;

fn analysing() -> Session {
    let mut session = Session::new();
    session.send("post;force;analyze");
    assert_eq!(
        (session.purpose(), session.searched().as_str()),
        (Some(Purpose::Analyse), START)
    );
    session
}

#[test]
fn moves_and_undos_restart_the_analysis() {
    let mut session = analysing();
    let late = session.info_event("e2e4");
    session.send("usermove e2e4");
    assert_eq!(session.searched(), AFTER_E4);
    assert_eq!(session.event(late).lines(), [""; 0]);
    assert!(session.info("e7e5").lines()[0].contains("e7e5"));
    session.send("e7e5;undo");
    assert_eq!(session.searched(), AFTER_E4);
    session.send("undo");
    let id = session.running_id();
    assert_eq!(
        session.send("undo").lines(),
        ["Error (command not legal now): undo"]
    );
    assert_eq!(session.running_id(), id);
}

#[test]
fn many_steps_at_once_end_at_the_right_position() {
    let mut session = analysing();
    for _ in 0..50 {
        session.send("usermove e2e4;usermove e7e5;undo;undo");
    }
    session.send("usermove e2e4;ping 1");
    assert_eq!(
        (session.searched().as_str(), session.lines()),
        (AFTER_E4, vec!["pong 1".to_owned()])
    );
}

#[test]
fn analysis_continues_with_new_positions() {
    for (lines, searched) in [
        ("usermove e2e4;new", START),
        (
            "setboard 4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b",
        ),
        ("edit;#;Ke1;Ra1;c;Ke8;.", "4k3/8/8/8/8/8/8/R3K3 w"),
        (
            "force;setboard 4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b",
        ),
        ("force;usermove e2e4", AFTER_E4),
        (
            "setboard 8/8/8/8/8/8/8/8 w - - 0 1;force;setboard 4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b",
        ),
    ] {
        let mut session = analysing();
        session.send(lines);
        assert_eq!(
            (session.purpose(), session.searched().as_str()),
            (Some(Purpose::Analyse), searched)
        );
    }
}

#[test]
fn force_stops_the_search_until_the_position_changes() {
    let mut session = analysing();
    session.send("force");
    assert_eq!(session.purpose(), None);
    session.send("analyze");
    assert_eq!(session.purpose(), Some(Purpose::Analyse));
}

#[test]
fn exit_changes_to_force_mode() {
    let mut session = analysing();
    session.send(".");
    let late = session.status_event();
    session.send("exit;ping 3").event(late);
    assert_eq!(
        (session.lines(), session.purpose()),
        (vec!["pong 3".to_owned()], None)
    );
    session.send("exit;usermove e2e4;ping 4");
    assert_eq!(
        (session.lines(), session.purpose()),
        (vec!["pong 4".to_owned()], None)
    );
    session.send("go");
    assert_eq!(session.best("c7c5").lines(), ["move c7c5"]);
}

#[test]
fn dot_requests_a_status() {
    let mut session = analysing();
    session.send(".");
    assert!(matches!(
        session.orders.last(),
        Some(SearchOrder::ReportStatus(_))
    ));
    let status = session.status_event();
    assert!(session.event(status).lines()[0].starts_with("stat01: 0 77 "));
}

#[test]
fn analysis_without_moves_starts_no_search() {
    let mut session = analysing();
    session.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(session.purpose(), None);
    assert!(session.send(".").lines()[0].starts_with("stat01: 0 0 0 0 0"));
    assert_eq!(
        session.send("ping 1;undo").lines(),
        ["pong 1", "Error (command not legal now): undo"]
    );
    session.send("setboard 4k3/8/8/8/8/8/8/4K3 w - - 120 90");
    assert_eq!(
        (session.lines(), session.purpose()),
        (vec![], Some(Purpose::Analyse))
    );
}

#[test]
fn other_commands_do_not_stop_the_analysis() {
    let mut session = analysing();
    let id = session.running_id();
    session.send("hint;bk;hard;easy;nopost;post;?;time 100;otim 100;result 1-0 {x};draw;ping 9");
    assert_eq!(
        (session.lines(), session.running_id()),
        (
            [" Gaur plays without an opening book.", "", "pong 9"]
                .map(str::to_owned)
                .to_vec(),
            id
        )
    );
    assert_eq!(
        session.send("usermove e2e5;foo").lines(),
        ["Illegal move: e2e5", "Error (unknown command): foo"]
    );
    assert_eq!(session.running_id(), id);
    session.send("memory 100").event(SearchEvent::Configured);
    assert_eq!(session.running_id(), id);
}

#[test]
fn moves_stay_excluded_until_the_position_changes() {
    let mut session = analysing();
    session.send("exclude e2e4;exclude d4");
    assert_eq!(
        session.request().excluded,
        [session.mv("e2e4"), session.mv("d2d4")]
    );
    session.send("include e2e4");
    assert_eq!(session.request().excluded, [session.mv("d2d4")]);
    assert_eq!(
        session.send("exclude e2e5").lines(),
        ["Error (bad argument): exclude e2e5"]
    );
    let id = session.running_id();
    assert_eq!(session.send("exclude d2d4").running_id(), id);
    session.send("usermove e2e4");
    assert_eq!(session.request().excluded, []);
    session.send("exclude all");
    assert_eq!(session.purpose(), None);
    session.send("include e7e5");
    assert_eq!(
        (session.purpose(), session.request().excluded.len()),
        (Some(Purpose::Analyse), 19)
    );
    session.send("include all");
    assert_eq!(session.request().excluded, []);
}

#[test]
fn moves_can_be_excluded_from_play() {
    let mut session = Session::new();
    session.send("force;exclude all;include a2a3;include b2b3;go;ping 1");
    assert_eq!(session.request().excluded.len(), 18);
    let (old, started) = (session.running_id(), session.request().started);
    session.wait(Duration::from_secs(1)).send("exclude b2b3");
    assert_ne!(session.running_id(), old);
    assert_eq!(
        (session.request().started, session.request().excluded.len()),
        (started, 19)
    );
    assert_eq!(session.best("a2a3").lines(), ["move a2a3", "pong 1"]);
    assert!(session.machine.constraints.excluded_moves().is_empty());
}

#[test]
fn excluding_all_moves_does_not_prevent_a_move() {
    let mut session = Session::new();
    session.send("force;exclude all;go");
    assert_eq!(session.request().excluded, []);
}

#[test]
fn analysis_can_be_paused() {
    let mut session = analysing();
    let event = session.info_event("e2e4");
    session.send("pause").event(event);
    assert_eq!(session.lines(), [""; 0]);
    session.send("resume");
    assert_eq!(session.lines().len(), 1);
    assert!(
        session
            .orders
            .iter()
            .any(|order| matches!(order, SearchOrder::Resume(_)))
    );
}

#[test]
fn exit_ends_a_paused_analysis() {
    let mut session = Session::new();
    session.send("analyze;pause;exit");
    assert!(session.machine.mode.search().is_none());
    session.send("usermove e2e4;resume;usermove e7e5;ping 1");
    assert_eq!(session.lines(), ["pong 1"]);
    assert_eq!(
        (session.purpose(), session.board().as_str()),
        (None, AFTER_E4_E5)
    );
}

#[test]
fn post_shows_the_newest_lines_best_first() {
    let mut session = analysing();
    session.send("nopost");
    let line = |session: &Session, text: &str, depth, rank| match session.info_event(text) {
        SearchEvent::Info(id, info) => SearchEvent::Info(
            id,
            SearchInfo {
                depth,
                rank,
                ..info
            },
        ),
        other => other,
    };
    for (text, depth, rank) in [("e2e4", 1, 0), ("d2d4", 1, 1), ("c2c4", 1, 2)] {
        let event = line(&session, text, depth, rank);
        assert_eq!(session.event(event).lines(), [""; 0]);
    }
    let shown = session.send("post").lines();
    assert_eq!(shown.len(), 3);
    for (line, mv) in shown.iter().zip(["e2e4", "d2d4", "c2c4"]) {
        assert!(line.ends_with(mv), "{line}");
    }
    assert_eq!(session.send("nopost;post").lines(), [""; 0]);
    // A depth that has just begun has fewer lines, but no line of an older depth.
    session.send("nopost");
    for (text, depth, rank) in [("e2e4", 2, 0), ("d2d4", 2, 1), ("c2c4", 3, 0)] {
        let event = line(&session, text, depth, rank);
        session.event(event);
    }
    let shown = session.send("post").lines();
    assert!(shown.len() == 1 && shown[0].starts_with("3 ") && shown[0].ends_with("c2c4"));
}

#[test]
fn post_shows_no_lines_of_other_searches() {
    let mut session = analysing();
    session.send("nopost").info("e2e4").send("usermove e2e4");
    assert_eq!(session.send("post").lines(), [""; 0]);
    session.send("nopost").info("e7e5").send("exit");
    assert_eq!(session.send("post").lines(), [""; 0]);
}
