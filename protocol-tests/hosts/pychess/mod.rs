//! PyChess without its windows: `drive.py` plays scenarios with its modules and records the conversations.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use crate::conversation::{self, Line, Sender};
use crate::display::{Display, Running};
use crate::folder;
use crate::needs::{Need, gaur, path_with_gaur, program, trial};

const NEEDS: &[Need] = &[
    Need::Program("pychess", "pychess"),
    // Its modules need a display when they are loaded.
    Need::Program("Xvfb", "xvfb"),
];

/// Answer to the empty board that PyChess sets after every `exit`. PyChess opens a window for every `tellusererror`
/// without that FEN.
const EMPTY_BOARD: &str = "tellusererror Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1";

/// Answer to the positions after the queen's checks, in which the spy analyser could take the king.
const KING_TO_BE_TAKEN: &str = "tellusererror Illegal position: rnbqkbnr/ppppp";

/// Returns all trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("pychess::detection", NEEDS, || play("detection", 0, 0, &[])),
        trial("pychess::match", NEEDS, || play("match", 4, 40, &[])),
        trial("pychess::person", NEEDS, || play("person", 1, 3, &[])),
        trial("pychess::analysis", NEEDS, || {
            play(
                "analysis",
                2,
                0,
                &[&[EMPTY_BOARD], &[EMPTY_BOARD, KING_TO_BE_TAKEN]],
            )
        }),
    ]
}

/// Plays a scenario with this number of processes of the program, which make at least `moves` moves together. Each
/// process must send lines with its expected beginnings.
fn play(
    scenario: &str,
    processes: usize,
    moves: usize,
    expected: &[&[&str]],
) -> Result<(), String> {
    let folder = folder::fresh(&format!("pychess-{scenario}"))?;
    let display = Display::start()?;
    let mut command = display.command(&interpreter()?);
    folder::at_home(&mut command, &folder);
    command
        .env("PATH", path_with_gaur()?)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/hosts/pychess/drive.py"))
        .args([scenario.as_ref(), gaur().as_os_str(), folder.as_os_str()]);
    let log = folder.join("pychess.log");
    folder::log_to(&mut command, &log)?;
    let status = Running::start(&mut command)?.wait()?;
    if !status.success() {
        let log = fs::read_to_string(&log).unwrap_or_default();
        return Err(format!("PyChess: {status}\n{log}"));
    }
    let mut made = 0;
    for process in 1..=processes {
        let file = folder.join(format!("conversation-{process}.txt"));
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let expected = expected.get(process - 1).copied().unwrap_or_default();
        let summary = conversation::check(&lines(&text), expected)
            .map_err(|error| format!("process {process} of the engine: {error}"))?;
        if summary.thinking == 0 {
            return Err(format!("process {process} of the engine shows no thinking"));
        }
        made += summary.moves;
    }
    if made < moves {
        return Err(format!("{made} moves instead of {moves}"));
    }
    Ok(())
}

/// Returns the Python of PyChess, which the first line of the program names.
fn interpreter() -> Result<PathBuf, String> {
    let file = program("pychess")?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    let words: Vec<&str> = first.unwrap_or_default().split_whitespace().collect();
    match words.as_slice() {
        [env, name] if env.ends_with("/env") => program(name),
        [python] => Ok(python.into()),
        _ => Err(format!(
            "{}: no interpreter in its first line",
            file.display()
        )),
    }
}

fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .filter_map(|line| {
            let (mark, text) = line.split_at_checked(2)?;
            let sender = match mark {
                "> " => Sender::Host,
                _ => Sender::Engine,
            };
            Some(Line {
                sender,
                text: text.to_string(),
            })
        })
        .collect()
}
