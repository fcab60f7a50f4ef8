//! Reading of game files by all tools.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::game_file::{DataError, GameReader, GameRecord, Header, Region};

use crate::LabError;
use crate::warning::warn;

/// Extension of the game files that are found in a folder.
pub(super) const EXTENSION: &str = "games";

/// Contents of a game file.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Number of intact games.
    pub games: usize,
    /// Parts of the file that were skipped because they are damaged.
    pub damaged: Vec<Region>,
    /// An incomplete game at the end: its run was interrupted or is in progress.
    pub incomplete: Option<Region>,
}

impl Reading {
    /// Describes each damaged part and the incomplete game.
    pub(super) fn defects(&self) -> impl Iterator<Item = String> {
        let damaged = self.damaged.iter();
        let damaged = damaged.map(|region| format!("damaged at {region}"));
        let incomplete = self.incomplete.iter();
        damaged.chain(incomplete.map(|region| format!("incomplete game at {region}")))
    }

    /// Reports the defects to standard error, in one line.
    pub(super) fn report(&self, path: &Path) {
        let mut defects = self.defects();
        let Some(first) = defects.next() else {
            return;
        };
        let name = path.display();
        match defects.count() {
            0 => warn(format_args!("{name}: skipped: {first}")),
            others => warn(format_args!(
                "{name}: skipped: {first}, and {others} more; `gaur-lab data verify` lists them"
            )),
        }
    }
}

/// Passes every intact game of a file to `visit`, in order, and reports to standard error what it skips.
///
/// # Errors
/// If the file cannot be read, or `visit` rejects a game; the message contains its reason.
pub(super) fn for_each_game(
    path: &Path,
    visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Reading, LabError> {
    let reading = read_games(path, visit)?;
    reading.report(path);
    Ok(reading)
}

/// Passes every intact game of a file to `visit`, in order.
///
/// # Errors
/// If the file cannot be read, or `visit` rejects a game; the message contains its reason.
pub(super) fn read_games(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Reading, LabError> {
    try_read_games(path, |number, game| {
        visit(game).map_err(|reason| LabError::BadGame {
            path: path.to_owned(),
            number,
            reason,
        })
    })
}

/// Passes every intact game of a file to `visit` with its number in the order of the file, from 1.
///
/// # Errors
/// If the file cannot be read, or `visit` returns an error.
pub(super) fn try_read_games(
    path: &Path,
    mut visit: impl FnMut(usize, GameRecord) -> Result<(), LabError>,
) -> Result<Reading, LabError> {
    let failed = |error| LabError::Data(path.to_owned(), error);
    let mut reading = Reading::default();
    for game in GameReader::open(path).map_err(failed)? {
        match game {
            Ok(game) => {
                reading.games += 1;
                visit(reading.games, game)?;
            }
            Err(DataError::Damaged(region)) => reading.damaged.push(region),
            Err(DataError::Incomplete(region)) => reading.incomplete = Some(region),
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(reading)
}

/// Checks that every file is a game file, so that a wrong file does not end a long run, and warns about files with
/// games of the same run.
///
/// # Errors
/// If a file cannot be read or its header is not that of a game file.
pub(super) fn check_headers(files: &[PathBuf]) -> Result<(), LabError> {
    let mut runs = Runs::default();
    for file in files {
        let reader = GameReader::open(file);
        let reader = reader.map_err(|error| LabError::Data(file.clone(), error))?;
        runs.add(file, reader.header());
    }
    Ok(())
}

/// The runs to which game files belong.
#[derive(Default)]
pub(super) struct Runs<'a>(Vec<(Header, &'a Path)>);

impl<'a> Runs<'a> {
    /// Adds a file. Warns if another one contains games of the same run, which then count twice, such as a damaged and
    /// a repaired file.
    pub fn add(&mut self, path: &'a Path, header: &Header) {
        if header.run.is_none() {
            return;
        }
        if let Some((_, other)) = self.0.iter().find(|(known, _)| known == header) {
            let [path, other] = [path, other].map(Path::display);
            warn(format_args!(
                "{path} and {other} contain games of the same run"
            ));
        }
        self.0.push((header.clone(), path));
    }
}

/// Returns the files that the command line names: files as they are, and of folders all files `*.games`, by name.
///
/// # Errors
/// If a folder cannot be read or contains no such file, or a file is named twice.
pub(super) fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, LabError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let found = files_in(path)?;
            if found.is_empty() {
                let reason = format!("{} contains no files *.{EXTENSION}", path.display());
                return Err(LabError::Arguments(reason));
            }
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    check_distinct(&files)?;
    Ok(files)
}

/// Returns an error if two paths lead to the same file, whose games would count twice.
fn check_distinct(files: &[PathBuf]) -> Result<(), LabError> {
    let mut known = HashMap::new();
    for file in files {
        // What cannot be found is reported where it is read.
        let Ok(path) = file.canonicalize() else {
            continue;
        };
        if let Some(other) = known.insert(path, file) {
            let [other, file] = [other, file].map(|path| path.display());
            let reason = format!("{other} and {file} are the same file; name it once");
            return Err(LabError::Arguments(reason));
        }
    }
    Ok(())
}

/// Returns all files `*.games` of a folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let unreadable = |error| LabError::Unreadable {
        path: folder.to_owned(),
        error,
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
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
