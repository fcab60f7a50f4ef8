//! GNOME Chess, driven by the mouse, with the section of `engines.conf` that the packages ship. It speaks version 1 of
//! the protocol: no features, no pings, no clock.

use std::path::Path;
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;

use crate::board::{Board, Colour};
use crate::conversation::{self, Sender};
use crate::desktop::Desktop;
use crate::display::Running;
use crate::folder;
use crate::needs::{Need, path_with_gaur, program, trial};
use crate::player;
use crate::traffic::Traffic;

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

/// Colour of the dark squares.
const DARK: Colour = [0xba, 0xbd, 0xb6];

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
    let board = Board::find(desktop, DARK)?;
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
