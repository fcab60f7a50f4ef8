//! The settings of the engine as typed values.

use std::collections::BTreeMap;
use std::time::Duration;

use super::parts::{
    BookChoice, BookSettings, ChatSettings, ContemptSettings, DrawAndResignSettings, LogSettings,
    SearchSettings, StrengthSettings, TablebaseChoice,
};

/// Largest size of the transposition table in mebibytes: one tebibyte.
pub const MAX_HASH_MEGABYTES: u64 = 1 << 20;

/// Largest number of search threads.
pub const MAX_THREADS: usize = 256;

/// Memory in mebibytes for everything except the transposition table and the search threads.
const BASE_MEGABYTES: u64 = 2;

/// Memory of one search thread in mebibytes, mostly histories and accumulators.
const THREAD_MEGABYTES: u64 = 7;

/// All settings of the engine. [`Config::default`] has the defaults of the table of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Settings of the search threads.
    pub search: SearchSettings,
    /// Endgame tablebases.
    pub tablebases: TablebaseChoice,
    /// Opening book.
    pub book: BookSettings,
    /// Settings for draw offers and resignation.
    pub draw_and_resign: DrawAndResignSettings,
    /// Settings for the value of draws.
    pub contempt: ContemptSettings,
    /// Settings of the playing strength.
    pub strength: StrengthSettings,
    /// Settings for messages on chess servers.
    pub chat: ChatSettings,
    /// Settings of the log.
    pub log: LogSettings,
    /// Time reserved per move for communication with the GUI.
    pub move_overhead: Duration,
    /// Memory in mebibytes that the GUI grants in total (`memory`); `None` before the command.
    pub granted_megabytes: Option<u64>,
    /// Name of the settings file; may be empty.
    pub settings_file: String,
    /// Values of the options as text.
    pub(super) values: OptionValues,
    /// Number of times that a network file was named in `EvalFile`.
    /// [`EvaluationChoice::revision`](super::EvaluationChoice::revision) can return to a lower number, so it cannot
    /// supply the next one.
    pub(super) eval_file_count: u64,
    /// Number of times that directories of tablebases were named.
    pub(super) tablebase_count: u64,
    /// Number of times that a book file was named.
    pub(super) book_count: u64,
}

/// The values of the options as text, for the GUI and for the settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    /// Values by name of the option or parameter; one that is missing here has its default.
    pub(super) changed: BTreeMap<&'static str, String>,
}

impl Config {
    /// Returns the values of all options as text.
    pub fn option_values(&self) -> &OptionValues {
        &self.values
    }

    /// Returns all settings in one line, for the head of a log file.
    pub fn summary(&self) -> String {
        format!("{self:?}")
    }

    /// Stores the name of a network file. A name that is not empty gets a new revision, so that naming the same file
    /// again loads it again.
    pub(super) fn set_eval_file(&mut self, path: &str) {
        let evaluation = &mut self.search.evaluation;
        evaluation.eval_file = path.into();
        evaluation.revision = 0;
        if !path.is_empty() {
            self.eval_file_count += 1;
            evaluation.revision = self.eval_file_count;
        }
    }

    /// Stores the directories of the tablebases. A path that is not empty gets a new revision, so that naming the same
    /// directories again loads the tables again.
    pub(super) fn set_tablebases(&mut self, path: &str) {
        let path = path.trim().to_owned();
        let mut revision = 0;
        if !path.is_empty() {
            self.tablebase_count += 1;
            revision = self.tablebase_count;
        }
        self.tablebases = TablebaseChoice { path, revision };
    }

    /// Stores the name of the book file. A name that is not empty gets a new revision, so that naming the same file
    /// again reads it again.
    pub(super) fn set_book_file(&mut self, path: &str) {
        let file = path.trim().to_owned();
        let mut revision = 0;
        if !file.is_empty() {
            self.book_count += 1;
            revision = self.book_count;
        }
        self.book.choice = BookChoice { file, revision };
    }

    /// Sets the memory, in mebibytes, that the GUI grants in total (`memory N`).
    ///
    /// The transposition table gets what the search threads leave, but at least three quarters: a smaller table would
    /// weaken the search, and `cores` may ask for more threads than there are processors.
    pub fn set_memory(&mut self, megabytes: u64) {
        self.granted_megabytes = Some(megabytes);
        let other = BASE_MEGABYTES + THREAD_MEGABYTES * self.search.threads as u64;
        self.search.hash_megabytes = megabytes
            .saturating_sub(other.min(megabytes / 4))
            .clamp(1, MAX_HASH_MEGABYTES);
    }

    /// Sets the number of search threads (`cores N`), at most [`MAX_THREADS`].
    pub fn set_cores(&mut self, cores: u64) {
        self.search.threads = usize::try_from(cores)
            .unwrap_or(MAX_THREADS)
            .clamp(1, MAX_THREADS);
        if let Some(megabytes) = self.granted_megabytes {
            self.set_memory(megabytes);
        }
    }
}
