//! Knights, driven by keyboard and mouse: the user chooses the program in the dialog for a new game, and a difficulty.
//! It speaks version 1 of the protocol: no features, no pings.

use std::time::Duration;

use libtest_mimic::Trial;

use crate::board::{Board, Colour};
use crate::conversation::{self, Line, Sender};
use crate::desktop::Desktop;
use crate::display::Running;
use crate::folder;
use crate::needs::{Need, path_with_gaur, program, trial};
use crate::player;
use crate::traffic::Traffic;
use crate::wait::{repeat_until, wait_until};

const NEEDS: &[Need] = &[
    Need::Program("knights", "knights"),
    Need::Program("dbus-run-session", "dbus-daemon"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
    Need::Program("xdotool", "xdotool"),
    Need::Program("import", "imagemagick"),
];

/// Settings of Knights, as it writes them after the dialogs: the program is the only engine and plays Black.
const SETTINGS: &str = "[Protocols]\n\
    color=White\n\
    engineConfigurations=Gaur:gaur:xboard\n\
    player2Program=Gaur\n\
    player2Protocol=XBoard\n";

/// Colour of the dark squares.
const DARK: Colour = [0xbb, 0xbb, 0xbb];

/// Colour of the light squares.
const LIGHT: Colour = [0xee, 0xee, 0xee];

/// Title of the main window during a game.
const GAME_WINDOW: &str = " vs\\. gaur$";

/// Distances of the box with the difficulty from the right and the lower side of the window, in pixels.
const DIFFICULTY: (u32, u32) = (72, 14);

/// Moves on each side.
const MOVES: usize = 10;

/// Returns all trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![trial("knights::game", NEEDS, play)]
}

/// Plays a game, and takes back the last pair of moves.
fn play() -> Result<(), String> {
    let folder = folder::fresh("knights")?;
    folder::write_setting(&folder, "knightsrc", SETTINGS)?;
    let desktop = Desktop::start(folder)?;
    let mut command = desktop.host("dbus-run-session")?;
    let traffic = Traffic::record(&mut command, desktop.folder());
    command
        .args(["--".as_ref(), program("knights")?.as_os_str()])
        .env("PATH", path_with_gaur()?)
        // Otherwise it would find the sockets of the desktop session that runs the test.
        .env("XDG_RUNTIME_DIR", desktop.folder().join("home"));
    let mut host = Running::start(&mut command)?;
    let played = begin(&desktop)
        .and_then(|()| choose_difficulty(&desktop, &traffic))
        .and_then(|()| game(&desktop, &traffic))
        .and_then(|()| leave(&desktop, &mut host));
    if played.is_err() {
        desktop.take_failure_picture();
    }
    played?;
    traffic.wait_for_end()?;
    let summary = conversation::check(&traffic.newest(), &[])?;
    // One move was taken back.
    if summary.moves != MOVES + 1 {
        return Err(format!("{} moves instead of {}", summary.moves, MOVES + 1));
    }
    Ok(())
}

/// Begins a game in the dialog of Ctrl+N.
fn begin(desktop: &Desktop) -> Result<(), String> {
    const DIALOG: &str = "^New Game$";
    let is_shown = |title| Ok(desktop.find_window(title)?.is_some());
    // xdotool finds the main window only when a game begins: before, its title is not in WM_NAME.
    Board::find(desktop, DARK)?;
    repeat_until(
        "dialog for a new game",
        || desktop.press(&["ctrl+n"]),
        || is_shown(DIALOG),
    )?;
    desktop.activate(&desktop.wait_for_window(DIALOG, true)?)?;
    repeat_until(
        "new game",
        || desktop.press(&["Return"]),
        || is_shown(GAME_WINDOW),
    )
}

/// Chooses a lower difficulty in the box at the lower right, which Knights passes on as a search depth.
fn choose_difficulty(desktop: &Desktop, traffic: &Traffic) -> Result<(), String> {
    let window = desktop.wait_for_window(GAME_WINDOW, true)?;
    let is_depth = |line: &Line| line.sender == Sender::Host && line.text.starts_with("sd ");
    repeat_until(
        "search depth",
        || {
            let (width, height) = desktop.size_of(&window)?;
            let place = (width - DIFFICULTY.0, height - DIFFICULTY.1);
            desktop.scroll_up(&window, place)
        },
        || Ok(traffic.newest().iter().any(is_depth)),
    )
}

/// Plays the moves, and takes back the last one and its answer.
fn game(desktop: &Desktop, traffic: &Traffic) -> Result<(), String> {
    // A list of the moves appears beside the board when a game begins, and moves the board.
    let click = |chosen: &str| Board::find(desktop, DARK)?.click_move(desktop, chosen);
    player::play(traffic, MOVES, click)?;
    wait_for_answer_on_board(desktop, traffic)?;
    let is_takeback = |line: &Line| line.sender == Sender::Host && line.text == "remove";
    repeat_until(
        "takeback",
        || desktop.press(&["alt+m", "u"]),
        || Ok(traffic.newest().iter().any(is_takeback)),
    )?;
    player::play(traffic, 1, click)
}

/// Waits until the board shows the last move of the program: Knights has read it, and its piece has left its square.
fn wait_for_answer_on_board(desktop: &Desktop, traffic: &Traffic) -> Result<(), String> {
    let lines = traffic.newest();
    let is_move = |line: &Line| line.sender == Sender::Engine && line.text.starts_with("move ");
    let answer = lines.iter().rfind(|line| is_move(line));
    let square = answer
        .and_then(|line| line.text.as_bytes().get(5..7)?.try_into().ok())
        .ok_or("no answer")?;
    let board = Board::find(desktop, DARK)?;
    let is_shown = wait_until(Duration::from_secs(20), || {
        let colour = board.colour_of(desktop, square)?;
        Ok(colour.is_some_and(|colour| [DARK, LIGHT].contains(&colour)))
    })?;
    if is_shown {
        Ok(())
    } else {
        Err("Knights does not show the last move".to_string())
    }
}

/// Quits by the menu key, without saving the game.
fn leave(desktop: &Desktop, host: &mut Running) -> Result<(), String> {
    const QUESTION: &str = "^Warning$";
    repeat_until(
        "question about the game",
        || desktop.press(&["ctrl+q"]),
        || Ok(desktop.find_window(QUESTION)?.is_some()),
    )?;
    desktop.activate(&desktop.wait_for_window(QUESTION, true)?)?;
    desktop.press(&["alt+d"])?;
    let status = host.wait_for_end(Duration::from_secs(20))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("Knights ended with {status}"))
    }
}
