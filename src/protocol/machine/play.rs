//! Playing a game: which side the engine takes, and its search for a move.

use std::time::Instant;

use super::{Machine, Mode};
use crate::messages::{Purpose, SearchOrder};
use crate::protocol::reply::Reply;
use crate::rules::{DrawReason, Outcome};
use crate::types::{Color, Move, Score};

impl Machine {
    /// `go`: play the side to move.
    pub(super) fn go(&mut self, now: Instant) {
        // Already at it: nothing changes.
        if self.mode.thinking().is_some() {
            return;
        }
        let Some(engine) = self.game.position().map(|position| position.side_to_move()) else {
            return;
        };
        self.settle(now);
        match self.game.outcome() {
            // Nobody has to claim it. Who asks for a move in such a position gets one: a GUI that ends the game
            // by our claim stops us anyway, and one that does not (python-chess) waits for the move.
            Some(outcome) if is_to_be_claimed(outcome) && self.players.server.is_none() => {
                self.say(Reply::Result(outcome));
                self.think(engine, now);
            }
            Some(_) => {
                if !self.claim_outcome(engine) {
                    self.think(engine, now);
                }
            }
            None => self.think(engine, now),
        }
    }

    /// `playother`: play the side that is not on move.
    pub(super) fn play_other(&mut self, now: Instant) {
        let Some(opponent) = self.game.position().map(|position| position.side_to_move()) else {
            return;
        };
        self.settle(now);
        self.clock_reports.discard();
        self.clocks.set_engine_color(!opponent);
        if !self.claim_outcome(!opponent) {
            self.mode = Mode::Waiting { engine: !opponent };
            self.clocks.run(opponent, now);
            self.start_pondering(now);
        }
    }

    /// `white` and `black`: that side is to move, and the engine plays the other. Old GUIs say the one, then the
    /// times, then the other, then `go`; so times said in between stay those of the engine.
    pub(super) fn give_move_to(&mut self, color: Color, now: Instant) {
        self.settle(now);
        self.clock_reports.discard();
        self.game.set_turn(color);
        self.clocks.set_provisional_engine_color(!color);
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Waiting { engine: !color };
        }
        self.position_changed(now);
    }

    /// `force`: play neither side. In analysis it only stops the search: the mode stays, and the next change of
    /// position starts it again, for some GUIs send `force` with every new position to analyse.
    pub(super) fn force(&mut self, now: Instant) {
        self.settle(now);
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Force;
        }
    }

    /// Starts a search for a move of the engine, which is on move.
    pub(super) fn think(&mut self, engine: Color, now: Instant) {
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        self.learn_lag(now);
        self.greet(now);
        self.clocks.set_engine_color(engine);
        self.clocks.run(engine, now);
        let limits = self.limits(now, now);
        let excluded = self.excluded_at_root(&position);
        let search = self.start_search(Purpose::Play, position, limits, excluded, now);
        self.mode = Mode::Thinking {
            engine,
            search,
            since: now,
            best_so_far: None,
            hurried: false,
        };
    }

    /// Begins the search for the move that is owed again, with its clock running on from where it began, because
    /// other root moves are to be considered.
    pub(super) fn rethink(&mut self, now: Instant) {
        let Mode::Thinking {
            search: old,
            since,
            hurried,
            ..
        } = self.mode
        else {
            return;
        };
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        let limits = self.limits(since, now);
        let excluded = self.excluded_at_root(&position);
        let new = self.start_search(Purpose::Play, position, limits, excluded, since);
        self.pongs.search_replaced(old, new);
        if let Mode::Thinking { search, .. } = &mut self.mode {
            *search = new;
        }
        if hurried {
            self.order(SearchOrder::MoveNow(new));
        }
    }

    /// The engine's search has ended.
    pub(super) fn on_best(
        &mut self,
        best: Option<Move>,
        ponder: Option<Move>,
        score: Score,
        now: Instant,
    ) {
        let Mode::Thinking { engine, .. } = self.mode else {
            return;
        };
        self.manners.note(score);
        let length = self.game.len();
        let policy = self.policy();
        if self.manners.resigns(&policy, length) {
            self.say(Reply::Resign);
            self.mode = Mode::Over { engine };
            return self.clocks.stop(now);
        }
        // A game must not be lost to a move that does not fit, wherever it came from.
        let mv = best
            .filter(|&mv| {
                self.game
                    .position()
                    .is_some_and(|position| position.is_legal(mv))
            })
            .or_else(|| self.game.position()?.legal_moves().first().copied());
        let Some(mv) = mv else {
            self.mode = Mode::Waiting { engine };
            self.claim_outcome(engine);
            return self.clocks.stop(now);
        };
        let accepts = self.manners.accepts_draw(&policy, length);
        self.manners.offer_answered();
        let thought = self.thought_about(mv);
        self.game.play(mv, self.clocks);
        let claims =
            self.players.server.is_none() && self.game.outcome().is_some_and(is_to_be_claimed);
        if accepts || claims {
            // Where a claim has to come before the move that brings the draw about, this is how it is made. To a server
            // it would be a mere offer; there the claim follows the move.
            self.say(Reply::OfferDraw);
        }
        self.game.expect(ponder);
        self.forget_position();
        self.clocks.finish_move(engine, now);
        self.listen_for_clocks(now);
        self.say(Reply::Move(mv, self.game.variant()));
        self.kibitz(thought, now);
        self.mode = Mode::Waiting { engine };
        if self.claim_outcome(engine) {
            self.clocks.stop(now);
        } else {
            self.start_pondering(now);
        }
    }

    /// `?`: move now.
    pub(super) fn move_now(&mut self) {
        if let Mode::Thinking {
            search, hurried, ..
        } = &mut self.mode
        {
            *hurried = true;
            let search = *search;
            self.order(SearchOrder::MoveNow(search));
        }
    }

    /// `hint`: the best move known for the side to move, or silence.
    pub(super) fn hint(&mut self) {
        let hint = match &self.mode {
            Mode::Thinking { best_so_far, .. } | Mode::Analysing { best_so_far, .. } => {
                *best_so_far
            }
            _ => self.game.expected(),
        };
        let legal = |mv: &Move| {
            self.game
                .position()
                .is_some_and(|position| position.is_legal(*mv))
        };
        if let Some(mv) = hint.filter(legal) {
            self.say(Reply::Hint(mv, self.game.variant()));
        }
    }
}

/// Whether the game ends like this only if somebody says so.
fn is_to_be_claimed(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Draw(DrawReason::Repetition | DrawReason::FiftyMoves)
    )
}
