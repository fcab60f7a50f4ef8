//! Learning of the opening book from the results of games.

use super::book::{LINES, place, report, session};
use super::*;
use crate::book::{Learned, LearnedMove, LearnedResult};
use crate::protocol::machine::BookReport;

impl Session {
    /// Takes the request to learn: the name of the book, and the moves with the result.
    fn learn_request(&mut self) -> (String, Vec<LearnedMove>) {
        match self.books.remove(0) {
            Action::LearnBook { file, moves } => (file, moves),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the lines of the book whose last moves are learned, and their results, after commands.
    fn learned_from(&mut self, commands: &str) -> Vec<(&'static str, LearnedResult)> {
        self.send(commands);
        if self.books.is_empty() {
            return Vec::new();
        }
        let (file, moves) = self.learn_request();
        assert_eq!(file, "");
        let actions = self.machine.on_learned(Ok(Learned::default()));
        self.carry_out(actions);
        let line = |learned: &LearnedMove| {
            let is_last =
                |&&(line, ..): &&(&str, u16, i16)| place(line) == (learned.key, learned.mv);
            LINES.iter().find(is_last).map(|&(line, ..)| line)
        };
        let lines = moves
            .iter()
            .map(|learned| (line(learned).expect("in the book"), learned.result));
        lines.collect()
    }
}

/// Returns moves with the same result.
fn moves<const N: usize>(lines: [&str; N], result: LearnedResult) -> [LearnedMove; N] {
    lines.map(|line| {
        let (key, mv) = place(line);
        LearnedMove { key, mv, result }
    })
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
    let lines = ["e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6"];
    let expected = moves(lines, LearnedResult::Loss).to_vec();
    assert_eq!(session.learn_request(), (String::new(), expected));
    let actions = session.machine.on_learned(Ok(Learned::default()));
    session.carry_out(actions);
    let game = "new;usermove e2e4;usermove g1f3;usermove d2d4;result 1/2-1/2 {Draw}";
    let expected = lines.map(|line| (line, LearnedResult::Draw));
    assert_eq!(session.learned_from(game), expected);
}

#[test]
fn hosts_send_force_before_the_result() {
    let mut session = learning();
    let game = "usermove e2e4;force;result 0-1 {White resigns}";
    let expected = [("e2e4 e7e5", LearnedResult::Win)];
    assert_eq!(session.learned_from(game), expected);
    // Gaur plays both sides.
    let game = "new;force;go;force;go;force;result 1-0 {Black resigns}";
    let expected = [
        ("e2e4", LearnedResult::Win),
        ("e2e4 e7e5", LearnedResult::Loss),
    ];
    assert_eq!(session.learned_from(game), expected);
}

#[test]
fn moves_that_gaur_has_not_played_from_the_book_teach_nothing() {
    let mut session = learning();
    let expected = [("e2e4 e7e5 g1f3", LearnedResult::Loss)];
    for game in [
        // Moves of the book that others have played.
        "force;usermove e2e4;usermove e7e5;go;result 0-1 {White resigns}",
        // The user has played Gaur's move after a takeback.
        "force;go;force;undo;usermove e2e4;usermove e7e5;go;result 0-1 {White resigns}",
    ] {
        assert_eq!(session.learned_from(&format!("new;{game}")), expected);
    }
    session.send("new;option OwnBook=0;usermove e2e4");
    session.best("e7e5");
    assert_eq!(session.learned_from("option OwnBook=1;result 1-0 {x}"), []);
    // Gaur's move is taken back, and the user plays it.
    let game = "new;usermove e2e4;force;undo;usermove e7e5;result 0-1 {White resigns}";
    assert_eq!(session.learned_from(game), []);
    // Another position, in which no move has been played.
    let game = "new;usermove e2e4;setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;result 0-1 {x}";
    assert_eq!(session.learned_from(game), []);
}

#[test]
fn another_book_learns_nothing_from_moves_of_the_book_before() {
    let mut session = learning();
    session.send("usermove e2e4;option BookFile=/book.bin");
    session.found_book(report(&LINES, Some(Learned::default())));
    session.send("result 0-1 {White resigns}");
    assert!(session.books.is_empty());
}

#[test]
fn a_result_is_learned_once() {
    let mut session = learning();
    let expected = [("e2e4 e7e5", LearnedResult::Loss)];
    assert_eq!(
        session.learned_from("usermove e2e4;result 1-0 {x}"),
        expected
    );
    for again in [
        "result 1-0 {x}",
        "undo;result 1-0 {x}",
        "force;go;result 0-1 {x}",
    ] {
        assert_eq!(session.learned_from(again), [], "{again}");
    }
    // A second game of the same length that begins without `new`.
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let game = format!("force;setboard {position};go;result 1-0 {{x}}");
    assert_eq!(session.learned_from(&game), expected);
    // An unfinished game may continue.
    let game = "new;usermove e2e4;result * {Adjourned};result 1-0 {x}";
    assert_eq!(session.learned_from(game), expected);
}

#[test]
fn limited_strength_teaches_nothing() {
    let mut session = learning();
    session.send("option LimitStrength=1;option Elo=600;usermove e2e4");
    session.best("e7e5");
    // Also if the strength is full at the end of the game.
    session.send("option LimitStrength=0;usermove g1f3;force;result 1-0 {x}");
    assert!(session.books.is_empty());
    let game = "new;usermove e2e4;force;result 1-0 {x}";
    assert_eq!(
        session.learned_from(game),
        [("e2e4 e7e5", LearnedResult::Loss)]
    );
}

#[test]
fn an_analysis_teaches_nothing() {
    let mut session = learning();
    assert_eq!(
        session.learned_from("usermove e2e4;analyze;result 1-0 {x}"),
        []
    );
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
        learned.add(&moves(["e2e4"], LearnedResult::Loss));
        learned.add(&moves(["d2d4"], LearnedResult::Win));
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
    let message = "tellusererror /x may not be written; the result was not learned. Gaur learns nothing until \
                   BookFile names another book or BookLearning is switched off and on.";
    assert_eq!(session.lines(), [message, "pong 1"]);
    // The same error after each game would be of no use.
    assert_eq!(session.learned_from("new;usermove e2e4;result 1-0 {x}"), []);
    session.send("option BookLearning=0;option BookLearning=1");
    session.found_book(report(&LINES, Some(Learned::default())));
    let learned = session.learned_from("new;usermove e2e4;result 1-0 {x}");
    assert_eq!(learned, [("e2e4 e7e5", LearnedResult::Loss)]);
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
