//! GNOME Chess, driven by the mouse, with the section of `engines.conf` that the packages ship. It speaks version 1 of
//! the protocol: no features, no pings, no clock.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::conversation::{self, Sender};
use crate::desktop::Desktop;
use crate::display::Running;
use crate::folder;
use crate::needs::{Need, path_with_gaur, program, trial};
use crate::player;
use crate::traffic::Traffic;
use crate::wait::POLL_INTERVAL;

const NEEDS: &[Need] = &[
    Need::Program("gnome-chess", "gnome-chess"),
    Need::Program("dbus-run-session", "dbus-daemon"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
    Need::Program("xdotool", "xdotool"),
    Need::Program("import", "imagemagick"),
];

/// Section of `engines.conf` with the three difficulties.
const ENGINES: &str = include_str!("../../tools/package/gnome-chess-engines.conf");

/// Colours of the squares (red, green, blue).
const SQUARE_COLOURS: [[u8; 3]; 2] = [[0xba, 0xbd, 0xb6], [0xee, 0xee, 0xec]];

/// Time for the window to appear and for the game to begin.
const START_TIMEOUT: Duration = Duration::from_secs(40);

/// Returns all trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("gnome-chess::easy", NEEDS, || play("easy", 0, 10)),
        trial("gnome-chess::normal", NEEDS, || play("normal", 0, 10)),
        // With only the time that the protocol assumes, Gaur would lose on time at its tenth move.
        trial("gnome-chess::hard_in_a_minute", NEEDS, || {
            play("hard", 60, 12)
        }),
    ]
}

/// Plays this many moves on each side and takes the last pair back. `seconds` is the time of each side, 0 for no clock.
fn play(difficulty: &str, seconds: u32, moves: usize) -> Result<(), String> {
    let folder = folder::fresh(&format!("gnome-chess-{difficulty}"))?;
    configure(&folder, difficulty, seconds)?;
    let desktop = Desktop::start(folder)?;
    let mut command = desktop.host("dbus-run-session")?;
    let traffic = Traffic::record(&mut command, desktop.folder());
    command
        .args(["--".as_ref(), program("gnome-chess")?.as_os_str()])
        .env("PATH", path_with_gaur()?)
        .env("GSETTINGS_BACKEND", "keyfile")
        // Draws without a graphics card.
        .env("GSK_RENDERER", "cairo");
    let mut host = Running::start(&mut command)?;
    let played = game(&desktop, &traffic, moves).and_then(|()| leave(&desktop, &mut host));
    if played.is_err() {
        desktop.take_failure_picture();
    }
    played?;
    traffic.wait_for_end()?;
    let lines = traffic.newest();
    let options = option_lines(difficulty);
    if let Some(option) = options
        .iter()
        .find(|option| !lines.iter().any(|line| line.text == **option))
    {
        return Err(format!("GNOME Chess did not send `{option}`"));
    }
    let summary = conversation::check(&lines, &[])?;
    if summary.moves < moves {
        return Err(format!("{} moves instead of {moves}", summary.moves));
    }
    Ok(())
}

/// Plays the moves, and takes back the last one and its answer.
fn game(desktop: &Desktop, traffic: &Traffic, moves: usize) -> Result<(), String> {
    let board = Board::find(desktop)?;
    player::play(traffic, moves, |chosen| board.click_move(desktop, chosen))?;
    let from = traffic.newest().len();
    // The answer is in the log before GNOME Chess has read it.
    thread::sleep(Duration::from_secs(1));
    desktop.press(&["ctrl+z"])?;
    traffic.wait_for("takeback", Duration::from_secs(20), |lines| {
        let is_undo =
            |line: &&conversation::Line| line.sender == Sender::Host && line.text == "undo";
        lines.iter().skip(from).filter(is_undo).count() == 2
    })?;
    player::play(traffic, 1, |chosen| board.click_move(desktop, chosen))
}

/// Quits by the menu key.
fn leave(desktop: &Desktop, host: &mut Running) -> Result<(), String> {
    desktop.press(&["ctrl+q"])?;
    let status = host.wait_for_end(Duration::from_secs(20))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("GNOME Chess ended with {status}"))
    }
}

