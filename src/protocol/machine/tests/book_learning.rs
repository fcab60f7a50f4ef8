//! Learning of the opening book from the results of games.

use super::book::{LINES, place, report, session};
use super::*;
use crate::book::{Learned, LearnedResult};
use crate::protocol::machine::BookReport;

impl Session {
    /// Takes the request to learn.
    fn learn_request(&mut self) -> (String, Vec<(u64, u16)>, LearnedResult) {
        match self.books.remove(0) {
            Action::LearnBook {
                file,
                moves,
                result,
            } => (file, moves, result),
            other => panic!("{other:?}"),
        }
    }
}

/// A session that learns for the built-in book.
fn learning() -> Session {
    let mut session = session();
    session.send("option BookLearning=1");
    let request = format!("{:?}", session.books[0]);
    assert!(request.contains("learns: true"), "{request}");
    session.found_book(report(&LINES, Some(Learned::default())));
    session
}

#[test]
fn the_result_of_a_game_is_learned_for_gaurs_book_moves() {
    let mut session = learning();
    session.send("usermove e2e4;usermove g1f3;usermove d2d4;result 1-0 {White mates}");
    let (file, moves, result) = session.learn_request();
    assert_eq!((file.as_str(), result), ("", LearnedResult::Loss));
    assert_eq!(moves, [place("e2e4 e7e5"), place("e2e4 e7e5 g1f3 b8c6")]);
    // A second line about the same game adds nothing.
    let actions = session.machine.on_learned(Ok(Learned::default()));
    session.carry_out(actions);
    session.send("result 1-0 {White mates}");
    assert!(session.books.is_empty());
    session.send("new;usermove e2e4;usermove g1f3;usermove d2d4;result 1/2-1/2 {Draw}");
    assert_eq!(session.learn_request().2, LearnedResult::Draw);
}

#[test]
fn nothing_is_learned_without_a_result_or_a_book_move() {
    let mut session = learning();
    for game in [
        "usermove e2e4;result * {Adjourned}",
        "usermove a2a3;result 0-1 {White resigns}",
        "force;usermove e2e4;result 1-0 {White mates}",
        "option BookLearning=0;usermove e2e4;result 0-1 {White resigns}",
    ] {
        session.send(&format!("new;{game}"));
        assert!(session.books.is_empty(), "{game}");
    }
}

#[test]
fn learned_results_change_the_choice() {
    let mut session = learning();
    let mut learned = Learned::default();
    for _ in 0..20 {
        learned.add(&[place("e2e4")], LearnedResult::Loss);
        learned.add(&[place("d2d4")], LearnedResult::Win);
    }
    session.send("usermove e2e4;result 1-0 {White mates}");
    session.learn_request();
    let actions = session.machine.on_learned(Ok(learned));
    session.carry_out(actions);
    session.send("new;force;go");
    assert!(session.lines().contains(&"move d2d4".to_owned()));
}

#[test]
fn a_problem_of_the_learned_results_leaves_the_book() {
    let mut session = session();
    session.send("option BookLearning=1");
    session.found_book(BookReport {
        problem: Some("/x is damaged. Gaur learns nothing.".to_owned()),
        ..report(&LINES, None)
    });
    assert_eq!(
        session.lines(),
        ["tellusererror /x is damaged. Gaur learns nothing."]
    );
    session.send("usermove e2e4;result 1-0 {White mates}");
    assert_eq!(session.lines(), ["move e7e5"]);
    assert!(session.books.is_empty());
}

#[test]
fn a_result_that_cannot_be_written_is_reported() {
    let mut session = learning();
    session.send("usermove e2e4;result 1-0 {White mates};ping 1");
    session.lines();
    session.learn_request();
    let problem = Err("/x may not be written; the result was not learned".to_owned());
    let actions = session.machine.on_learned(problem);
    session.carry_out(actions);
    let message = "tellusererror /x may not be written; the result was not learned";
    assert_eq!(session.lines(), [message, "pong 1"]);
}

#[test]
fn a_game_of_another_variant_is_not_learned() {
    let mut session = learning();
    let name = "fischerandom";
    session.send(&format!(
        "variant {name};force;usermove e2e4;playother;result 1-0 {{x}}"
    ));
    assert!(session.books.is_empty());
}
