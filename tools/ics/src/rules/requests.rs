//! Decisions on requests of the opponent during a game.

use super::facts::{GameFacts, RequestDecision};
use crate::config::{AbortAnswer, Config};
use crate::text::Request;

/// Decides on a request of the opponent.
pub fn answer(request: Request, config: &Config, game: &GameFacts) -> RequestDecision {
    match request {
        Request::Draw if config.draw.engine => RequestDecision::AskEngine,
        Request::Draw => decline("Sorry, I accept no draw offers."),
        Request::Takeback(half_moves) => takeback(half_moves, config, game),
        Request::Abort => abort(config, game),
        Request::Adjourn if config.adjourn.accept || game.stopping => RequestDecision::Accept,
        Request::Adjourn => decline("Sorry, I do not adjourn games."),
        Request::Pause => decline("Sorry, I cannot pause the clocks."),
        // Clocks that stand still by an error of the server would otherwise never run again.
        Request::Unpause => RequestDecision::Accept,
        Request::Switch => decline("Sorry, I do not exchange the colours."),
    }
}

fn decline(reason: &str) -> RequestDecision {
    RequestDecision::Decline(reason.to_owned())
}

fn takeback(half_moves: u32, config: &Config, game: &GameFacts) -> RequestDecision {
    let rules = &config.takeback;
    if !rules.accept {
        decline("Sorry, I accept no takebacks.")
    } else if game.rated && !rules.rated {
        decline("Sorry, I accept takebacks in unrated games only.")
    } else if half_moves == 0 || half_moves > game.half_moves {
        decline("There are not so many moves to take back.")
    } else if half_moves > rules.half_moves {
        RequestDecision::Decline(format!(
            "Sorry, I take back at most {} half-moves at a time.",
            rules.half_moves
        ))
    } else if game.takebacks >= rules.per_game {
        decline("Sorry, I accept no more takebacks in this game.")
    } else {
        RequestDecision::Accept
    }
}

fn abort(config: &Config, game: &GameFacts) -> RequestDecision {
    match config.abort.accept {
        AbortAnswer::Always => RequestDecision::Accept,
        AbortAnswer::Early if game.half_moves / 2 + 1 < config.abort.before_move => {
            RequestDecision::Accept
        }
        AbortAnswer::Early => decline("Sorry, I abort a game only in its first moves."),
        AbortAnswer::Never => decline("Sorry, I do not abort games."),
    }
}
