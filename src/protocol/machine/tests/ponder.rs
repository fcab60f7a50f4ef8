//! Thinking on the opponent's time.

use super::*;

/// Pondering after 1.e4 e5, expecting 2.Nf3.
fn pondering() -> Session {
    let mut session = Session::new();
    session
        .send("hard;post;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 10);
    assert_eq!(session.hears(), ["move e7e5", "Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"
    );
    session
}

#[test]
fn a_hit_goes_on_with_limits_from_the_arrival_of_the_move() {
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
    assert_eq!(session.best("b8c6").hears(), ["move b8c6", "pong 1"]);
}

#[test]
fn a_miss_starts_afresh_from_the_real_position() {
    let mut session = pondering();
    let id = session.running_id();
    let late = session.best_event("b8c6", None, 0);
    session.send("usermove d2d4");
    assert_ne!(session.running_id(), id);
    assert_eq!(
        session.searched(),
        "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b"
    );
    assert_eq!(session.event(late).hears(), [""; 0]);
    assert_eq!(session.best("e5d4").hears(), ["move e5d4"]);
}

#[test]
fn talk_does_not_end_it() {
    let mut session = pondering();
    let id = session.running_id();
    let talk =
        "time 5000;otim 5000;nopost;post;hint;name X;draw;rating 1 2;computer;?;.;exit;ping 12";
    // One for `post`, one for `hint`.
    assert_eq!(
        session.send(talk).hears(),
        ["Hint: g1f3", "Hint: g1f3", "pong 12"]
    );
    assert_eq!(session.running_id(), id);
}

#[test]
fn moves_are_judged_by_the_real_position() {
    let mut session = pondering();
    let id = session.running_id();
    for text in ["b8c6", "f3e5", "g8f6"] {
        assert_eq!(
            session.send(&format!("usermove {text}")).hears(),
            [format!("Illegal move: {text}")]
        );
    }
    assert_eq!(session.running_id(), id);
}

#[test]
fn these_end_it_first() {
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
fn thinking_lines_come_while_pondering() {
    assert!(pondering().info("b8c6").hears()[0].starts_with("5 21 "));
}

#[test]
fn easy_and_hard_stop_and_start() {
    let mut session = pondering();
    session.send("easy");
    assert_eq!(session.purpose(), None);
    assert_eq!(session.send("hard").hears(), ["Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    session.send("pause;easy;resume");
    assert_eq!(session.purpose(), None);
}

#[test]
fn not_before_whites_first_move() {
    let mut session = Session::new();
    session.send("hard;new;easy;hard");
    assert_eq!(session.purpose(), None);
}

#[test]
fn without_a_guess_the_present_position_is_pondered() {
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
fn remove_ponders_on_the_older_position_with_its_own_guess() {
    let mut session = pondering();
    session
        .send("usermove g1f3")
        .best_with("b8c6", Some("f1b5"), 10);
    session.hears();
    session.send("remove");
    assert_eq!(session.board(), AFTER_E4_E5);
    assert_eq!(session.hears(), ["Hint: g1f3"]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
}

#[test]
fn a_guess_that_ends_the_game_is_not_pondered_and_gives_a_result() {
    let mut session = Session::new();
    session
        .send("hard;post;force;f2f3;e7e5;go")
        .best_with("g2g4", Some("d8h4"), -30000);
    assert_eq!(session.hears(), ["move g2g4"]);
    assert!(session.machine.mode.search().is_none());
    assert_eq!(session.send("usermove d8h4").hears(), ["0-1 {Black mates}"]);
}

#[test]
fn the_depth_limit_holds_while_pondering() {
    let mut session = Session::new();
    session
        .send("hard;sd 6;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 10);
    assert_eq!(
        session.request().limits,
        Limits {
            depth: Some(6),
            nodes: None,
            budget: None
        }
    );
}

#[test]
fn lines_of_pondering_are_shown_after_the_hit_but_none_too_deep() {
    for (orders, shown) in [("", 1), ("sd 5;", 1), ("sd 4;", 0)] {
        let mut session = pondering();
        session.send("nopost").info("b8c6");
        session.send(&format!("{orders}usermove g1f3")).hears();
        let lines = session.send("post").hears();
        assert_eq!(lines.len(), shown, "{orders}");
        assert!(lines.iter().all(|line| line.starts_with("5 21 ")));
    }
}

#[test]
fn lines_switched_on_while_pondering_come_after_the_guess() {
    let mut session = Session::new();
    session
        .send("hard;usermove e2e4")
        .best_with("e7e5", Some("g1f3"), 0);
    assert_eq!(session.hears(), ["move e7e5"]);
    assert_eq!(session.send("post").hears(), ["Hint: g1f3"]);
    assert_eq!(session.send("post").hears(), [""; 0]);
    assert_eq!(session.send("nopost;easy;post").hears(), [""; 0]);
}
