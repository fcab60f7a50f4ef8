//! Tests of the contempt of searches.

use super::*;
use crate::messages::Contempt;
use crate::types::Color;

const KNIGHT_ODDS_BY_WHITE: &str =
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";

#[test]
fn ratings_and_the_option_decide_about_the_contempt() {
    let mut session = Session::new();
    session.send("usermove e2e4");
    assert_eq!(session.request().contempt, Contempt::NONE);
    session.send("force;new;rating 2000 1800;usermove e2e4");
    let contempt = Contempt::new(Color::Black, 25);
    assert_eq!(session.request().contempt, contempt);
    session.send("force;new;option Contempt=-10;usermove e2e4");
    let contempt = Contempt::new(Color::Black, -10);
    assert_eq!(session.request().contempt, contempt);
}

#[test]
fn the_contempt_is_that_of_the_side_of_the_engine() {
    let mut session = Session::new();
    session.send("option Contempt=20;go");
    assert_eq!(session.request().contempt, Contempt::new(Color::White, 20));
    session.best("e2e4");
    session.send("force;usermove e7e5;usermove g1f3;go");
    assert_eq!(session.request().contempt, Contempt::new(Color::Black, 20));
}

#[test]
fn a_ponder_search_has_the_contempt_of_the_game() {
    for ponder_move in [Some("g1f3"), None] {
        let mut session = Session::new();
        session.send("hard;option Contempt=20;usermove e2e4");
        let event = session.best_event("e7e5", ponder_move, 0);
        session.event(event);
        assert_eq!(session.purpose(), Some(Purpose::Ponder));
        let contempt = Contempt::new(Color::Black, 20);
        assert_eq!(session.request().contempt, contempt, "{ponder_move:?}");
    }
}

#[test]
fn an_analysis_has_no_contempt() {
    let mut session = Session::new();
    session.send("option Contempt=20;rating 2000 1000;analyze");
    assert_eq!(session.purpose(), Some(Purpose::Analyse));
    assert_eq!(session.request().contempt, Contempt::NONE);
}

#[test]
fn only_odds_that_the_engine_gives_add_contempt() {
    let mut session = Session::new();
    session.send(&format!("force;{KNIGHT_ODDS_BY_WHITE};go"));
    assert_eq!(session.request().contempt, Contempt::new(Color::White, 30));
    session.best("e2e4");
    session.send("usermove e7e5");
    assert_eq!(
        session.request().contempt,
        Contempt::new(Color::White, 30),
        "also after moves"
    );
    session.send(&format!("force;{KNIGHT_ODDS_BY_WHITE};usermove e2e4;go"));
    assert_eq!(session.request().contempt, Contempt::NONE);
    session.send("force;new;usermove e2e4");
    assert_eq!(session.request().contempt, Contempt::NONE, "a new game");
}
