//! A game against the program with the menus and keys of XBoard.

use crate::xboard::debug_file::Engine;
use crate::xboard::input_devices::Menu;
use crate::xboard::session::Session;

/// Item `Hint` of the Engine menu, counted from 0.
const HINT: usize = 6;
/// Item `Book` of the Engine menu, counted from 0.
const BOOK: usize = 7;

/// Plays with pause and resume, move now, hint, book, draw offer, takeback, resignation and a new game with colours
/// changed.
pub fn plays() -> Result<(), String> {
    let mut session = Session::start("person", &["-tc", "5", "-mps", "40", "-ponder"], &[])?;
    session.wait_for_answer(0, "pong")?;
    let act = |action: &dyn Fn() -> Result<(), String>, sent: &str, answer: Option<&str>| {
        let from = session.lines().len();
        action()?;
        session.wait_for_sent(from, sent)?;
        match answer {
            Some(answer) => session.wait_for_answer(from, answer),
            None => Ok(()),
        }
    };
    act(&|| session.type_move("e4"), "usermove e2e4", None)?;
    act(&|| session.keys(&["Pause"]), "pause", None)?;
    act(&|| session.keys(&["Pause"]), "resume", None)?;
    act(&|| session.keys(&["ctrl+m"]), "?", Some("move "))?;
    act(
        &|| session.choose(Menu::Engine, HINT),
        "hint",
        Some("Hint: "),
    )?;
    session.close_note("^Information$")?;
    act(&|| session.choose(Menu::Engine, BOOK), "bk", None)?;
    session.close_note("^Information$")?;
    act(&|| session.keys(&["F6"]), "draw", None)?;
    act(&|| session.keys(&["ctrl+x"]), "remove", None)?;
    act(&|| session.type_move("d4"), "usermove d2d4", None)?;
    act(&|| session.keys(&["ctrl+m"]), "?", Some("move "))?;
    act(
        &|| session.keys(&["F9"]),
        "result 0-1 {White resigns}",
        Some("pong"),
    )?;
    act(&|| session.keys(&["ctrl+n"]), "new", Some("pong"))?;
    act(&|| session.keys(&["ctrl+w"]), "go", None)?;
    act(&|| session.keys(&["ctrl+m"]), "?", Some("move "))?;
    session.leave()?;
    let summary = session.check(Engine::First, &[])?;
    if summary.moves != 3 {
        return Err(format!("{} moves instead of 3", summary.moves));
    }
    Ok(())
}
