//! The analysis of the book's positions, in an EPD file.
//!
//! A record has the operations `am` (moves that were excluded from the search; missing if there were none), `bm` (best
//! move; missing if the game is over), `ce` (score in centipawns for the side to move) and `acn` (number of nodes of
//! the search).

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use gaur::board::Board;
use gaur::notation::{parse_epd, parse_move, write_fen, write_san};
use gaur::rules::{Position, Variant};
use gaur::types::{Key, Move, Score};

use crate::LabError;
use crate::state_file;

/// A search of a position.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub board: Board,
    /// Moves that are excluded, in the order of their bits.
    pub excluded: Vec<Move>,
}

/// Result of the search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
    /// Score for the side to move.
    pub score: Score,
}

/// The analysed positions, and the file that they are appended to.
pub(super) struct AnalysisFile {
    path: PathBuf,
    file: File,
    nodes: u64,
    positions: HashMap<(Key, Vec<u16>), Analysis>,
}

impl AnalysisFile {
    /// Reads the file, or creates it. An incomplete last line, which a killed run leaves, is removed.
    ///
    /// # Errors
    /// If the file cannot be read or written, or a line is wrong or has another number of nodes.
    pub(super) fn open(path: &Path, nodes: u64) -> Result<AnalysisFile, LabError> {
        let text = state_file::read(path)?.unwrap_or_default();
        let complete = text.rfind('\n').map_or(0, |index| index + 1);
        let mut positions = HashMap::new();
        for (index, line) in text[..complete].lines().enumerate() {
            let (request, analysis) = parse(line, nodes).map_err(|reason| LabError::BadLine {
                path: path.to_owned(),
                number: index + 1,
                reason,
            })?;
            positions.insert(request.key(), analysis);
        }
        let unwritable = |error| LabError::Unwritable {
            path: path.to_owned(),
            error,
        };
        if complete < text.len() {
            state_file::replace(path, &text[..complete])?;
        }
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(unwritable)?;
        Ok(AnalysisFile {
            path: path.to_owned(),
            file,
            nodes,
            positions,
        })
    }

    /// Returns the number of nodes of each search.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the analysis of a position with all its moves, if there is one.
    pub(super) fn get(&self, board: &Board) -> Option<Analysis> {
        self.positions.get(&(board.key(), Vec::new())).copied()
    }

    /// Returns the result of a search, if there is one.
    pub(super) fn result(&self, request: &Request) -> Option<Analysis> {
        self.positions.get(&request.key()).copied()
    }

    /// Adds an analysis and appends it to the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(&mut self, request: &Request, analysis: Analysis) -> Result<(), LabError> {
        self.positions.insert(request.key(), analysis);
        let line = record(request, analysis, self.nodes);
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| LabError::Unwritable {
                path: self.path.clone(),
                error,
            })
    }
}

impl Request {
    /// Returns the search of a position with all its moves.
    pub(super) fn all_moves(board: &Board) -> Request {
        Request {
            board: board.clone(),
            excluded: Vec::new(),
        }
    }

    fn key(&self) -> (Key, Vec<u16>) {
        let excluded = self.excluded.iter().map(|mv| mv.bits());
        (self.board.key(), excluded.collect())
    }
}

/// Returns the line of a search.
fn record(request: &Request, analysis: Analysis, nodes: u64) -> String {
    let position = Position::new(request.board.clone(), Variant::Standard);
    let fen = write_fen(position.board(), Variant::Standard);
    let mut text = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    if !request.excluded.is_empty() {
        text += " am";
        for &mv in &request.excluded {
            text += " ";
            text += &write_san(&position, mv);
        }
        text += ";";
    }
    if let Some(mv) = analysis.best {
        text += &format!(" bm {};", write_san(&position, mv));
    }
    text + &format!(" ce {}; acn {nodes};\n", analysis.score.0)
}

/// Reads the line of a search.
fn parse(line: &str, nodes: u64) -> Result<(Request, Analysis), String> {
    let epd = parse_epd(line).map_err(|error| error.to_string())?;
    let position = Position::from_setup(&epd.setup, Variant::Standard)
        .map_err(|error| format!("this position is not possible: {error}"))?;
    let number = |opcode: &str| match epd.operands(opcode) {
        [text] => text.parse::<i64>().ok(),
        _ => None,
    };
    if number("acn") != i64::try_from(nodes).ok() {
        return Err(format!(
            "this analysis does not have {nodes} nodes (acn); name another file or number of nodes"
        ));
    }
    let score = number("ce")
        .and_then(|score| i32::try_from(score).ok())
        .filter(|score| score.abs() <= Score::MATE.0)
        .ok_or("the score (ce) is missing or wrong")?;
    let read = |text: &String| {
        parse_move(&position, text).map_err(|error| format!("the move {text}: {error}"))
    };
    let excluded = epd.avoid_moves().iter().map(read);
    let excluded = excluded.collect::<Result<Vec<Move>, String>>()?;
    let best = match epd.best_moves() {
        [] if position.outcome().is_some() => None,
        [text] => Some(read(text)?),
        _ => return Err("one best move (bm) is expected".to_owned()),
    };
    let analysis = Analysis {
        best,
        score: Score(score),
    };
    let board = position.board().clone();
    Ok((Request { board, excluded }, analysis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut position = Position::standard();
        let _ = position.play(parse_move(&position, "e4").unwrap());
        let analysis = Analysis {
            best: parse_move(&position, "c5").ok(),
            score: Score(-31),
        };
        let mut request = Request::all_moves(position.board());
        let line = record(&request, analysis, 500);
        assert_eq!(
            line,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5; ce -31; acn 500;\n"
        );
        let (read, read_analysis) = parse(&line, 500).unwrap();
        assert_eq!((read.key(), read_analysis), (request.key(), analysis));
        request.excluded = ["e5", "Nf6"]
            .map(|text| parse_move(&position, text).unwrap())
            .to_vec();
        let without = record(&request, analysis, 500);
        assert!(without.contains(" KQkq - am e5 Nf6; bm c5;"), "{without}");
        assert_eq!(parse(&without, 500).unwrap().0.key(), request.key());
        for (old, new, expected) in [
            ("acn 500", "acn 501", "does not have 500 nodes"),
            ("ce -31", "ce x", "the score (ce)"),
            ("ce -31", "ce -32001", "the score (ce)"),
            ("bm c5", "bm c4", "c4: "),
            (" bm c5;", "", "one best move"),
            ("b KQkq", "x KQkq", ""),
        ] {
            let error = parse(&line.replace(old, new), 500).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn an_incomplete_line_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("analysis.epd");
        let start = Position::standard();
        let analysis = Analysis {
            best: parse_move(&start, "Nf3").ok(),
            score: Score(12),
        };
        let mut file = AnalysisFile::open(&path, 7).unwrap();
        file.add(&Request::all_moves(start.board()), analysis)
            .unwrap();
        drop(file);
        let complete = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, complete.clone() + "rnbqkbnr/pppp").unwrap();
        let file = AnalysisFile::open(&path, 7).unwrap();
        assert_eq!(file.get(start.board()), Some(analysis));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), complete);
        std::fs::write(&path, "nonsense\n".to_owned() + &complete).unwrap();
        let error = AnalysisFile::open(&path, 7).err().unwrap().to_string();
        assert!(error.contains("analysis.epd line 1: "), "{error}");
    }
}
