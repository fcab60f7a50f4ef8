//! The end of a game: draw claims, draw offers and results.

use std::time::Instant;

use crate::protocol::command::GameResult;
use crate::protocol::policy::PolicyState;
use crate::protocol::reply::Reply;
use crate::rules::{DrawReason, Outcome};
use crate::types::Color;

use super::chat::ChatContext;
use super::mode::Mode;
use super::state::Machine;

impl Machine {
    /// Claims the result and ends the game if the game is over on the board. Returns `true` if the game has ended.
    ///
    /// On a server a draw claim is a request: XBoard sends it as a draw offer. The game continues there until the
    /// server ends it.
    pub(super) fn claim_outcome(&mut self, engine: Color) -> bool {
        let Some(outcome) = self.game.outcome() else {
            return false;
        };
        if self.players.server.is_some()
            && let Outcome::Draw(reason) = outcome
            && reason != DrawReason::Stalemate
        {
            if self.policy_state.may_claim_draw(self.game.len()) {
                self.reply(Reply::Result(outcome));
            }
            return false;
        }
        self.reply(Reply::Result(outcome));
        self.mode = Mode::Over { engine };
        true
    }

    /// `draw`: an offer of the opponent. The engine answers at once, or with its next move. Some GUIs send every move
    /// in force mode, so an offer made there stands until the following `go`.
    pub(super) fn draw(&mut self) {
        if self.mode.is_analysing() || matches!(self.mode, Mode::Over { .. } | Mode::Editing { .. })
        {
            return;
        }
        self.policy_state.on_draw_offer();
        if self.mode.answers_draw_offers()
            && self.policy_state.accepts_draw(&self.policy(), self.stage())
        {
            self.policy_state.clear_draw_offer();
            self.reply(Reply::OfferDraw);
        }
    }

    /// `result`: the game is over. Analysis continues.
    pub(super) fn game_result(&mut self, result: GameResult, now: Instant) {
        self.learn_result(result);
        let context = ChatContext::new(&self.config.chat, &self.players, &self.game);
        let goodbye = self.chat.on_result(context, result, now);
        self.reply_if_any(goodbye);
        self.players.clear_opponent();
        self.policy_state = PolicyState::default();
        self.time.reset_reports();
        if self.mode.is_analysing() {
            return self.resume(now);
        }
        self.stop_search(now);
        if let Mode::Waiting { engine } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}

/// Returns `true` for an outcome that ends the game only if a player claims it.
pub(super) fn needs_claim(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Draw(DrawReason::Repetition | DrawReason::FiftyMoves)
    )
}
