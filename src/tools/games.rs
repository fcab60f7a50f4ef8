//! What the tools that read games have in common.

use std::path::Path;

use crate::data::{DataError, GameReader, GameRecord};

use super::ToolError;

/// Shows every game of a file, in order, and returns how many there are. A game that is cut at the end of the file is
/// passed over: the run that writes it may still be going on.
///
/// # Errors
/// If the file cannot be read, or `visit` finds something wrong with a game; the message names it.
pub(super) fn for_each_game(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), String>,
) -> Result<usize, ToolError> {
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let mut count = 0;
    for game in GameReader::open(path).map_err(failed)? {
        let game = match game {
            Ok(game) => game,
            Err(DataError::Cut(_)) => break,
            Err(error) => return Err(failed(error)),
        };
        count += 1;
        visit(game).map_err(|reason| ToolError::BadGame {
            path: path.to_owned(),
            number: count,
            reason,
        })?;
    }
    Ok(count)
}
