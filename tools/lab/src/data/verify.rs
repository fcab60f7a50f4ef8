//! `gaur-lab data verify`: checks checksums and legality of all games, or checksums and records of sample files.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::LabError;
use crate::digits::grouped;
use crate::game_file::DataError;
use crate::game_input::read_games;
use crate::sample_file::{SampleError, SampleReader};

/// Checks all files and prints the defects of each, and then a line with its number of games.
///
/// # Errors
/// If a file cannot be read, a defect was found, or the answer cannot be written.
pub(super) fn run(files: &[PathBuf], out: &mut impl Write) -> Result<(), LabError> {
    let mut unsound = 0;
    for file in files {
        let defects = match SampleReader::is_samples(file) {
            true => sample_defects(file, out)?,
            false => defects(file, out)?,
        };
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

/// Prints the first defect of a sample file, or a line with its contents, and returns the number of defects printed.
fn sample_defects(path: &Path, out: &mut impl Write) -> Result<usize, LabError> {
    let read = || {
        let reader = SampleReader::open(path)?;
        let header = *reader.header();
        for chunk in reader {
            chunk?;
        }
        Ok(header)
    };
    match read() {
        Ok(header) => {
            let (name, kind) = (path.display(), header.kind.name());
            let count = grouped(header.records);
            writeln!(out, "{name}: {count} samples, {kind}, no defects")?;
            Ok(0)
        }
        Err(error @ SampleError::Io(_)) => Err(LabError::Samples(path.to_owned(), error)),
        Err(error) => {
            writeln!(out, "{}: {error}", path.display())?;
            Ok(1)
        }
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
