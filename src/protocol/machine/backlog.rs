//! Commands that wait for the search or for a file.
//!
//! A pong confirms that every command before its ping has taken effect, and it precedes the replies to later commands.
//! Later commands therefore wait while the pong waits for settings or for a new game, for which a large transposition
//! table must be cleared.
//!
//! Only the content of a file shows whether it is a network or a tablebase, or which settings it has. Settings that
//! are saved or announced afterwards must name the network in use, and the next move must be found with it. All later
//! commands therefore wait, in their order, until the file has been read and the search has applied the settings. While
//! a file is being written, only those commands wait that concern files or confirm that it has been written.

use std::collections::VecDeque;
use std::time::Instant;

use crate::config::SearchSettings;

/// Number of waiting inputs at which the caller stops reading commands.
const MAX_WAITING: usize = 1 << 8;

/// An input that has not been handled yet, with its arrival time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line from the GUI.
    Line(String, Instant),
    /// The end of input.
    End(Instant),
}

/// A file that is being read or written.
#[derive(Clone, Debug)]
pub(super) enum PendingFile {
    /// A network; the search has the settings before it.
    Network(Box<SearchSettings>),
    /// The directories of tablebases are being read.
    Tablebases,
    /// A book file is being opened.
    Book,
    /// The result of a game is being added to a file.
    BookLearning,
    /// A settings file is being read.
    ReadSettings,
    /// A settings file is being written.
    WriteSettings,
}

/// Waiting inputs, and the file that they wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    /// Waiting inputs, oldest first.
    inputs: VecDeque<Input>,
    /// File that is being read or written. There is at most one, so that a result needs no identification.
    file: Option<PendingFile>,
    /// Set if the time of the file has been limited.
    is_file_limited: bool,
}

impl Backlog {
    /// Returns `true` if no input waits.
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Records that a file is being read or written.
    ///
    /// There is never a second file before the result of the first. Only commands and settings files cause the access
    /// to a file. These commands wait for the result, and a settings file has been read when it is applied.
    pub(super) fn on_file_requested(&mut self, file: PendingFile) {
        debug_assert!(self.file.is_none(), "commands wait for a file");
        self.file = Some(file);
        self.is_file_limited = false;
    }

    /// Records the result for a network, and returns the settings of the search if there was a request.
    pub(super) fn on_network_result(&mut self) -> Option<Box<SearchSettings>> {
        match self
            .file
            .take_if(|file| matches!(file, PendingFile::Network(_)))
        {
            Some(PendingFile::Network(before)) => Some(before),
            _ => None,
        }
    }

    /// Records the result for a settings file.
    pub(super) fn on_settings_result(&mut self) {
        self.file
            .take_if(|file| matches!(file, PendingFile::ReadSettings | PendingFile::WriteSettings));
    }

    /// Records the result for tablebases. Returns `true` if there was a request.
    pub(super) fn on_tablebase_result(&mut self) -> bool {
        self.file
            .take_if(|file| matches!(file, PendingFile::Tablebases))
            .is_some()
    }

    /// Records the result for a book. Returns `true` if there was a request.
    pub(super) fn on_book_result(&mut self) -> bool {
        self.file
            .take_if(|file| matches!(file, PendingFile::Book))
            .is_some()
    }

    /// Records that the result of a game has been added to a file.
    pub(super) fn on_book_learned(&mut self) {
        self.file
            .take_if(|file| matches!(file, PendingFile::BookLearning));
    }

    /// Returns the file that is being read or written.
    pub(super) fn file(&self) -> Option<&PendingFile> {
        self.file.as_ref()
    }

    /// Returns `true` while a network is being read.
    pub(super) fn waits_for_network(&self) -> bool {
        matches!(self.file, Some(PendingFile::Network(_)))
    }

    /// Returns `true` while a file that settings name is being read.
    pub(super) fn waits_for_named_file(&self) -> bool {
        self.waits_for_network()
            || matches!(self.file, Some(PendingFile::Tablebases | PendingFile::Book))
    }

    /// Returns `true` once for each file if one is in work and an input that `is_urgent` waits.
    pub(super) fn limits_file(&mut self, is_urgent: impl Fn(&Input) -> bool) -> bool {
        let is_due =
            self.file.is_some() && !self.is_file_limited && self.inputs.iter().any(is_urgent);
        self.is_file_limited |= is_due;
        is_due
    }

    /// Returns the inputs, oldest first.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter()
    }

    /// Returns `true` if the caller should stop reading commands.
    pub(super) fn is_full(&self) -> bool {
        self.inputs.len() >= MAX_WAITING
    }

    /// Adds an input.
    pub(super) fn push(&mut self, input: Input) {
        self.inputs.push_back(input);
    }

    /// Removes and returns the oldest input.
    pub(super) fn pop(&mut self) -> Option<Input> {
        self.inputs.pop_front()
    }

    /// Discards all inputs, because they follow `quit`.
    pub(super) fn clear(&mut self) {
        self.inputs.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_pending_until_its_own_result() {
        let mut backlog = Backlog::default();
        let settings = Box::new(SearchSettings::default());
        assert!(!backlog.waits_for_network() && backlog.file().is_none());
        backlog.on_file_requested(PendingFile::Network(settings.clone()));
        backlog.on_settings_result();
        assert!(backlog.waits_for_network());
        assert_eq!(backlog.on_network_result(), Some(settings));
        assert!(!backlog.waits_for_network() && backlog.on_network_result().is_none());
        backlog.on_file_requested(PendingFile::ReadSettings);
        assert!(backlog.on_network_result().is_none() && backlog.file().is_some());
        backlog.on_settings_result();
        assert!(backlog.file().is_none());
    }

    #[test]
    fn the_time_of_each_file_is_limited_once_if_an_urgent_input_waits() {
        let is_urgent = |input: &Input| matches!(input, Input::End(_));
        let mut backlog = Backlog::default();
        for _ in 0..2 {
            assert!(!backlog.limits_file(is_urgent), "no file");
            backlog.on_file_requested(PendingFile::WriteSettings);
            backlog.push(Input::Line("ping 1".to_owned(), Instant::now()));
            assert!(!backlog.limits_file(is_urgent));
            backlog.push(Input::End(Instant::now()));
            assert!(backlog.limits_file(is_urgent) && !backlog.limits_file(is_urgent));
            backlog.on_settings_result();
            backlog.clear();
        }
    }

    #[test]
    fn inputs_keep_their_order_and_are_limited() {
        let now = Instant::now();
        let mut backlog = Backlog::default();
        for number in 0..MAX_WAITING - 1 {
            backlog.push(Input::Line(number.to_string(), now));
        }
        assert!(!backlog.is_full() && !backlog.is_empty());
        backlog.push(Input::End(now));
        assert!(backlog.is_full());
        assert_eq!(backlog.pop(), Some(Input::Line("0".to_owned(), now)));
        assert!(!backlog.is_full());
        backlog.clear();
        assert!(backlog.is_empty() && backlog.pop().is_none());
    }
}