/// Writes the engine list and the preferences.
fn configure(folder: &Path, difficulty: &str, seconds: u32) -> Result<(), String> {
    let preferences = format!(
        "[org/gnome/Chess]\nopponent='Gaur'\ndifficulty='{difficulty}'\nduration={seconds}\nplay-as='white'\n"
    );
    let files = [
        ("gnome-chess/engines.conf", ENGINES),
        ("glib-2.0/settings/keyfile", preferences.as_str()),
    ];
    for (name, text) in files {
        folder::write_setting(folder, name, text)?;
    }
    Ok(())
}

/// Returns the lines that a difficulty sends to the engine.
fn option_lines(difficulty: &str) -> Vec<&'static str> {
    let start = format!("option-{difficulty}-");
    ENGINES
        .lines()
        .filter_map(|line| line.strip_prefix(&start)?.split_once('='))
        .map(|(_number, option)| option)
        .collect()
}

/// Place of the board on the display, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Board {
    left: u32,
    top: u32,
    /// Side of a square.
    square: u32,
}

impl Board {
    /// Waits until the board is shown, twice at the same place.
    fn find(desktop: &Desktop) -> Result<Board, String> {
        let deadline = Instant::now() + START_TIMEOUT;
        let mut earlier = None;
        while Instant::now() < deadline {
            let found = Board::in_picture(&desktop.pixels()?);
            if found.is_some() && found == earlier {
                return found.ok_or_else(String::new);
            }
            earlier = found;
            thread::sleep(POLL_INTERVAL * 4);
        }
        Err("GNOME Chess shows no board".to_string())
    }

    /// Returns the place of the board in a portable pixmap (P6).
    fn in_picture(picture: &[u8]) -> Option<Board> {
        let (width, pixels) = pixels(picture)?;
        let is_square = |pixel: &[u8]| SQUARE_COLOURS.iter().any(|colour| pixel == colour);
        let squares = pixels
            .chunks_exact(3)
            .enumerate()
            .filter(|(_, pixel)| is_square(pixel))
            .map(|(number, _)| (number % width, number / width));
        let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
        for (x, y) in squares {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
        let (across, down) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
        // Half a pixel on each side is mixed with the border if the board is not aligned with the pixels.
        let is_board = across >= 8 * 20 && across.abs_diff(down) <= 2;
        is_board.then_some(Board {
            left: u32::try_from(left).ok()?,
            top: u32::try_from(top).ok()?,
            square: u32::try_from((across + 4) / 8).ok()?,
        })
    }

    /// Clicks on both squares of a move such as `g1f3`.
    fn click_move(self, desktop: &Desktop, chosen: &str) -> Result<(), String> {
        let bytes = chosen.as_bytes();
        for square in [[bytes[0], bytes[1]], [bytes[2], bytes[3]]] {
            let point = self.centre(square);
            desktop.drag(None, point, point)?;
        }
        Ok(())
    }

    /// Returns the centre of a square such as `e4`, White at the bottom.
    fn centre(self, [file, rank]: [u8; 2]) -> (u32, u32) {
        let (column, row) = (u32::from(file - b'a'), u32::from(b'8' - rank));
        let half = self.square / 2;
        (
            self.left + column * self.square + half,
            self.top + row * self.square + half,
        )
    }
}

/// Returns the width and the pixels (three bytes each) of a portable pixmap (P6).
fn pixels(picture: &[u8]) -> Option<(usize, &[u8])> {
    // `P6 WIDTH HEIGHT MAXIMUM `, each with one white space behind it.
    let mut rest = picture;
    let mut words = Vec::new();
    while words.len() < 4 {
        let end = rest.iter().position(u8::is_ascii_whitespace)?;
        words.push(std::str::from_utf8(&rest[..end]).ok()?);
        rest = &rest[end + 1..];
    }
    (words[0] == "P6" && words[3] == "255").then_some((words[1].parse().ok()?, rest))
}
