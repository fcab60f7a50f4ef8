//! `gaur epd`: solves the positions of a best-move suite, with a given time for each.
//!
//! The search is passed as a closure, so that this file does not depend on threads.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::board::Board;
use crate::notation::{Epd, has_standard_castling, parse_epd, parse_move, write_san};
use crate::rules::{Position, Variant};
use crate::types::Move;

use super::ToolError;
use super::progress_line::ProgressLine;

/// Arguments of `gaur epd`.
#[derive(Clone, Debug, clap::Args)]
pub struct EpdArgs {
    /// File with one EPD record per line, each with a best move (bm) or a move to avoid (am)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Time for each position in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: u64,
    /// Option, or in a tuning build search parameter, to set; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// A position of a suite with its solutions.
#[derive(Clone, Debug)]
pub struct SuiteEntry {
    /// The `id` of the EPD record, or its line number.
    pub name: String,
    /// Position in which to find a move.
    pub position: Position,
    /// Moves that solve the position; empty if every move outside `avoid` does.
    pub best: Vec<Move>,
    /// Moves that do not solve the position.
    pub avoid: Vec<Move>,
}

/// Result of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteResult {
    /// Number of positions solved.
    pub solved: usize,
    /// Number of positions.
    pub total: usize,
}

impl SuiteEntry {
    /// Returns `true` if the move solves the position.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Describes the moves that solve the position.
    fn solution(&self) -> String {
        let list = |moves: &[Move]| {
            let texts: Vec<String> = moves
                .iter()
                .map(|&mv| write_san(&self.position, mv))
                .collect();
            texts.join(" ")
        };
        match (self.best.is_empty(), self.avoid.is_empty()) {
            (false, true) => format!("best is {}", list(&self.best)),
            (true, _) => format!("to be avoided is {}", list(&self.avoid)),
            (false, false) => {
                format!(
                    "best is {}, to be avoided is {}",
                    list(&self.best),
                    list(&self.avoid)
                )
            }
        }
    }
}

/// Reads a suite file. Empty lines and lines that begin with `#` are ignored.
///
/// # Errors
/// If the file cannot be read, a line is wrong, or the file contains no position.
pub fn read_suite(path: &Path) -> Result<Vec<SuiteEntry>, ToolError> {
    let bytes = fs::read(path).map_err(|error| ToolError::Unreadable {
        path: path.to_owned(),
        error,
    })?;
    // Names of players and authors are not always UTF-8. They do not matter here.
    let text = String::from_utf8_lossy(&bytes);
    let mut entries = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let entry = read_entry(line, number).map_err(|reason| ToolError::BadLine {
            path: path.to_owned(),
            number,
            reason,
        })?;
        entries.push(entry);
    }
    if entries.is_empty() {
        return Err(ToolError::NoPositions(path.to_owned()));
    }
    Ok(entries)
}

fn read_entry(line: &str, number: usize) -> Result<SuiteEntry, String> {
    let epd = parse_epd(line).map_err(|error| error.to_string())?;
    let variant = match has_standard_castling(&epd.setup) {
        true => Variant::Standard,
        false => Variant::Fischerandom,
    };
    let board = Board::from_setup(&epd.setup)
        .map_err(|error| format!("this position is not possible: {error}"))?;
    let position = Position::new(board, variant);
    let best = read_moves(&position, epd.best_moves())?;
    let avoid = read_moves(&position, epd.avoid_moves())?;
    if best.is_empty() && avoid.is_empty() {
        return Err("no best move, add one such as: bm Nf3;".to_owned());
    }
    Ok(SuiteEntry {
        name: name(&epd, number),
        position,
        best,
        avoid,
    })
}

fn read_moves(position: &Position, texts: &[String]) -> Result<Vec<Move>, String> {
    let read = |text: &String| {
        parse_move(position, text).map_err(|error| format!("the move {text}: {error}"))
    };
    texts.iter().map(read).collect()
}

fn name(epd: &Epd, number: usize) -> String {
    epd.id().unwrap_or_else(|| format!("line {number}"))
}

/// Reads the suite, passes every position to `solver` and writes the results.
///
/// If standard error is a terminal, it shows the progress.
///
/// # Errors
/// Returns an error if the suite cannot be read or has a wrong line, or if `out` cannot be written to.
pub fn run_epd(
    args: &EpdArgs,
    solver: impl FnMut(&Position, Duration) -> Option<Move>,
    out: &mut impl Write,
) -> Result<SuiteResult, ToolError> {
    let entries = read_suite(&args.file)?;
    let time = Duration::from_millis(args.movetime);
    let result = run_suite(&entries, time, solver, out)?;
    writeln!(out, "{}/{} solved", result.solved, result.total)?;
    Ok(result)
}

