//! Tests of pondering.

use super::*;

/// Returns a session that ponders on 2.Nf3 after 1.e4 e5.
fn pondering() -> Session {
    let mut session = Session::new();
    session
        .send("hard;post;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 10);
    assert_eq!(session.lines(), ["move e7e5", "Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"
    );
    session
}

#[test]
fn a_ponder_hit_sets_limits_from_the_arrival_of_the_move() {
    let mut session = pondering();
    let id = session.running_id();
    session
        .send("time 100;otim 9000")
        .wait(Duration::from_secs(5))
        .send("usermove g1f3");
    assert_eq!(
        (session.running_id(), session.purpose()),
        (id, Some(Purpose::Play))
    );
    assert_eq!(session.request().started, session.now);
    assert!(session.hard() < Duration::from_millis(400));
    session.send("ping 1");
    assert_eq!(session.best("b8c6").lines(), ["move b8c6", "pong 1"]);
}

/// The move is then played without the search thread, which may wait for a processor.
#[test]
fn a_ponder_hit_without_time_is_a_new_search() {
    let mut session = pondering();
    let id = session.running_id();
    let late = session.best_event("b8c6", None, 0);
    session.send("time 1;otim 9000;usermove g1f3");
    assert_ne!(session.running_id(), id);
    assert_eq!(session.purpose(), Some(Purpose::Play));
    assert!(session.request().limits.leave_no_time());
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"
    );
    assert_eq!(session.event(late).lines(), [""; 0]);
    session.send("ping 1");
    assert_eq!(session.best("b8c6").lines(), ["move b8c6", "pong 1"]);
}

#[test]
fn a_ponder_miss_searches_the_real_position() {
    let mut session = pondering();
    let id = session.running_id();
    let late = session.best_event("b8c6", None, 0);
    session.send("usermove d2d4");
    assert_ne!(session.running_id(), id);
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b"
    );
    assert_eq!(session.event(late).lines(), [""; 0]);
    assert_eq!(session.best("e5d4").lines(), ["move e5d4"]);
}

#[test]
fn information_does_not_stop_pondering() {
    let mut session = pondering();
    let id = session.running_id();
    let commands =
        "time 5000;otim 5000;nopost;post;hint;name X;draw;rating 1 2;computer;?;.;exit;ping 12";
    // One for `post`, one for `hint`.
    assert_eq!(
        session.send(commands).lines(),
        ["Hint: g1f3", "Hint: g1f3", "pong 12"]
    );
    assert_eq!(session.running_id(), id);
}

#[test]
fn moves_are_parsed_in_the_real_position() {
    let mut session = pondering();
    let id = session.running_id();
    for text in ["b8c6", "f3e5", "g8f6"] {
        assert_eq!(
            session.send(&format!("usermove {text}")).lines(),
            [format!("Illegal move: {text}")]
        );
    }
    assert_eq!(session.running_id(), id);
}

#[test]
fn other_commands_stop_pondering() {
    for command in [
        "easy",
        "force",
        "new",
        "setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "result * {x}",
        "undo",
    ] {
        let mut session = pondering();
        session.send(command);
        assert_eq!(session.purpose(), None, "{command}");
    }
    let mut session = pondering();
    assert_eq!(session.send("analyze").purpose(), Some(Purpose::Analyse));
}

#[test]
fn thinking_output_is_sent_while_pondering() {
    assert!(pondering().info("b8c6").lines()[0].starts_with("5 21 "));
}

#[test]
fn easy_stops_and_hard_starts_pondering() {
    let mut session = pondering();
    session.send("easy");
    assert_eq!(session.purpose(), None);
    assert_eq!(session.send("hard").lines(), ["Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    session.send("pause;easy;resume");
    assert_eq!(session.purpose(), None);
}

#[test]
fn pondering_does_not_start_before_the_first_move() {
    let mut session = Session::new();
    session.send("hard;new;easy;hard");
    assert_eq!(session.purpose(), None);
}

#[test]
fn without_a_ponder_move_the_current_position_is_searched() {
    let mut session = Session::new();
    session.send("hard;force;usermove e2e4;playother");
    assert_eq!(
        (session.purpose(), session.searched().as_str()),
        (Some(Purpose::Ponder), AFTER_E4)
    );
    let id = session.running_id();
    session.send("usermove e7e5");
    assert_ne!(session.running_id(), id);
    assert_eq!(
        (session.purpose(), session.searched().as_str()),
        (Some(Purpose::Play), AFTER_E4_E5)
    );
}

#[test]
fn remove_ponders_on_the_ponder_move_of_the_older_position() {
    let mut session = pondering();
    session
        .send("usermove g1f3")
        .best_with("b8c6", Some("f1b5"), 10);
    session.lines();
    session.send("remove");
    assert_eq!(session.board(), AFTER_E4_E5);
    assert_eq!(session.lines(), ["Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
}

#[test]
fn a_ponder_move_that_ends_the_game_is_not_searched() {
    let mut session = Session::new();
    session
        .send("hard;post;force;f2f3;e7e5;go")
        .best_with("g2g4", Some("d8h4"), -30000);
    assert_eq!(session.lines(), ["move g2g4"]);
    assert!(session.machine.mode.search().is_none());
    assert_eq!(session.send("usermove d8h4").lines(), ["0-1 {Black mates}"]);
}

#[test]
fn the_depth_limit_applies_to_pondering() {
    let mut session = Session::new();
    session
        .send("hard;sd 6;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 10);
    assert_eq!(
        session.request().limits,
        Limits {
            depth: Some(6),
            line_rate: LineRate::for_pondering(Duration::ZERO),
            ..Limits::default()
        }
    );
}

#[test]
fn withheld_lines_beyond_the_depth_limit_are_not_shown_after_a_hit() {
    for (orders, shown) in [("", 1), ("sd 5;", 1), ("sd 4;", 0)] {
        let mut session = pondering();
        session.send("nopost").info("b8c6");
        session.send(&format!("{orders}usermove g1f3")).lines();
        let lines = session.send("post").lines();
        assert_eq!(lines.len(), shown, "{orders}");
        assert!(lines.iter().all(|line| line.starts_with("5 21 ")));
    }
}

#[test]
fn post_while_pondering_shows_the_ponder_move_first() {
    let mut session = Session::new();
    session
        .send("hard;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 0);
    assert_eq!(session.lines(), ["move e7e5"]);
    assert_eq!(session.send("post").lines(), ["Hint: g1f3"]);
    assert_eq!(session.send("post").lines(), [""; 0]);
    assert_eq!(session.send("nopost;easy;post").lines(), [""; 0]);
}
