//! Syzygy endgame tablebases: the result of a position with few men, and the ranks of root moves.
//!
//! The crate `shakmaty-syzygy` reads the tables. The files are opened when they are first needed, through a
//! [`Filesystem`] of the caller. The first file that turns out to be damaged or unreadable disables all tables: a game
//! must not depend on a disk that may not answer any more.

mod position;
mod root;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty::Chess;
pub use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{
    Dtz, MaybeRounded, Metric, ProbeError, Syzygy, SyzygyError, TableType, Tablebase,
};

use crate::board::Board;
use crate::types::CastlingRights;

pub use root::{RankedMove, RootRanking};

/// The result of a position with best play of both sides, for the side to move, directly after a capture or pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// The side to move loses, but not within the fifty-move rule.
    BlessedLoss,
    /// The position is drawn.
    Draw,
    /// The side to move wins, but not within the fifty-move rule.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Wdl {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// Numbers of the tables that have been added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// Largest number of men, kings and pawns included, of a table with results; 0 without any.
    pub men: usize,
    /// Number of tables with results (WDL).
    pub wdl: usize,
    /// Number of tables with distances to the next capture or pawn move (DTZ).
    pub dtz: usize,
}

/// A set of tables, which several threads may use.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    counts: TableCounts,
    /// Largest number of men up to which all tables are in memory.
    men_in_memory: usize,
    /// Set once a file could not be used.
    has_failed: AtomicBool,
    /// Description of the first file that could not be used, until it has been taken.
    problem: Mutex<Option<String>>,
}

impl Tablebases {
    /// Creates an empty set, whose files are opened through `filesystem`.
    pub fn new(filesystem: Arc<dyn Filesystem>) -> Tablebases {
        Tablebases {
            tables: Tablebase::with_filesystem(filesystem),
            counts: TableCounts::default(),
            men_in_memory: 0,
            has_failed: AtomicBool::new(false),
            problem: Mutex::new(None),
        }
    }

    /// Returns `true` for the name of a file that contains a table: the extension decides. Names that begin with a dot
    /// are no tables: macOS keeps attributes of `KQvK.rtbw` in `._KQvK.rtbw`.
    pub fn is_table(path: &Path) -> bool {
        let name = path.file_name().and_then(OsStr::to_str);
        let is_hidden = name.is_some_and(|name| name.starts_with('.'));
        let has_type = [Chess::TBW, Chess::TBZ]
            .iter()
            .any(|table| has_type(path, table));
        has_type && !is_hidden
    }

    /// Returns the number of men of a table from the name of its file, which has a letter for each man and one between
    /// the sides. Returns 0 for a name that is no text.
    pub fn men_of(path: &Path) -> usize {
        let name = path.file_stem().and_then(OsStr::to_str);
        name.map_or(0, |name| name.len().saturating_sub(1))
    }

    /// Adds the table in a file, which is opened later.
    ///
    /// # Errors
    /// Returns an error of kind [`io::ErrorKind::InvalidInput`] if the path does not belong to an ordinary file or its
    /// name is not that of a table, [`io::ErrorKind::InvalidData`] if no table has the size of the file, or the error
    /// of the file system.
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        self.tables.add_file(path)?;
        if has_type(path, &Chess::TBZ) {
            self.counts.dtz += 1;
            return Ok(());
        }
        self.counts.wdl += 1;
        self.counts.men = self.counts.men.max(Tablebases::men_of(path));
        Ok(())
    }

    /// Sets the largest number of men up to which the file system holds all tables in memory. Initially 0.
    pub fn set_men_in_memory(&mut self, men: usize) {
        self.men_in_memory = men;
    }

    /// Returns the largest number of men up to which all tables are in memory, so that a look-up takes no disk.
    pub fn men_in_memory(&self) -> usize {
        self.men_in_memory
    }

    /// Returns the numbers of the tables that have been added.
    pub fn counts(&self) -> TableCounts {
        self.counts
    }

    /// Returns the largest number of men of a position that the tables may contain; 0 if there is none, or once a file
    /// could not be used.
    pub fn max_men(&self) -> usize {
        if self.has_failed.load(Ordering::Relaxed) {
            0
        } else {
            self.counts.men
        }
    }

    /// Removes and returns the reason, if there is one, why the tables are not used any more. It is returned once.
    pub fn take_problem(&self) -> Option<String> {
        // The flag spares the lock as long as all is well.
        if !self.has_failed.load(Ordering::Acquire) {
            return None;
        }
        self.problem
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Returns the result of a position as if its last move had been a capture or pawn move. Returns nothing if the
    /// tables do not contain it.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        let position = self.position(board)?;
        let result = self.tables.probe_wdl_after_zeroing(&position);
        self.usable(result).map(Wdl::from)
    }

    /// Returns the half-moves to the next capture or pawn move with best play, with the sign of the result, possibly
    /// one too few. Returns nothing if the tables do not contain the position.
    fn dtz(&self, board: &Board) -> Option<i32> {
        let position = self.position(board)?;
        let result = self.tables.probe_dtz(&position);
        self.usable(result)
            .map(|dtz: MaybeRounded<Dtz>| dtz.ignore_rounding().0)
    }

    /// Returns the position in the form that the tables need, unless they cannot contain it.
    fn position(&self, board: &Board) -> Option<Chess> {
        if board.occupancy() > self.max_men() || board.castling_rights() != CastlingRights::NONE {
            return None;
        }
        position::of(board)
    }

    /// Returns the value of a result. An error other than a missing table disables the tables.
    fn usable<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        if let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = error
        {
            let table = match metric {
                Metric::Wdl => Chess::TBW,
                Metric::Dtz => Chess::TBZ,
            };
            self.fail(&format!("{material}.{}", table.ext), &error);
        }
        None
    }

    /// Disables the tables because of an error in a file. Only the first error is kept.
    fn fail(&self, file: &str, error: &ProbeError) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_failed.load(Ordering::Relaxed) {
            return;
        }
        // XBoard takes the words of the system for missing files for a sign that the engine could not be started.
        *problem = Some(match error {
            ProbeError::Read { error } if error.kind() == io::ErrorKind::NotFound => {
                format!("The tablebase file {file} has disappeared")
            }
            ProbeError::Read { error } if error.kind() == io::ErrorKind::PermissionDenied => {
                format!("The tablebase file {file} may not be read")
            }
            ProbeError::Read { error } => {
                format!("The tablebase file {file} cannot be read: {error}")
            }
            ProbeError::Magic { .. } | ProbeError::CorruptedTable { .. } => {
                format!("The tablebase file {file} is damaged; copy it again")
            }
        });
        self.has_failed.store(true, Ordering::Release);
    }
}

/// Returns `true` if the name of a file has the extension of this type of table.
fn has_type(path: &Path, table: &TableType) -> bool {
    path.extension()
        .is_some_and(|extension| extension == table.ext)
}
