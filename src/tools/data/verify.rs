//! `gaur data verify`: checksums of all blocks, and the rules of chess for all games.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::tools::ToolError;
use crate::tools::games::read_games;
use crate::tools::progress::Progress;

/// Checks all files and prints one line for each, behind a line for each defect.
///
/// # Errors
/// If a defect was found, or the answer cannot be written.
pub(super) fn run(files: &[PathBuf], out: &mut impl Write) -> Result<(), ToolError> {
    let mut unsound = 0;
    let mut progress = Progress::new(0, files.len() as u64);
    for file in files {
        let defects = defects(file, out)?;
        unsound += usize::from(defects > 0);
        progress.step(|| "files".to_owned());
    }
    progress.finish();
    match unsound {
        0 => Ok(()),
        _ => Err(ToolError::UnsoundFiles {
            unsound,
            files: files.len(),
        }),
    }
}

/// Prints the defects of a file and a line with its number of games, and returns the number of defects.
fn defects(path: &Path, out: &mut impl Write) -> Result<usize, ToolError> {
    let mut illegal = Vec::new();
    let mut number = 0;
    let reading = match read_games(path, |game| {
        number += 1;
        if let Err(error) = game.verify() {
            illegal.push(format!("game {number} in the order of the file: {error}"));
        }
        Ok(())
    }) {
        Ok(reading) => reading,
        // Other files may still be checked.
        Err(error @ ToolError::Data(..)) => {
            writeln!(out, "{error}")?;
            return Ok(1);
        }
        Err(error) => return Err(error),
    };
    let name = path.display();
    let damaged = reading.damaged.iter();
    let damaged = damaged.map(|region| format!("damaged at {region}"));
    let incomplete = reading.incomplete.iter();
    let incomplete = incomplete.map(|region| format!("incomplete game at {region}"));
    let defects: Vec<String> = illegal
        .into_iter()
        .chain(damaged)
        .chain(incomplete)
        .collect();
    for defect in &defects {
        writeln!(out, "{name}: {defect}")?;
    }
    let games = reading.games;
    match defects.len() {
        0 => writeln!(out, "{name}: {games} games, all sound")?,
        count => writeln!(out, "{name}: {games} games, {count} defects")?,
    }
    Ok(defects.len())
}
