//! What the tools that read games have in common.

use std::path::Path;

use crate::data::{DataError, GameReader, GameRecord};

use super::ToolError;

/// What a file of games held.
pub(super) struct Reading {
    /// Whole games.
    pub games: usize,
    /// One more is cut at the end of the file: the run that writes it may still be going on.
    pub is_cut: bool,
}

/// Shows every whole game of a file, in order.
///
/// # Errors
/// If the file cannot be read, or `visit` finds something wrong with a game; the message names it.
pub(super) fn for_each_game(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<Reading, ToolError> {
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let mut reading = Reading {
        games: 0,
        is_cut: false,
    };
    for game in GameReader::open(path).map_err(failed)? {
        let game = match game {
            Ok(game) => game,
            Err(DataError::Cut(_)) => {
                reading.is_cut = true;
                break;
            }
            Err(error) => return Err(failed(error)),
        };
        reading.games += 1;
        visit(game).map_err(|reason| ToolError::BadGame {
            path: path.to_owned(),
            number: reading.games,
            reason,
        })?;
    }
    Ok(reading)
}
