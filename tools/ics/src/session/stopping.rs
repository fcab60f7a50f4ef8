//! The end of the program: signals, adjournment of the running game, and logout.

use std::time::{Duration, Instant};

use super::account::Account;
use super::actions::{Action, Exit};
use super::phase::{Phase, Stop};
use crate::config::OnTerm;
use crate::report::{Event, Level};

/// Time for the opponent to answer a request for an adjournment. Then the account ends the connection, and the server
/// adjourns the game of registered players.
const ADJOURNMENT: Duration = Duration::from_secs(30);

/// Time for the server to close the connection after `quit`.
const LEAVING: Duration = Duration::from_secs(5);

impl Account {
    /// Handles SIGTERM, SIGINT and SIGHUP. The second one ends the program at once.
    pub(super) fn on_signal(&mut self, now: Instant) {
        self.signals += 1;
        if self.signals > 1 {
            self.stop = Some(Stop::Now);
            if self.phase.is_game() {
                let text = "the program leaves the game; the server adjourns it, or ends it if a guest plays";
                self.log(Level::Notice, text.into());
            }
            self.end(Exit::Stopped);
            return;
        }
        self.report(Event::Stopping {
            reason: "signal".into(),
        });
        match self.config.shutdown.on_term {
            OnTerm::Finish => self.stop_after_game(now),
            OnTerm::Adjourn => self.request_stop(now, now),
        }
    }

    /// Ends the program at once. A running game is interrupted.
    pub(super) fn stop_now(&mut self, now: Instant) {
        self.stop = Some(Stop::Now);
        self.leave(now);
    }

    /// Ends the program after the running game, or at the configured limit.
    pub(super) fn stop_after_game(&mut self, now: Instant) {
        let minutes = self.config.shutdown.limit;
        let limit = now + Duration::from_secs(minutes.saturating_mul(60));
        self.request_stop(limit, now);
    }

    /// Ends the program after the running game. An adjournment is requested at `limit`.
    fn request_stop(&mut self, limit: Instant, now: Instant) {
        match self.stop {
            Some(Stop::Now) => return,
            Some(Stop::AfterGame { limit: earlier }) => {
                self.stop = Some(Stop::AfterGame {
                    limit: limit.min(earlier),
                });
            }
            None => self.stop = Some(Stop::AfterGame { limit }),
        }
        match self.phase {
            Phase::Starting(_) | Phase::Playing(_) => {
                // Otherwise the adjournment is reported.
                if now < limit {
                    self.log(Level::Notice, "the program ends after this game".into());
                }
            }
            Phase::Idle { .. } => self.leave(now),
            Phase::Offline { .. } | Phase::LoggingIn { .. } => self.end(Exit::Stopped),
            Phase::Leaving { .. } => {}
        }
    }

    /// Requests an adjournment or logs out if the program must end before the game does.
    pub(super) fn tick_stop(&mut self, now: Instant) {
        let Some(Stop::AfterGame { limit }) = self.stop else {
            return;
        };
        if now < limit || !self.phase.is_game() {
            return;
        }
        match self.adjournment {
            None => {
                self.adjournment = Some(now);
                let text = "the program requests the adjournment of this game, and ends after it";
                self.log(Level::Notice, text.into());
                self.send("adjourn");
            }
            Some(requested) if now >= requested + ADJOURNMENT => {
                self.log(
                    Level::Warning,
                    "the game has neither ended nor been adjourned; the account logs out".into(),
                );
                self.leave(now);
            }
            Some(_) => {}
        }
    }

    /// Reports that the opponent has declined the adjournment that the program has requested.
    pub(super) fn on_adjournment_declined(&mut self, by: &str, now: Instant) {
        if let Some(requested) = self.adjournment {
            let left = (requested + ADJOURNMENT).saturating_duration_since(now);
            let text = format!(
                "{by} declines the adjournment; if the game has not ended in {} s, the account logs out",
                left.as_secs()
            );
            self.log(Level::Notice, text);
        }
    }

    /// Logs out. During a game the servers refuse `quit`; they adjourn it at the end of the connection.
    pub(super) fn leave(&mut self, now: Instant) {
        if self.phase.is_game() {
            self.leave_game("the account logs out");
            self.actions.push(Action::Disconnect);
            self.end(Exit::Stopped);
            return;
        }
        self.send("quit");
        self.phase = Phase::Leaving {
            until: now + LEAVING,
        };
    }

    /// Ends the program at the end of the connection, if that is what it waits for. Returns `true` if it does.
    pub(super) fn ends_with_connection(&mut self) -> bool {
        let is_leaving = matches!(self.phase, Phase::Leaving { .. });
        let ends = is_leaving || self.stop.is_some();
        if ends {
            self.end(Exit::Stopped);
        }
        ends
    }

    /// Does what the time requires while the account logs out, or resigns because the engine cannot play.
    pub(super) fn tick_end(&mut self, now: Instant) {
        let is_over = matches!(self.phase, Phase::Leaving { until } if now >= until);
        if is_over {
            self.end(Exit::Stopped);
        }
        if let Some((_, exit)) = self.exit.take_if(|(at, _)| now >= *at) {
            self.end(exit);
        }
    }
}