/// Passes every position to `solver` and writes a line for each.
///
/// # Errors
/// If `out` cannot be written to.
pub fn run_suite(
    entries: &[SuiteEntry],
    time: Duration,
    mut solver: impl FnMut(&Position, Duration) -> Option<Move>,
    out: &mut impl Write,
) -> io::Result<SuiteResult> {
    let mut result = SuiteResult {
        solved: 0,
        total: entries.len(),
    };
    let mut progress = ProgressLine::new();
    for (index, entry) in entries.iter().enumerate() {
        progress.show(&format!(
            "{index}/{} positions, {} solved",
            result.total, result.solved
        ));
        let answer = solver(&entry.position, time);
        let is_solved = answer.is_some_and(|mv| entry.is_solved_by(mv));
        result.solved += usize::from(is_solved);
        let played =
            answer.map_or_else(|| "no move".to_owned(), |mv| write_san(&entry.position, mv));
        progress.clear();
        match is_solved {
            true => writeln!(out, "{}: {played}, solved", entry.name)?,
            false => writeln!(
                out,
                "{}: {played}, missed, {}",
                entry.name,
                entry.solution()
            )?,
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in the folder for temporary files, removed when the test ends.
    struct TestFile(PathBuf);

    impl TestFile {
        fn new(name: &str, content: &str) -> TestFile {
            let name = format!("gaur-{}-{name}.epd", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::write(&path, content).unwrap();
            TestFile(path)
        }
    }

    impl Drop for TestFile {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn run(name: &str, content: &str, answer: &str) -> Result<(SuiteResult, String), ToolError> {
        let file = TestFile::new(name, content);
        let args = EpdArgs {
            file: file.0.clone(),
            movetime: 5,
            set: Vec::new(),
        };
        let mut out = Vec::new();
        let solver = |position: &Position, time| {
            assert_eq!(time, Duration::from_millis(5));
            parse_move(position, answer).ok()
        };
        let result = run_epd(&args, solver, &mut out)?;
        Ok((result, String::from_utf8(out).unwrap()))
    }

    const MATE: &str = "7k/R7/8/8/8/8/8/1R2K3 w - -";

    #[test]
    fn a_line_for_each_position_and_the_sum_last() {
        let content = format!(
            "# a comment\n{MATE} bm Rb8#; id \"one\";\n\n{MATE} am Rb8; id \"two\";\n\
             {MATE} bm Ra8+ b1b8;\n"
        );
        let (result, text) = run("lines", &content, "Rb8").unwrap();
        assert_eq!(
            result,
            SuiteResult {
                solved: 2,
                total: 3
            }
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "one: Rb8#, solved",
                "two: Rb8#, missed, to be avoided is Rb8#",
                "line 5: Rb8#, solved",
                "2/3 solved"
            ]
        );
        let (result, text) = run("none", &content, "no answer").unwrap();
        assert_eq!(result.solved, 0);
        assert!(
            text.starts_with("one: no move, missed, best is Rb8#\n"),
            "{text}"
        );
    }

    #[test]
    fn a_bad_line_is_named() {
        for (name, line, part) in [
            ("fen", "nonsense", "not a piece"),
            (
                "move",
                "7k/R7/8/8/8/8/8/1R2K3 w - - bm Qh5;",
                "the move Qh5",
            ),
            (
                "nothing",
                "7k/R7/8/8/8/8/8/1R2K3 w - - id \"x\";",
                "no best move",
            ),
            ("position", "8/8/8/8/8/8/8/8 w - - bm e4;", "not possible"),
        ] {
            let content = format!("{MATE} bm Rb8;\n{line}\n");
            let text = run(name, &content, "Rb8").unwrap_err().to_string();
            assert!(text.contains("line 2: ") && text.contains(part), "{text}");
        }
    }

    #[test]
    fn an_empty_or_missing_file_is_refused() {
        let error = run("empty", "# nothing\n", "Rb8").unwrap_err();
        assert!(matches!(error, ToolError::NoPositions(_)), "{error}");
        let error = read_suite(Path::new("/nonexistent/suite.epd")).unwrap_err();
        assert!(matches!(error, ToolError::Unreadable { .. }), "{error}");
    }
}
