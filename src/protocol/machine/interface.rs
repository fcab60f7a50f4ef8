//! The types that the machine exchanges with its caller.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::book::{BookSource, Learned, LearnedMove};
use crate::config::{Config, LogSettings};
use crate::messages::SearchOrder;
use crate::protocol::reply::Reply;

/// Longest line in bytes. No GUI sends lines of this length; the machine rejects longer ones.
pub const MAX_LINE_BYTES: usize = 1 << 16;

/// The initial state of a machine.
#[derive(Clone, Debug, Default)]
pub struct MachineSettings {
    /// Set if a person types at a terminal: the machine explains errors until `xboard` arrives.
    pub is_terminal: bool,
    /// The settings that the search starts with, too.
    pub config: Config,
    /// Settings that [`Machine::start`](super::Machine::start) applies.
    pub start: StartSettings,
    /// Opening book that is used unless the settings name another one; `None` for no book.
    pub built_in_book: Option<Arc<dyn BookSource>>,
    /// Seed of the choice among book moves.
    pub book_seed: u64,
}

/// Settings from the command line and the environment, which apply before the first command.
#[derive(Clone, Debug, Default)]
pub struct StartSettings {
    /// Names of settings files, in the order in which they apply.
    pub files: Vec<StartSetting>,
    /// Options `NAME=VALUE` that apply after the files, in order.
    pub options: Vec<StartSetting>,
}

/// A file or an option of the [`StartSettings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartSetting {
    /// The setting with its origin, for messages, such as `--set MultiPV=3`.
    pub description: String,
    /// Name of the file, or `NAME=VALUE`.
    pub text: String,
}

/// An action that the caller carries out.
#[derive(Clone, Debug)]
pub enum Action {
    /// Print a reply.
    Reply(Reply),
    /// Send an order to the search.
    Search(SearchOrder),
    /// Configure the log.
    Log {
        /// Settings of the log.
        settings: LogSettings,
        /// Summary of all settings, for the head of a log file.
        summary: String,
    },
    /// Write this summary of all settings into the log, if it is open: they have changed since its head was written.
    LogSettings(String),
    /// Read the settings file of this name, and report its content as [`SettingsEvent::Read`].
    ReadSettings(String),
    /// Read the network file with this path, send the network to the search, and report the result to
    /// [`Machine::on_network`](super::Machine::on_network). An empty path stands for the built-in network.
    ReadNetwork(PathBuf),
    /// Look for tablebases in the directories of this path, send them to the search, and report what was found to
    /// [`Machine::on_tablebases`](super::Machine::on_tablebases). An empty path stands for no tablebases.
    ReadTablebases(String),
    /// Open this book file, and report it to [`Machine::on_book`](super::Machine::on_book). An empty name stands for
    /// the built-in book.
    ReadBook {
        /// Name of the book file.
        file: String,
        /// Set if the results that were learned for this book are to be read, too.
        learns: bool,
    },
    /// Add the result of a game to the file of results that belongs to this book, and report all results to
    /// [`Machine::on_learned`](super::Machine::on_learned).
    LearnBook {
        /// Name of the book file; empty for the built-in book.
        file: String,
        /// Moves of the game with its result.
        moves: Vec<LearnedMove>,
    },
    /// Write the settings file completely or not at all, and report [`SettingsEvent::Written`].
    WriteSettings {
        /// Name of the file.
        path: String,
        /// Content of the file.
        text: String,
        /// Set if Gaur has read or written the file: an existing file may then be replaced.
        may_replace: bool,
    },
    /// Report an error if the file that is being read or written is not finished within this time.
    FileWithin(Duration),
    /// Stop reading commands, and quit after this time, but not while
    /// [`Machine::must_not_quit`](super::Machine::must_not_quit) returns `true`. A move or a pong is still to be sent.
    QuitWithin(Duration),
    /// Print messages on standard error, without waiting for its reader.
    PrintErrors(Vec<String>),
    /// Quit. No action follows.
    Quit,
}

/// The result of an [`Action::ReadTablebases`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablebaseReport {
    /// Largest number of men of a table; 0 if there is none.
    pub men: usize,
    /// Number of tables of results (WDL).
    pub wdl: usize,
    /// Number of tables of distances (DTZ).
    pub dtz: usize,
    /// Problem of the path or a file, as the beginning of a sentence.
    pub problem: Option<String>,
    /// Set if the problem is only that directories do not exist or contain no tables.
    pub is_absence: bool,
}

/// The result of an [`Action::ReadBook`].
#[derive(Clone, Debug)]
pub struct BookReport {
    /// The book, or the reason why it cannot be used, as the beginning of a sentence.
    pub book: Result<Arc<dyn BookSource>, String>,
    /// Results that were learned; `None` if they are not wanted or their file cannot be used.
    pub learned: Option<Learned>,
    /// Problem of the file of results, as complete sentences.
    pub problem: Option<String>,
}

/// The result of an [`Action::ReadSettings`] or [`Action::WriteSettings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsEvent {
    /// Name of the file, and its content or the reason why it could not be read.
    Read(String, Result<String, FileProblem>),
    /// Name of the file, and the reason why it could not be written; it is then unchanged.
    Written(String, Result<(), FileProblem>),
}

/// The reason why a file could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileProblem {
    /// The file or its folder does not exist.
    Missing,
    /// Another reason, in words that follow the name of the file.
    Other(String),
}
