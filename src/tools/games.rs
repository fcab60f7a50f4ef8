//! Reading of game files by all tools.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::data::{DataError, GameReader, GameRecord, Region};

use super::ToolError;

/// Extension of the game files that are found in a folder.
pub(super) const EXTENSION: &str = "games";

/// Contents of a game file.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Number of intact games.
    pub games: usize,
    /// Parts of the file that were skipped because they are damaged.
    pub damaged: Vec<Region>,
    /// An incomplete game at the end: its run was interrupted or is still going on.
    pub incomplete: Option<Region>,
}

impl Reading {
    /// Describes each part that was skipped, one line each.
    pub(super) fn skipped(&self) -> impl Iterator<Item = String> {
        let damaged = self.damaged.iter();
        let damaged = damaged.map(|region| format!("skipped damaged bytes at {region}"));
        let incomplete = self.incomplete.iter();
        damaged.chain(incomplete.map(|region| format!("skipped an incomplete game at {region}")))
    }
}

/// Passes every intact game of a file to `visit`, in order, and reports to standard error what it skips.
///
/// # Errors
/// As [`read_games`].
pub(super) fn for_each_game(
    path: &Path,
    visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Reading, ToolError> {
    let reading = read_games(path, visit)?;
    for skipped in reading.skipped() {
        eprintln!("gaur: {}: {skipped}", path.display());
    }
    Ok(reading)
}

/// Passes every intact game of a file to `visit`, in order.
///
/// # Errors
/// If the file cannot be read, or `visit` rejects a game; the message contains its reason.
pub(super) fn read_games(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Reading, ToolError> {
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let mut reading = Reading::default();
    for game in GameReader::open(path).map_err(failed)? {
        match game {
            Ok(game) => {
                reading.games += 1;
                visit(game).map_err(|reason| ToolError::BadGame {
                    path: path.to_owned(),
                    number: reading.games,
                    reason,
                })?;
            }
            Err(DataError::Damaged(region)) => reading.damaged.push(region),
            Err(DataError::Incomplete(region)) => reading.incomplete = Some(region),
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(reading)
}

/// Returns the files that the command line names: files as they are, and of folders all files `*.games`, by name.
///
/// # Errors
/// If a folder cannot be read.
pub(super) fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ToolError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(files_in(path).map_err(|error| ToolError::Unreadable {
                path: path.clone(),
                error,
            })?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == EXTENSION)
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
