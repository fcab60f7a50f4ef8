//! Requests of the opponent during a game, and the end of the program during a game.

use std::time::{Duration, Instant};

use super::account::{Account, Stop};
use super::actions::EngineOrder;
use super::phase::Phase;
use crate::config::OnTerm;
use crate::rules::{self, GameFacts, RequestDecision};
use crate::text::Request;

/// Time for the opponent to answer a request for an adjournment. Then the account logs out, and the server adjourns the
/// game of registered players.
const ADJOURNMENT: Duration = Duration::from_secs(30);

impl Account {
    /// Answers a request of the opponent.
    pub(super) fn on_opponents_request(&mut self, from: &str, request: Request, now: Instant) {
        let stopping = matches!(self.stop, Some(Stop::AfterGame { limit }) if now >= limit);
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        let facts = GameFacts {
            rated: play.start.rated != Some(false),
            half_moves: u32::try_from(play.game.ply()).unwrap_or(u32::MAX),
            takebacks: play.takebacks,
            stopping,
        };
        match rules::answer(request, &self.config, &facts) {
            RequestDecision::AskEngine => self.order(EngineOrder::OfferDraw),
            RequestDecision::Accept => {
                if let Request::Takeback(_) = request {
                    // A move that is on its way now would be played in another position.
                    play.expect_takeback(now);
                }
                self.send(format!("accept {}", name(request)));
            }
            RequestDecision::Decline(reason) => {
                self.send(format!("decline {}", name(request)));
                self.explain(from, &reason);
            }
        }
    }

    /// Requests an adjournment or logs out if the program must end before the game does.
    pub(super) fn tick_stop(&mut self, now: Instant) {
        let Some(Stop::AfterGame { limit }) = self.stop else {
            return;
        };
        let on_term = self.config.shutdown.on_term;
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        if now < limit {
            return;
        }
        match play.adjournment_requested {
            None => {
                play.adjournment_requested = Some(now);
                self.send("adjourn");
            }
            Some(requested) if now >= requested + ADJOURNMENT => self.leave_game(now, on_term),
            Some(_) => {}
        }
    }

    fn leave_game(&mut self, now: Instant, on_term: OnTerm) {
        let text = match on_term {
            OnTerm::Adjourn => {
                "the opponent does not agree to an adjournment; the account logs out"
            }
            OnTerm::Finish => {
                "the game has not ended within [shutdown] limit; the account logs out"
            }
        };
        self.log(crate::report::Level::Warning, text.into());
        self.interrupt_game("*", "the account logs out");
        self.leave(now);
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
