//! Requests of the opponent during a game.

use std::time::Instant;

use super::account::Account;
use super::phase::{Phase, Stop};
use crate::engine::Order;
use crate::report::Level;
use crate::rules::{self, GameFacts, RequestDecision};
use crate::text::{Refusal, Request, RequestNotice};

impl Account {
    /// Answers a request of the opponent.
    pub(super) fn on_request(&mut self, from: &str, request: Request, now: Instant) {
        // Requests of others, for example in a simultaneous exhibition, do not concern the game.
        let is_opponent = (self.opponent()).is_some_and(|name| name.eq_ignore_ascii_case(from));
        if !is_opponent {
            return;
        }
        let stopping = matches!(self.stop, Some(Stop::AfterGame { limit }) if now >= limit);
        let (rated, half_moves, takebacks) = match &self.phase {
            Phase::Playing(play) => (play.start.rated, play.game.ply(), play.takebacks),
            Phase::Starting(starting) => (starting.start.rated, starting.half_moves(), 0),
            _ => return,
        };
        let facts = GameFacts {
            rated: rated != Some(false),
            half_moves: u32::try_from(half_moves).unwrap_or(u32::MAX),
            takebacks,
            stopping,
        };
        let decision = match rules::answer(request, &self.config, &facts) {
            // The engine has no position yet.
            RequestDecision::AskEngine if !matches!(self.phase, Phase::Playing(_)) => {
                RequestDecision::Decline("The game has not begun here yet.".into())
            }
            other => other,
        };
        match decision {
            RequestDecision::AskEngine => {
                if let Phase::Playing(play) = &mut self.phase {
                    play.is_draw_offered = true;
                }
                self.order(Order::OfferDraw);
            }
            RequestDecision::Accept => {
                if let (Request::Takeback(_), Phase::Playing(play)) = (request, &mut self.phase) {
                    // A move that is on its way now would be played in another position.
                    play.expect_takeback(now);
                }
                // The opponent may change the number meanwhile; the same command with another number is a new request.
                self.send(match request {
                    Request::Takeback(half_moves) => format!("takeback {half_moves}"),
                    _ => format!("accept {}", name(request)),
                });
            }
            RequestDecision::Decline(reason) => {
                self.send(format!("decline {}", name(request)));
                self.explain(from, &reason);
            }
        }
    }

    /// Names the command that has answered or withdrawn an offer, if the server refuses it.
    pub(super) fn report_refused_answer(&mut self, refusal: &Refusal) {
        let concerns = |command: &&mut String| match refusal {
            Refusal::NothingPending => true,
            Refusal::UnknownCommand(text)
            | Refusal::BadCommand(text)
            | Refusal::NotAllowed(text) => {
                let verb = command.split(' ').next().unwrap_or_default();
                text.to_ascii_lowercase().contains(verb)
            }
            _ => false,
        };
        if let Some(command) = self.last_answer.take_if(|command| concerns(&command)) {
            let text = format!("the server refuses `{command}`: {refusal}");
            self.log(Level::Warning, text);
        }
    }

    /// Follows the end of a request.
    pub(super) fn on_request_notice(&mut self, notice: &RequestNotice, now: Instant) {
        match notice {
            RequestNotice::Withdrawn { request, .. } | RequestNotice::Removed(request) => {
                match request {
                    Request::Takeback(_) => self.release_held_move(now),
                    Request::Draw => {
                        if let Phase::Playing(play) = &mut self.phase {
                            play.is_draw_offered = false;
                        }
                    }
                    _ => {}
                }
            }
            // The opponent's request was over when the agreement arrived, which became a request of its own.
            RequestNotice::Sent(Request::Takeback(_)) => {
                self.send("withdraw takeback");
                self.release_held_move(now);
            }
            RequestNotice::Declined {
                from,
                request: Request::Adjourn,
            } => self.on_adjournment_declined(from, now),
            RequestNotice::Declined { .. }
            | RequestNotice::Accepted { .. }
            | RequestNotice::Sent(_) => {}
        }
    }
}

/// Returns the name of a request, as the server's `accept` and `decline` expect it.
fn name(request: Request) -> &'static str {
    match request {
        Request::Draw => "draw",
        Request::Abort => "abort",
        Request::Adjourn => "adjourn",
        Request::Takeback(_) => "takeback",
        Request::Pause => "pause",
        Request::Unpause => "unpause",
        Request::Switch => "switch",
    }
}
