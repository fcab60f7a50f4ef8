//! Opening lines from a text file.

use std::fs;
use std::path::Path;

use gaur::notation::parse_move;
use gaur::rules::Position;
use gaur::types::Move;

use crate::LabError;

/// Moves from the start position.
pub(super) type Line = Vec<Move>;

/// Reads a file with one line of moves each. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read, a move is not legal, or there is no line.
pub(super) fn read(path: &Path) -> Result<Vec<Line>, LabError> {
    let text = fs::read_to_string(path).map_err(|error| LabError::Unreadable {
        path: path.to_owned(),
        error,
    })?;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let line = moves(line).map_err(|reason| LabError::BadLine {
            path: path.to_owned(),
            number: index + 1,
            reason,
        })?;
        lines.push(line);
    }
    if lines.is_empty() {
        return Err(LabError::NoOpenings(path.to_owned()));
    }
    Ok(lines)
}

fn moves(line: &str) -> Result<Line, String> {
    let mut position = Position::standard();
    let mut moves = Vec::new();
    for text in line.split_whitespace() {
        let mv = parse_move(&position, text).map_err(|error| format!("{text}: {error}"))?;
        let _ = position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}
