//! Scid, driven by its own scripting language: `drive.tcl` builds games from the best moves that the program shows in
//! both kinds of engine window. Scid lets xboard engines analyse only.

use std::fs;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::Trial;
use shakmaty::Chess;

use crate::conversation::{self, Line, Sender, thinking_moves};
use crate::desktop::Desktop;
use crate::display::Running;
use crate::folder;
use crate::game::Game;
use crate::needs::{Need, gaur, program, trial};
use crate::traffic::Traffic;

const NEEDS: &[Need] = &[
    Need::Program("scid", "scid"),
    Need::Program("tkscid", "scid"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
];

/// Answers to the words with which Scid tries UCI.
const TRIES_UCI: &[&str] = &["Error (Gaur speaks the xboard protocol, not UCI)"];

/// Moves of each game.
const MOVES: usize = 10;

/// Time for both games.
const TIMEOUT: Duration = Duration::from_secs(240);

/// Returns all trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![trial("scid::analysis", NEEDS, analysis)]
}

/// Plays a game in each kind of engine window and checks the conversations.
fn analysis() -> Result<(), String> {
    let folder = folder::fresh("scid")?;
    let desktop = Desktop::start(folder)?;
    let mut command = desktop.host("tkscid")?;
    let traffic = Traffic::record(&mut command, desktop.folder());
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/hosts/scid/drive.tcl"))
        .args([
            program("scid")?.as_os_str(),
            gaur().as_os_str(),
            desktop.folder().as_os_str(),
        ]);
    let status = Running::start(&mut command)?.wait_for_end(TIMEOUT);
    if !status.as_ref().is_ok_and(|status| status.success()) {
        let log = fs::read_to_string(desktop.folder().join("tkscid.log")).unwrap_or_default();
        return Err(format!("Scid: {status:?}\n{log}"));
    }
    traffic.wait_for_end()?;
    let conversations = traffic.conversations();
    if conversations.len() != 2 {
        return Err(format!(
            "{} processes of the engine instead of 2",
            conversations.len()
        ));
    }
    for (number, expected) in [(1, TRIES_UCI), (2, &[])] {
        let name = desktop.folder().join(format!("game-{number}.txt"));
        let moves = fs::read_to_string(name).map_err(|error| error.to_string())?;
        check(&conversations[number - 1], expected, &moves)
            .map_err(|error| format!("engine window {number}: {error}"))?;
    }
    Ok(())
}

/// Checks a conversation, and that every move of the game was the first move of an analysed line.
fn check(lines: &[Line], expected: &[&str], moves: &str) -> Result<(), String> {
    conversation::check(lines, expected)?;
    let suggestions = suggestions(lines)?;
    let mut game = Game::new();
    let mut count = 0;
    for played in moves.split_whitespace() {
        let fits = |(position, suggested): &(Chess, String)| {
            position == game.position() && suggested == played
        };
        if !suggestions.iter().any(fits) {
            return Err(format!(
                "the engine did not suggest {played}, move {}",
                count + 1
            ));
        }
        game.play(played)?;
        count += 1;
    }
    if count == MOVES {
        Ok(())
    } else {
        Err(format!("{count} moves instead of {MOVES}"))
    }
}

/// Returns the first moves of all lines of analysis, each with its position. All moves of the lines must be legal: the
/// log of the program shows which commands it had handled when it sent them.
fn suggestions(lines: &[Line]) -> Result<Vec<(Chess, String)>, String> {
    let mut game = Game::new();
    let mut found = Vec::new();
    for line in lines {
        match line.sender {
            Sender::Host => game.record_host_line(&line.text)?,
            Sender::Engine => {
                let Some(moves) = thinking_moves(&line.text) else {
                    continue;
                };
                let mut following = game.clone();
                for played in &moves {
                    following
                        .play(played)
                        .map_err(|error| format!("{error} in the line {}", line.text))?;
                }
                found.extend(
                    moves
                        .first()
                        .map(|first| (game.position().clone(), first.to_string())),
                );
            }
        }
    }
    Ok(found)
}
