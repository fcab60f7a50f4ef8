//! Lines that wait for the search or for a network.
//!
//! A pong confirms that everything before its ping has been done, and precedes the answers to later lines. Later lines
//! therefore wait as long as the pong waits for settings or for a new game, which clears the table.
//!
//! Only the content of the file that `EvalFile` names shows whether it is a network. Later settings to be saved or
//! announced must name the network in use, and a later move must be found with it. All later lines therefore wait, in
//! their order, until the file has been read and the search has taken over the settings.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{Action, Machine, PATIENCE_AT_END_OF_INPUT};
use crate::config::SearchSettings;
use crate::messages::SearchOrder;
use crate::protocol::command::Command;
use crate::protocol::parser;

/// Longest time that `quit` waits for lines before it; a GUI waits half a second for the end of the process.
const PATIENCE_AT_QUIT: Duration = Duration::from_millis(150);

/// While more lines than this wait, no more are to be read.
const MANY: usize = 1 << 8;

/// Something from the GUI that has not been obeyed yet, and when it arrived.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    /// A line.
    Line(String, Instant),
    /// The end of input.
    End(Instant),
}

/// Lines that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    lines: VecDeque<Waiting>,
    /// Number of the last settings that ask for another evaluation.
    evaluation: u64,
    /// The settings that the search has, while a network for other ones is being read.
    pub(super) loading: Option<Box<SearchSettings>>,
}

impl Backlog {
    /// Returns `true` if no line waits.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns `true` while a network is being read.
    pub(super) fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Drops all lines: they came behind `quit`.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }
}

impl Machine {
    /// Returns `true` if so many lines wait that no more should be read for now.
    pub fn has_many_waiting(&self) -> bool {
        self.backlog.lines.len() >= MANY
    }

    /// Returns `true` if a line that arrives now must wait.
    pub(super) fn is_behind(&self) -> bool {
        self.backlog.is_loading() || self.awaits_search() || !self.backlog.is_empty()
    }

    /// Lets a line or the end of input wait, and those before it no longer for a move.
    pub(super) fn put_off(&mut self, waiting: Waiting) {
        let patience = match &waiting {
            Waiting::End(_) => Some(PATIENCE_AT_END_OF_INPUT),
            // It is obeyed in its turn, but the GUI soon kills an engine that does not leave.
            Waiting::Line(line, _) if parser::parse(line.trim()) == Ok(Command::Quit) => {
                Some(PATIENCE_AT_QUIT)
            }
            Waiting::Line(..) => None,
        };
        if let Some(patience) = patience {
            self.actions.push(Action::QuitWithin(patience));
        }
        self.backlog.lines.push_back(waiting);
        self.request_confirmation();
        self.catch_up(false);
    }

    /// Lets later lines wait until the search has taken over the settings sent last.
    pub(super) fn await_evaluation(&mut self) {
        self.backlog.evaluation = self.pongs.settings_sent();
    }

    fn awaits_search(&self) -> bool {
        self.pongs.settings_done() < self.backlog.evaluation || self.pongs.wait_for_settings()
    }

    /// Asks the search to take over settings soon, if lines wait for that.
    pub(super) fn request_confirmation(&mut self) {
        if self.awaits_search() && !self.backlog.is_empty() {
            self.order(SearchOrder::ConfirmNow);
        }
    }

    /// Obeys the lines that have waited, as far as possible. `for_move`: those behind `?` wait for its move.
    pub(super) fn catch_up(&mut self, for_move: bool) {
        while self.may_catch_up(for_move)
            && let Some(next) = self.backlog.lines.pop_front()
        {
            match next {
                Waiting::Line(line, arrived) => self.take_line(&line, arrived),
                Waiting::End(arrived) => self.end_input(arrived),
            }
            self.end_step();
        }
    }

    fn may_catch_up(&self, for_move: bool) -> bool {
        let waits_for_move = for_move && self.is_hurried();
        !(self.backlog.is_loading() || self.awaits_search() || self.awaits_file() || waits_for_move)
    }

    /// Returns `true` if this call wants a file read or written, which happens before the next line is obeyed.
    fn awaits_file(&self) -> bool {
        self.actions.iter().any(|action| {
            matches!(
                action,
                Action::ReadSettings(_) | Action::WriteSettings { .. }
            )
        })
    }
}
