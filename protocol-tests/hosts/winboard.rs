//! WinBoard under Wine: the Windows program plays against itself. Its debug file has the format of XBoard's.

use std::env;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::conversation;
use crate::display::{Display, Running};
use crate::folder;
use crate::needs::{Need, trial};
use crate::xboard::debug_file::{DebugFile, Engine};
use crate::xboard::matches::fair;

/// Requirements of every trial.
const WINBOARD: &[Need] = &[
    Need::Path("WINBOARD", "path of winboard.exe"),
    Need::Program("wine", "wine wine64"),
    Need::Program("Xvfb", "xvfb"),
];

/// Number of games of the match.
const GAMES: usize = 2;

/// Time for the match: two games of about 20 seconds and one second for each move of both sides, and the start of Wine.
const TIMEOUT: Duration = Duration::from_secs(500);

/// Returns all trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![trial("winboard::match", WINBOARD, plays_a_match)]
}

fn plays_a_match() -> Result<(), String> {
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/windows");
    let engines = prepared.join("Schöne Züge");
    if !engines.join("gaur.exe").is_file() {
        return Err("there is no Windows program; build it with .ci/windows".to_string());
    }
    let winboard = env::var("WINBOARD").map_err(|error| format!("WINBOARD: {error}"))?;
    let folder = folder::fresh("winboard-match")?;
    let display = Display::start()?;
    let mut command = display.command(&prepared.join("wine"));
    folder::log_to(&mut command, &folder.join("winboard.log"))?;
    command
        .current_dir(&folder)
        .arg(winboard)
        .args(["-cp", "-fcp", "gaur.exe", "-scp", "gaur.exe"])
        .args([
            "-fd",
            &windows_path(&engines),
            "-sd",
            &windows_path(&engines),
        ])
        .args(["-mm", "-mg", &GAMES.to_string()])
        .args(["-tc", "0:10", "-inc", "0.5", "-xponder"])
        // XBoard's configuration file has these adjudications; WinBoard would wait for claims, and call no flag.
        .args(["-testClaims", "true", "-checkMates", "true"])
        .args(["-materialDraws", "true", "-autoflag"])
        // Wine needs long to draw moving pieces.
        .args(["-xanimate", "-engineOutputUp", "false"])
        .args(["-debug", "-nameOfDebugFile"])
        .arg(windows_path(&folder.join("debug.txt")))
        .args(["-settingsFile", &windows_path(&folder.join("winboard.ini"))])
        .args(["-saveSettingsOnExit", "false", "-xexit"]);
    let mut running = Running::start(&mut command)?;
    let deadline = Instant::now() + TIMEOUT;
    while running.ended()?.is_none() {
        if Instant::now() >= deadline {
            return Err(format!("WinBoard still runs after {} s", TIMEOUT.as_secs()));
        }
        thread::sleep(Duration::from_millis(200));
    }
    let file = DebugFile::read(&folder.join("debug.txt"));
    if let Some(complaint) = file.complaint() {
        return Err(format!("WinBoard reports: {complaint}"));
    }
    for engine in [Engine::First, Engine::Second] {
        let summary = conversation::check(&file.conversation(engine), &[])
            .map_err(|error| format!("{engine:?} engine: {error}"))?;
        let games: Vec<_> = summary
            .ended
            .iter()
            .filter(|game| game.own_moves > 0)
            .collect();
        games.iter().try_for_each(|game| fair(game))?;
        if games.len() != GAMES {
            return Err(format!("{} games instead of {GAMES}", games.len()));
        }
    }
    Ok(())
}

/// Returns the path of a file as Wine shows it to Windows programs.
fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display())
}
