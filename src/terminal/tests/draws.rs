//! Draw offers of the person and of Gaur.

use super::{LETTERS, Terminal, assert_parts};

#[test]
fn draw_offers_are_answered() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(
        &terminal.send("draw"),
        &["Gaur answers the offer after your move."],
    );
    terminal.send("e4");
    assert_parts(
        &terminal.send("draw"),
        &["Gaur answers the offer with its move."],
    );
    assert_parts(
        &terminal.answer("e5"),
        &["Gaur plays 1... e5.", "Gaur declines the draw."],
    );
}

#[test]
fn an_accepted_draw_ends_the_game() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("option DrawScore=1000");
    terminal.send("e4");
    terminal.answer("e5");
    let mut text = terminal.send("draw");
    if terminal.machine.game().outcome().is_none() && !text.contains("Gaur accepts") {
        terminal.send("d4");
        text = terminal.answer("exd4");
    }
    assert_parts(&text, &["Gaur accepts: the game is drawn."]);
    assert_parts(&terminal.send("Qxd4"), &["The game is over."]);
    terminal.send("save x.pgn");
    assert!(terminal.saved[0].1.contains("[Result \"1/2-1/2\"]"));
}

#[test]
fn gaur_offers_a_draw_in_an_even_endgame() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("option OfferDraws=1");
    terminal.send("setboard 4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
    terminal.send("Rxe7+");
    let text = terminal.answer("Kxe7");
    assert!(
        !text.contains("Gaur offers a draw"),
        "the game is over: {text}"
    );
    terminal.send("setboard 4k3/p3r3/8/8/8/8/P3R3/4K3 w - - 0 1");
    terminal.send("a3");
    assert_parts(
        &terminal.answer("a6"),
        &[
            "Gaur plays 1... a6.",
            "Gaur offers a draw. Type draw to accept it, or play on.",
            "Your move: ",
        ],
    );
    assert_parts(
        &terminal.send("draw"),
        &["Gaur accepts: the game is drawn."],
    );
}
