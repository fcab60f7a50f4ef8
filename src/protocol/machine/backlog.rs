//! Commands that wait for the search or for a network.
//!
//! A pong confirms that every command before its ping has taken effect, and it precedes the replies to later commands.
//! Later commands therefore wait while the pong waits for settings or for a new game, for which a large transposition
//! table must be cleared.
//!
//! Only the content of the file that `EvalFile` names shows whether it is a network. Settings that are saved or
//! announced afterwards must name the network in use, and the next move must be found with it. All later commands
//! therefore wait, in their order, until the file has been read and the search has applied the settings.

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

/// Waiting inputs, and the network that they wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    /// Waiting inputs, oldest first.
    inputs: VecDeque<Input>,
    /// Settings of the search while a network for other settings is being read.
    settings_before_network: Option<Box<SearchSettings>>,
}

impl Backlog {
    /// Returns `true` if no input waits.
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Records that a network was requested; the search has the settings `before`.
    ///
    /// There is never a second request before the result of the first, so that a result needs no identification. Only
    /// commands and settings files change the evaluation. Commands wait for the result, and a settings file is read and
    /// applied before the command after it is handled.
    pub(super) fn on_network_requested(&mut self, before: &SearchSettings) {
        debug_assert!(!self.waits_for_network(), "commands wait for a network");
        self.settings_before_network = Some(Box::new(before.clone()));
    }

    /// Records the result of a request, and returns the settings of the search if there was a request.
    pub(super) fn on_network_result(&mut self) -> Option<Box<SearchSettings>> {
        self.settings_before_network.take()
    }

    /// Returns `true` while a network is being read.
    pub(super) fn waits_for_network(&self) -> bool {
        self.settings_before_network.is_some()
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
    fn inputs_wait_for_the_result_of_a_network_request() {
        let mut backlog = Backlog::default();
        let settings = SearchSettings::default();
        assert!(!backlog.waits_for_network());
        backlog.on_network_requested(&settings);
        assert!(backlog.waits_for_network());
        assert_eq!(backlog.on_network_result(), Some(Box::new(settings)));
        assert!(!backlog.waits_for_network() && backlog.on_network_result().is_none());
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
