//! `gaur-lab data verify`: checks the checksums of all blocks and the legality of all games.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::LabError;
use crate::game_file::DataError;
use crate::game_input::read_games;

/// Checks all files and prints the defects of each, and then a line with its number of games.
///
/// # Errors
/// If a file cannot be read, a defect was found, or the answer cannot be written.
pub(super) fn run(files: &[PathBuf], out: &mut impl Write) -> Result<(), LabError> {
    let mut unsound = 0;
    for file in files {
        let defects = defects(file, out)?;
        unsound += usize::from(defects > 0);
    }
    match unsound {
        0 => Ok(()),
        _ => Err(LabError::UnsoundFiles {
            unsound,
            files: files.len(),
        }),
    }
}

/// Prints the defects of a file and a line with its number of games, and returns the number of defects.
fn defects(path: &Path, out: &mut impl Write) -> Result<usize, LabError> {
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
        // A file that cannot be opened is no defect of its contents.
        Err(error @ LabError::Data(_, DataError::Io(_))) => return Err(error),
        Err(error @ LabError::Data(..)) => {
            writeln!(out, "{error}")?;
            return Ok(1);
        }
        Err(error) => return Err(error),
    };
    let name = path.display();
    let defects: Vec<String> = illegal.into_iter().chain(reading.defects()).collect();
    for defect in &defects {
        writeln!(out, "{name}: {defect}")?;
    }
    let games = reading.games;
    match defects.len() {
        0 => writeln!(out, "{name}: {games} games, no defects")?,
        count => writeln!(out, "{name}: {games} games, {count} defects")?,
    }
    Ok(defects.len())
}
