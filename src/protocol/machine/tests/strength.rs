//! Tests of the playing strength of searches.

use super::*;
use crate::messages::Strength;

fn elo(session: &Session) -> Option<u32> {
    session.request().strength.map(|strength| strength.elo)
}

#[test]
fn the_option_decides_about_the_strength() {
    let mut session = Session::new();
    session.send("usermove e2e4");
    assert_eq!(session.request().strength, None);
    session.send("force;new;option Elo=900;usermove e2e4");
    assert_eq!(elo(&session), None, "LimitStrength is off");
    session.send("force;new;option LimitStrength=1;usermove e2e4");
    assert_eq!(elo(&session), Some(900));
    session.send("force;setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;go");
    assert_eq!(
        session.request().strength,
        Some(Strength::new(900, None)),
        "a position that was set up"
    );
}

#[test]
fn the_target_of_the_last_move_is_passed_on() {
    let mut session = Session::new();
    session.send("option LimitStrength=1;usermove e2e4");
    let target = session
        .request()
        .strength
        .and_then(|strength| strength.last_target);
    assert_eq!(target, crate::types::Square::from_name("e4"));
}

#[test]
fn analysis_and_pondering_have_full_strength() {
    let mut session = Session::new();
    session.send("option LimitStrength=1;hard;usermove e2e4");
    let event = session.best_event("e7e5", Some("g1f3"), 0);
    session.event(event);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    assert_eq!(elo(&session), None);
    session.send("usermove g1f3");
    assert_eq!(session.purpose(), Some(Purpose::Play));
    assert_eq!(elo(&session), Some(1500), "a search of its own");
    session.send("analyze");
    assert_eq!(session.purpose(), Some(Purpose::Analyse));
    assert_eq!(elo(&session), None);
}

#[test]
fn random_and_a_depth_select_a_level() {
    for (lines, level) in [
        ("sd 3", None),
        ("random", None),
        ("random;sd 1", Some(800)),
        ("sd 2;random", Some(1000)),
        ("sd 2;random;random", None),
        ("random;sd 40", None),
        ("random;sd 2;new", None),
        (
            "random;sd 2;option LimitStrength=1;option Elo=2000",
            Some(2000),
        ),
    ] {
        let mut session = Session::new();
        session.send(lines).send("usermove e2e4");
        assert_eq!(elo(&session), level, "{lines}");
    }
}

#[test]
fn adapt_follows_a_rated_opponent_on_a_server() {
    for (lines, level) in [
        ("ics freechess.org;rating 2500 1234", Some(1234)),
        ("ics freechess.org;rating 2500 100", Some(600)),
        ("ics freechess.org;rating 2500 2900", None),
        ("ics freechess.org;rating 2500 0", None),
        ("rating 2500 1234", None),
        (
            "ics freechess.org;rating 2500 0;option LimitStrength=1;option Elo=700",
            Some(700),
        ),
    ] {
        let mut session = Session::new();
        session
            .send("option Adapt=1")
            .send(lines)
            .send("usermove e2e4");
        assert_eq!(elo(&session), level, "{lines}");
    }
}
