//! How games end: claims, offers, results.

use std::time::Instant;

use super::{Machine, Mode};
use crate::clock::ClockReports;
use crate::protocol::command::GameResult;
use crate::protocol::manners::{Manners, Policy};
use crate::protocol::reply::Reply;
use crate::rules::{DrawReason, Outcome};
use crate::types::Color;

impl Machine {
    /// If the game is over on the board, says so and ends it. On a server a draw claim is a request (xboard makes a
    /// draw offer of it), so there the game goes on until the server says that it is over.
    pub(super) fn claim_outcome(&mut self, engine: Color) -> bool {
        let Some(outcome) = self.game.outcome() else {
            return false;
        };
        if self.players.server.is_some()
            && let Outcome::Draw(reason) = outcome
            && reason != DrawReason::Stalemate
        {
            if self.manners.claims_draw(self.game.len()) {
                self.say(Reply::Result(outcome));
            }
            return false;
        }
        self.say(Reply::Result(outcome));
        self.mode = Mode::Over { engine };
        true
    }

    /// How to behave towards the present opponent.
    pub(super) fn policy(&self) -> Policy {
        Policy::new(&self.config.draw_and_resign, &self.players)
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
        if waiting && self.manners.accepts_draw(&self.policy(), self.game.len()) {
            self.manners.offer_answered();
            self.say(Reply::OfferDraw);
        }
    }

    /// `result`: the game is over, whatever the board says. Analysis goes on.
    pub(super) fn game_result(&mut self, result: GameResult, now: Instant) {
        self.say_goodbye(result, now);
        self.players.forget_opponent();
        self.manners = Manners::default();
        self.clock_reports = ClockReports::default();
        if self.mode.is_analysing() {
            return self.resume(now);
        }
        self.settle(now);
        if let Mode::Waiting { engine } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}
