//! Analysis under XBoard: a whole game file, moves taken back and played again, an edited position.

use std::time::Duration;

use crate::conversation::{Line, Sender, thinking};
use crate::game::Game;
use crate::xboard::debug_file::Engine;
use crate::xboard::session::{Session, was_sent};

/// A short game with a capture in passing, a promotion with check and a castling.
const GAME: &str = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 Nf6 2. e5 d5 3. exd6 Nc6 4. dxc7 Nd4 5. cxd8=Q+ Kxd8 6. Nf3 Nxf3+ 7. Qxf3 e5 8. Bc4 e4 9. Qxf6+ gxf6
10. O-O Bd6 11. Re1 Bxh2+ 12. Kxh2 f5 *
"#;

/// Lets XBoard step through a game file while the program analyses every position.
pub fn file() -> Result<(), String> {
    let arguments = ["-mode", "analyzeFile", "-lgf", "game.pgn", "-td", "1"];
    let mut session = Session::start("analyze-file", &arguments, &[("game.pgn", GAME)])?;
    // XBoard leaves analysis by itself after the last move.
    session.wait_for("end of the file", Duration::from_secs(90), |lines| {
        was_sent(lines, Sender::Host, "exit")
    })?;
    session.leave()?;
    session.check(Engine::First, &[])?;
    // The first move is on the board before the analysis begins.
    let positions = analysed(&session.lines())?;
    if positions == 24 {
        Ok(())
    } else {
        Err(format!("{positions} positions were analysed instead of 24"))
    }
}

/// Steps through a loaded game in analysis, leaves it, returns and tries a move.
pub fn steps() -> Result<(), String> {
    let arguments = ["-mode", "analysis", "-lgf", "game.pgn", "-td", "0"];
    let mut session = Session::start("analysis-steps", &arguments, &[("game.pgn", GAME)])?;
    let step = |key: &str, sent: &str| {
        let from = session.lines().len();
        session.keys(&[key])?;
        session.wait_for_sent(from, sent)?;
        thought_about(&session, from)
    };
    session.wait_for_sent(0, "analyze")?;
    thought_about(&session, 0)?;
    step("alt+Left", "undo")?;
    step("alt+Left", "undo")?;
    step("alt+Right", "usermove g1h2")?;
    let from = session.lines().len();
    session.keys(&["ctrl+e"])?;
    session.wait_for_sent(from, "exit")?;
    step("ctrl+a", "analyze")?;
    step("alt+Right", "usermove f6f5")?;
    let from = session.lines().len();
    session.type_move("b3")?;
    session.wait_for_sent(from, "usermove b2b3")?;
    thought_about(&session, from)?;
    session.leave()?;
    session.check(Engine::First, &[]).map(drop)
}

/// Edits a position with Black to move, analyses it, and lets the program play.
pub fn edited_position() -> Result<(), String> {
    const POSITION: &str = "setboard rnbqkbnr/pppppppp/8/7Q/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";
    let mut session = Session::start("edit-position", &["-tc", "5", "-mps", "40"], &[])?;
    session.wait_for_answer(0, "pong")?;
    session.keys(&["ctrl+shift+e"])?;
    session.drag(square(3, 1), square(7, 5))?;
    // A click on Black's clock makes Black the side to move.
    session.click(350, 42)?;
    let from = session.lines().len();
    session.keys(&["ctrl+a"])?;
    session.wait_for_sent(from, POSITION)?;
    session.wait_for_sent(from, "analyze")?;
    thought_about(&session, from)?;
    let from = session.lines().len();
    session.keys(&["ctrl+b"])?;
    session.wait_for_sent(from, "exit")?;
    session.wait_for_sent(from, "go")?;
    session.keys(&["ctrl+m"])?;
    session.wait_for_answer(from, "move ")?;
    session.leave()?;
    session.check(Engine::First, &[]).map(drop)
}

/// Returns the centre of a square in the board window, White at the bottom; the file counts from 0, the rank from 1.
fn square(file: u32, rank: u32) -> (u32, u32) {
    const SIZE: u32 = 50;
    const LEFT: u32 = 1;
    const TOP: u32 = 88;
    (
        LEFT + SIZE * file + SIZE / 2,
        TOP + SIZE * (8 - rank) + SIZE / 2,
    )
}

/// Waits for thinking output about the current position; `from` is a line before it was set.
fn thought_about(session: &Session, from: usize) -> Result<(), String> {
    session.wait_for(
        "thinking about this position",
        Duration::from_secs(20),
        |lines| {
            let set = lines.iter().rposition(changes_position);
            lines.len() > from && set.is_some_and(|set| last_thought_fits(lines, set))
        },
    )
}

/// Returns the number of analysed positions. The last thinking line about each must fit it.
fn analysed(lines: &[Line]) -> Result<usize, String> {
    let mut positions = 0;
    let mut analysing = false;
    let mut set = 0;
    for (number, line) in lines.iter().enumerate() {
        let leaves = line.sender == Sender::Host && line.text == "exit";
        if analysing && (changes_position(line) || leaves) {
            if !last_thought_fits(&lines[..number], set) {
                return Err(format!(
                    "no thinking about the position after `{}`",
                    lines[set].text
                ));
            }
            positions += 1;
        }
        if changes_position(line) {
            set = number;
        }
        analysing = (analysing || line.text == "analyze") && !leaves;
    }
    Ok(positions)
}

fn changes_position(line: &Line) -> bool {
    let verb = line.text.split(' ').next().unwrap_or_default();
    line.sender == Sender::Host && ["usermove", "undo", "remove", "setboard", "new"].contains(&verb)
}

/// Returns `true` if the last thinking line among these lines begins with a move that is legal in the position at their
/// end. Earlier thinking lines may have crossed with the line `set`, which changed the position.
fn last_thought_fits(lines: &[Line], set: usize) -> bool {
    let mut game = Game::new();
    for line in &lines[..=set] {
        // The check of the whole conversation reports illegal lines.
        game.record_host_line(&line.text).unwrap_or_default();
    }
    let best_move = lines[set..]
        .iter()
        .rev()
        .filter(|line| line.sender == Sender::Engine)
        .find_map(|line| thinking(&line.text));
    best_move.is_some_and(|first| game.play(first).is_ok())
}
