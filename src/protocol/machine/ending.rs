//! How games end: claims, offers, results.

use std::time::Instant;

use super::{Machine, Mode};
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

    /// `draw`: an offer, accepted at once or when the engine has seen the move that came with it.
    pub(super) fn draw(&mut self) {
        let on_own_time = self.mode.thinking().is_some();
        let playing = matches!(
            self.mode,
            Mode::Waiting { .. } | Mode::Pondering { .. } | Mode::Paused { .. }
        );
        if !on_own_time && !playing {
            return;
        }
        self.manners.draw_offered();
        if !on_own_time && self.manners.accepts_draw(self.game.len()) {
            self.manners.offer_answered();
            self.say(Reply::OfferDraw);
        }
    }

    /// `result`: the game is over, whatever the board says. Analysis goes on.
    pub(super) fn game_result(&mut self, now: Instant) {
        self.players.forget_opponent();
        self.manners = Manners::default();
        if matches!(self.mode, Mode::Analysing { .. }) {
            return;
        }
        self.settle(now);
        if let Mode::Waiting { engine } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}
