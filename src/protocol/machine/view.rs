//! The machine's state as a client in the same process sees it.

use std::time::{Duration, Instant};

use crate::config::Config;
use crate::game::Game;
use crate::types::Color;

use super::mode::Mode;
use super::state::Machine;

/// The current activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Force mode: both sides are played by others.
    Watching,
    /// The engine plays this side and does not search for a move. It may ponder.
    Waiting(Color),
    /// The engine searches for a move for this side.
    Thinking(Color),
    /// Analysis.
    Analysing,
    /// Edit mode, in which the lines are no commands.
    Editing,
    /// The game is over; the engine has played this side.
    Over(Color),
}

impl Machine {
    /// Returns the moves played so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the current activity, in a pause the one that it interrupts.
    pub fn activity(&self) -> Activity {
        activity(&self.mode)
    }

    /// Returns the settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns `true` while a file is read or written.
    pub fn has_pending_file(&self) -> bool {
        self.backlog.file().is_some()
    }

    /// Returns `true` while a file is read or written, or a command waits for one or for the search. A reply belongs to
    /// the newest line if no further line is passed on meanwhile.
    pub fn has_pending_work(&self) -> bool {
        self.has_pending_file() || !self.backlog.is_empty()
    }

    /// Returns the times that are left to the engine and to its opponent.
    pub fn remaining_times(&self, now: Instant) -> (Duration, Duration) {
        let clocks = self.time.clocks();
        (clocks.engine.remaining(now), clocks.opponent.remaining(now))
    }
}

fn activity(mode: &Mode) -> Activity {
    match *mode {
        Mode::Force => Activity::Watching,
        Mode::Waiting { engine } | Mode::Pondering { engine, .. } => Activity::Waiting(engine),
        Mode::Thinking { engine, .. } => Activity::Thinking(engine),
        Mode::Analysing { .. } => Activity::Analysing,
        Mode::Editing { .. } => Activity::Editing,
        Mode::Over { engine } => Activity::Over(engine),
        Mode::Paused { ref inner, .. } => activity(inner),
    }
}
