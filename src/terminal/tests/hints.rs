//! Hints: moves of the book, moves that Gaur expects, and those of a search.

use super::{LETTERS, Terminal, assert_parts};

#[test]
fn a_hint_is_the_best_move_of_the_book() {
    let mut terminal = Terminal::with_book(LETTERS);
    terminal.take_text();
    let text = terminal.send("hint");
    assert_parts(&text, &["Hint: 1. e4.", "Your move: "]);
    assert!(!text.contains("looks"), "{text}");
    assert!(terminal.search.is_none());
    // Gaur watches the game, and the person has other plans than the book.
    terminal.send("force");
    terminal.send("d4");
    assert_parts(&terminal.send("hint"), &["Hint: 1... "]);
    assert!(terminal.search.is_none());
}

#[test]
fn a_hint_without_a_book_move_is_searched() {
    let mut terminal = Terminal::with_book(LETTERS);
    for (line, answer) in [
        ("option OwnBook=0", "OwnBook is 0."),
        ("hint", "Gaur looks for a good move."),
    ] {
        assert_parts(&terminal.send(line), &[answer]);
    }
    assert_parts(
        &terminal.think(12, 30, "d4"),
        &["Hint: 1. d4.", "Your move: "],
    );
    terminal.send("option OwnBook=1");
    terminal.send("setboard 4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_parts(&terminal.send("white"), &["You play White."]);
    assert_parts(&terminal.send("hint"), &["Gaur looks for a good move."]);
    assert_parts(&terminal.think(12, 30, "e4"), &["Hint: 1. e4."]);
}

#[test]
fn a_hint_in_an_analysis_is_its_best_move() {
    let mut terminal = Terminal::with_book(LETTERS);
    terminal.send("analyze");
    assert_parts(&terminal.send("hint"), &["There is no hint yet."]);
    terminal.think(10, 30, "c4");
    assert_parts(&terminal.send("hint"), &["Hint: 1. c4."]);
}
