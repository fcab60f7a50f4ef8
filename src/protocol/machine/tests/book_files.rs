//! The file of the opening book: when it is opened, and what is reported about it.

use std::sync::Arc;

use super::book::{LINES, place, report, session};
use super::*;
use crate::book::{BookFile, BookSource, Entry, FoundEntries};
use crate::protocol::machine::BookReport;

#[test]
fn commands_wait_until_a_book_is_open() {
    let mut session = session();
    session.send("option BookFile=/book.bin;ping 1;force;go");
    assert!(session.lines().is_empty());
    assert_eq!(session.file_limits, 1, "a move is due");
    session.found_book(report(&[("c2c4", 1, 12)], None));
    assert_eq!(session.lines(), ["pong 1", "move c2c4"]);
    session.send("option BookFile=;new;force;go");
    assert_eq!(session.lines(), ["move e2e4"]);
}

#[test]
fn the_same_file_is_read_again_when_it_is_named_again() {
    let mut session = session();
    for _ in 0..2 {
        session.send("option BookFile=/book.bin");
        assert_eq!(session.books.len(), 1);
        session.found_book(report(&LINES, None));
    }
    session.send("option MultiPV=2;option BookVariety=50");
    assert!(session.books.is_empty(), "another option");
}

#[test]
fn gaur_plays_on_without_a_book_that_cannot_be_used() {
    let mut session = session();
    session.send("option BookFile=/book.bin");
    session.found_book(BookReport {
        book: Err("/book.bin does not exist".to_owned()),
        learned: None,
        problem: None,
    });
    let message = "tellusererror /book.bin does not exist. Gaur plays on without a book.";
    assert_eq!(session.lines(), [message]);
    session.send("force;go");
    assert!(session.running.is_some());
}

/// A book that can be read only a few times.
#[derive(Debug)]
struct Failing;

impl BookSource for Failing {
    fn entries(&self, _: u64, _: Duration) -> Result<FoundEntries, String> {
        Err("has become shorter".to_owned())
    }

    fn is_in_memory(&self) -> bool {
        false
    }
}

#[test]
fn a_book_that_fails_during_the_game_is_reported_once() {
    let mut session = session();
    session.send("option BookFile=/book.bin");
    session.found_book(BookReport {
        book: Ok(Arc::new(Failing)),
        learned: None,
        problem: None,
    });
    session.send("force;go");
    assert!(session.running.is_some());
    let message = "tellusererror The opening book /book.bin has become shorter. \
                   Gaur plays on without a book.";
    assert_eq!(session.lines(), [message]);
    session.send("new;force;go;bk");
    assert_eq!(
        session.lines(),
        [" Gaur plays without an opening book.", ""]
    );
}

#[test]
fn illegal_moves_are_reported_once() {
    let mut session = session();
    let (key, _) = place("e2e4");
    let illegal = Entry {
        key,
        mv: 4 << 6 | 60,
        weight: 9,
        learn: 0,
    };
    let (_, mv) = place("d2d4");
    let legal = Entry { mv, ..illegal };
    let bytes = [illegal.to_bytes(), legal.to_bytes()].concat();
    session.send("option BookFile=/book.bin");
    session.found_book(BookReport {
        book: Ok(Arc::new(BookFile::from_bytes(bytes).expect("a book"))),
        learned: None,
        problem: None,
    });
    session.send("force;go");
    let message = "tellusererror The opening book /book.bin contains illegal moves, \
                   which Gaur leaves out.";
    assert_eq!(session.lines(), ["move d2d4", message]);
    session.send("new;force;go");
    assert_eq!(session.lines(), ["move d2d4"]);
}

#[test]
fn a_book_of_the_start_settings_is_used() {
    let mut session = Session::with(MachineSettings {
        start: crate::protocol::machine::StartSettings {
            options: vec![crate::protocol::machine::StartSetting {
                description: "--set BookFile=/book.bin".to_owned(),
                text: "BookFile=/book.bin".to_owned(),
            }],
            ..Default::default()
        },
        ..MachineSettings::default()
    });
    let actions = session.machine.start();
    session.carry_out(actions);
    session.found_book(report(&[("c2c4", 1, 12)], None));
    session.send("xboard;force;go");
    assert_eq!(session.lines(), ["move c2c4"]);
}
