//! How games end: claims, offers, results.

use std::time::Instant;

use super::{Machine, Mode};
use crate::clock::Heard;
use crate::protocol::manners::Manners;
use crate::protocol::reply::Reply;
use crate::types::Color;

impl Machine {
    /// If the game is over on the board, says so and ends it.
    pub(super) fn claim_outcome(&mut self, engine: Color) -> bool {
        let Some(outcome) = self.game.outcome() else {
            return false;
        };
        self.say(Reply::Result(outcome));
        self.mode = Mode::Over { engine };
        true
    }

    /// `draw`: an offer, accepted at once or when the engine has seen the move that came with it. Some GUIs send every
    /// move in force mode, so an offer made there is kept for the `go` that follows.
    pub(super) fn draw(&mut self) {
        if self.mode.is_analysing() || matches!(self.mode, Mode::Over { .. } | Mode::Editing { .. })
        {
            return;
        }
        self.manners.draw_offered();
        let waiting = matches!(self.mode, Mode::Waiting { .. } | Mode::Pondering { .. })
            || (matches!(self.mode, Mode::Paused { .. }) && self.mode.thinking().is_none());
        if waiting && self.manners.accepts_draw(self.game.len()) {
            self.manners.offer_answered();
            self.say(Reply::OfferDraw);
        }
    }

    /// `result`: the game is over, whatever the board says. Analysis goes on.
    pub(super) fn game_result(&mut self, now: Instant) {
        self.players.forget_opponent();
        self.manners = Manners::default();
        self.heard = Heard::default();
        if self.mode.is_analysing() {
            return self.resume(now);
        }
        self.settle(now);
        if let Mode::Waiting { engine } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}
