//! Commands of a person.

use super::{LETTERS, Terminal, assert_parts};
use crate::rules::Variant;

#[test]
fn a_game_of_fischer_random_begins_at_a_random_position() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.take_text();
    assert_parts(
        &terminal.send("new 960"),
        &[
            "New game of Fischer Random chess. You play White.",
            " 1  B  B  Q  N  N  R  K  R ",
        ],
    );
    terminal.send("e4");
    terminal.answer("e5");
    assert_parts(&terminal.send("new 960 black"), &["You play Black."]);
    assert_parts(&terminal.answer("e4"), &["Gaur plays 1. e4."]);
    assert_eq!(terminal.machine.game().variant(), Variant::Fischerandom);
    assert_parts(
        &terminal.send("new"),
        &["New game. You play White.", " 1  R  N  B  Q  K "],
    );
    assert_eq!(terminal.machine.game().variant(), Variant::Standard);
}
