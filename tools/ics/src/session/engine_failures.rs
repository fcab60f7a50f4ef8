//! Failures of the engine during a game: its end, silence, illegal moves, and a variant that it does not play.

use std::time::Instant;

use super::account::Account;
use super::actions::{Action, Exit};
use super::engine_watch::Check;
use super::game_start::NOT_PLAYED;
use super::phase::Phase;
use crate::engine::{Order, Variant};
use crate::report::{Event, Level};

/// Illegal moves of the engine in a game before the account resigns.
const ILLEGAL_MOVES: u32 = 3;

impl Account {
    /// Handles an illegal move of the engine, which does not reach the server or is refused there.
    pub(super) fn on_illegal_move(&mut self, reason: &str, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.illegal_moves += 1;
        let count = play.illegal_moves;
        self.log(
            Level::Error,
            format!("the engine's move is refused ({count}): {reason}"),
        );
        let failure = "it makes illegal moves";
        match count {
            0..ILLEGAL_MOVES => self.restart_engine(failure, now),
            _ => {
                self.report_failure(failure);
                self.send("resign");
            }
        }
    }

    /// Checks that the engine is alive while it thinks.
    pub(super) fn tick_engine(&mut self, now: Instant) {
        let Phase::Playing(play) = &self.phase else {
            return;
        };
        let own_clock = play.has_clocks().then(|| play.clock(play.game.own(), now));
        match self.engine.check(own_clock, now) {
            Check::Fine => {}
            Check::Ask => {
                self.log(Level::Warning, "the engine is asked to move now".into());
                self.order(Order::MoveNow);
            }
            Check::Restart => {
                self.log(Level::Error, "the engine does not answer".into());
                self.restart_engine("it does not answer", now);
            }
        }
    }

    /// Reports a failure of the engine to programs that supervise the account.
    pub(super) fn report_failure(&mut self, reason: &str) {
        self.report(Event::EngineFailed {
            reason: reason.to_string(),
        });
    }

    /// Reports a failure of the engine and starts it again, with the running game, or ends the program if that has
    /// happened too often.
    pub(super) fn restart_engine(&mut self, reason: &str, now: Instant) {
        self.report_failure(reason);
        match self.engine.ended(now) {
            Ok(()) => {
                self.actions.push(Action::StartEngine);
                self.restart_game(now);
            }
            Err(_) if self.exit.is_some() => {}
            Err(_) => self.resign_and_end(Exit::Engine(reason.to_string()), now),
        }
    }

    /// Checks whether the engine, which has become ready after the beginning of the game, plays its variant. If not,
    /// the account tries to end the game. Features that arrive late end the attempts.
    pub(super) fn check_variant(&mut self, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        let variant = if play.game.is_fischer_random() {
            Variant::FischerRandom
        } else {
            Variant::Normal
        };
        if self.engine.plays(&variant) == Some(false) {
            self.refuse_game(NOT_PLAYED, now);
        } else if play.attempts.take().is_some() {
            self.restart_game(now);
        }
    }
}
