//! The file of games: one append per game, which leaves no half game behind.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::GameRecord;

/// Games kept in memory while the file cannot be written. The oldest ones are dropped.
const MAX_WAITING: usize = 1000;

/// The file of games cannot be written. The games stay in memory and are written with the next one.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; games waiting in memory: {waiting}", file.display())]
pub struct ArchiveError {
    /// The PGN file.
    pub file: PathBuf,
    /// The cause.
    pub source: io::Error,
    /// Number of games that wait.
    pub waiting: usize,
}

/// A PGN file to which finished games are appended.
#[derive(Debug)]
pub struct Archive {
    file: PathBuf,
    waiting: Vec<String>,
    failing: bool,
}

impl Archive {
    /// Opens an archive: the file is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns the cause if the file cannot be written.
    pub fn open(file: impl Into<PathBuf>) -> io::Result<Self> {
        let archive = Self::new(file);
        open(&archive.file)?;
        Ok(archive)
    }

    /// Creates an archive. The file is opened at each game, so that it may be moved away in between.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            waiting: Vec::new(),
            failing: false,
        }
    }

    /// Appends a game, and those that could not be written before. Waits while another program writes to the file.
    ///
    /// # Errors
    ///
    /// Returns the cause if the file cannot be written, once until it can be written again.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), ArchiveError> {
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push(game.to_pgn());
        self.flush()
    }

    /// Tries again to write the games that wait in memory.
    ///
    /// # Errors
    ///
    /// Returns the cause if the file cannot be written, once until it can be written again.
    pub fn flush(&mut self) -> Result<(), ArchiveError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        match append_text(&self.file, &self.waiting.concat()) {
            Ok(()) => {
                self.waiting.clear();
                self.failing = false;
                Ok(())
            }
            Err(_) if self.failing => Ok(()),
            Err(source) => {
                self.failing = true;
                Err(ArchiveError {
                    file: self.file.clone(),
                    source,
                    waiting: self.waiting.len(),
                })
            }
        }
    }

    /// Returns the number of games that wait in memory.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
}

/// Writes `text` at the end of the file and to the disk, as soon as no other program writes to the file. A failed write
/// is removed from the file again.
fn append_text(path: &Path, text: &str) -> io::Result<()> {
    let mut file = open(path)?;
    // Several accounts may share the file. A file system without locks is used without them.
    let _ = file.lock();
    let length = file.metadata()?.len();
    let separator = separator(&mut file, length)?;
    let written = file
        .write_all(format!("{separator}{text}").as_bytes())
        .and_then(|()| file.sync_all());
    if written.is_err() {
        // Part of the text may have been written. Where this fails as well, the next game begins on a new line.
        let _ = file.set_len(length);
    }
    written
}

/// Texts that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", " *"];

/// Bytes at the end of the file in which the start of a torn comment is searched.
const TAIL: u64 = 4096;

/// Returns the text that separates a new game from the end of the file, where an interruption may have torn a game.
///
/// A torn comment is closed and a torn game gets the result `*`, so that readers find the next game.
fn separator(file: &mut File, length: u64) -> io::Result<&'static str> {
    if length == 0 {
        return Ok("");
    }
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(separator_after(&String::from_utf8_lossy(&tail)))
}

/// Returns the text that separates a new game from a file that ends with `tail`.
pub(super) fn separator_after(tail: &str) -> &'static str {
    let tail = tail.replace("\r\n", "\n");
    let line = tail.trim_end().rsplit('\n').next().unwrap_or_default();
    let is_tag = line.starts_with('[') && !line.starts_with("[%");
    let in_comment = !is_tag && tail.rfind('{') > tail.rfind('}');
    if in_comment {
        "} *\n\n"
    } else if tail.ends_with("\n\n") || tail == "\n" {
        ""
    } else if tail.ends_with('\n') {
        "\n"
    } else if is_tag || RESULTS.iter().any(|result| line.ends_with(result)) {
        "\n\n"
    } else {
        " *\n\n"
    }
}
