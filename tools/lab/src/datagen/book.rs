//! Openings from an EPD file.

use std::fs;
use std::path::Path;

use crate::LabError;
use crate::game_file::FileId;
use gaur::notation::{has_standard_castling, parse_epd};
use gaur::rules::{Position, Variant};

/// Positions that games can start from.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    id: FileId,
    /// At least one position; in none of them the game is over.
    positions: Vec<Position>,
}

impl Book {
    /// Reads a file with one EPD record per line. Empty lines and lines that begin with `#` are skipped. Positions with
    /// castling rights that standard chess does not have are Fischer Random.
    ///
    /// # Errors
    /// If the file cannot be read, a line is no legal position or a finished game, or there is no position.
    pub(super) fn read(path: &Path) -> Result<Book, LabError> {
        let bytes = fs::read(path).map_err(|error| LabError::Unreadable {
            path: path.to_owned(),
            error,
        })?;
        let text = String::from_utf8_lossy(&bytes);
        let mut positions = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let position = position(line).map_err(|reason| LabError::BadLine {
                path: path.to_owned(),
                number: index + 1,
                reason,
            })?;
            positions.push(position);
        }
        if positions.is_empty() {
            return Err(LabError::NoPositions(path.to_owned()));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Book {
            id: FileId::new(&name.to_string_lossy(), crc32fast::hash(&bytes)),
            positions,
        })
    }

    /// Returns the name and checksum of the file.
    pub(super) fn id(&self) -> &FileId {
        &self.id
    }

    /// Returns all positions.
    pub(super) fn positions(&self) -> &[Position] {
        &self.positions
    }
}

fn position(line: &str) -> Result<Position, String> {
    let setup = parse_epd(line).map_err(|error| error.to_string())?.setup;
    let variant = match has_standard_castling(&setup) {
        true => Variant::Standard,
        false => Variant::Fischerandom,
    };
    let position = Position::from_setup(&setup, variant).map_err(|error| error.to_string())?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err("the game is over in this position".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Book, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.epd");
        fs::write(&path, text).unwrap();
        Book::read(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn records_become_positions_of_their_variant() {
        let book = read(
            "# two openings\n\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n\
             bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge -\n",
        )
        .unwrap();
        let variants: Vec<Variant> = book.positions().iter().map(Position::variant).collect();
        assert_eq!(variants, [Variant::Standard, Variant::Fischerandom]);
        assert_eq!(book.id().name, "openings.epd");
    }

    #[test]
    fn lines_that_no_game_can_start_from_are_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (line, expected) in [
            ("nonsense", "openings.epd line 2: "),
            ("8/8/8/8/8/8/8/8 w - -", "openings.epd line 2: "),
            ("7k/5KQ1/8/8/8/8/8/8 b - -", "line 2: the game is over"),
        ] {
            let error = read(&format!("{start}\n{line}\n")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let error = read("# nothing\n").unwrap_err();
        assert!(error.contains("holds no position"), "{error}");
    }
}
