//! Thinking on the opponent's time.

use std::time::Instant;

use super::{Machine, Mode};
use crate::messages::{Limits, Purpose, SearchOrder};
use crate::protocol::reply::Reply;

impl Machine {
    /// `hard`: ponder, from now on if the opponent is thinking already. Not on White's first move.
    pub(super) fn hard(&mut self, now: Instant) {
        self.switches.ponder = true;
        if !self.game.is_empty() {
            self.start_pondering(now);
        }
    }

    /// `easy`: stop pondering at once.
    pub(super) fn easy(&mut self) {
        self.switches.ponder = false;
        let mode = match &mut self.mode {
            Mode::Paused { inner, .. } => inner,
            other => other,
        };
        if let Mode::Pondering { search, .. } = *mode {
            mode.settle();
            self.order(SearchOrder::Abandon(search));
        }
    }

    /// Starts to ponder if that is wanted, the opponent is on move, and there is something to think about.
    pub(super) fn start_pondering(&mut self, now: Instant) {
        let Mode::Waiting { engine } = self.mode else {
            return;
        };
        let Some(position) = self.game.position() else {
            return;
        };
        if self.leaving || !self.switches.ponder || position.side_to_move() == engine {
            return;
        }
        let guess = self.game.expected();
        let mut position = position.clone();
        if let Some(guess) = guess {
            // The copy is for the search; nothing will be taken back in it.
            let _ = position.play(guess);
        }
        if position.outcome().is_some() {
            return;
        }
        let limits = Limits {
            depth: self.depth_limit,
            ..Limits::default()
        };
        let search = self.start_search(Purpose::Ponder, position, limits, Vec::new(), now);
        self.mode = Mode::Pondering {
            engine,
            search,
            guess,
        };
        self.say_guess();
    }

    /// Says the guess that is being pondered, since the thinking lines that follow begin after it.
    pub(super) fn say_guess(&mut self) {
        let guess = match &self.mode {
            Mode::Pondering { guess, .. } => *guess,
            Mode::Paused { inner, .. } => match **inner {
                Mode::Pondering { guess, .. } => guess,
                _ => None,
            },
            _ => None,
        };
        if let Some(guess) = guess.filter(|_| self.switches.post) {
            self.say(Reply::Hint(guess, self.game.variant()));
        }
    }
}
