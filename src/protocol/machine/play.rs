//! Playing a game: whose move it is, moves of both sides, limits, draws and results.

use std::time::{Duration, Instant};

use super::{Machine, Mode};
use crate::clock::allot;
use crate::game::Game;
use crate::messages::{Limits, Purpose, SearchId, SearchOrder};
use crate::notation::{MoveError, parse_move};
use crate::protocol::manners::Manners;
use crate::protocol::reply::{ErrorKind, Reply};
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
        if !self.claim_outcome(engine) {
            self.think(engine, now);
        }
    }

    /// `playother`: play the side that is not on move.
    pub(super) fn play_other(&mut self, now: Instant) {
        let Some(opponent) = self.game.position().map(|position| position.side_to_move()) else {
            return;
        };
        self.settle(now);
        self.clocks.engine_plays(!opponent);
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
        self.game.set_turn(color);
        self.clocks.engine_is(!color);
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

    /// A move of the opponent, or of anybody in force mode and analysis.
    pub(super) fn user_move(&mut self, text: &str, now: Instant) {
        if matches!(self.mode, Mode::Thinking { .. }) {
            return self.refuse_move(text, "it is not your turn");
        }
        if matches!(self.mode, Mode::Over { .. }) {
            return self.refuse_move(text, "the game is over");
        }
        let mv = match self.read_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(..)) => return self.refuse(ErrorKind::AmbiguousMove, text),
            Err(error) => return self.refuse_move(text, &error.to_string()),
        };
        let Some(mover) = self.game.position().map(|position| position.side_to_move()) else {
            return;
        };
        if !self.game.play(mv) {
            return self.refuse_move(text, "not legal");
        }
        self.excluded.clear();
        match self.mode {
            Mode::Force => self.clocks.count_move(mover),
            Mode::Analysing { .. } => {
                self.clocks.count_move(mover);
                self.restart_analysis(now);
            }
            Mode::Waiting { .. } => self.answer(mover, now),
            Mode::Pondering { search, guess, .. } if guess == Some(mv) => {
                self.ponder_hit(search, mover, now);
            }
            Mode::Pondering { search, engine, .. } => {
                self.order(SearchOrder::Abandon(search));
                self.mode = Mode::Waiting { engine };
                self.answer(mover, now);
            }
            // Dealt with above, or without moves in them.
            Mode::Thinking { .. }
            | Mode::Over { .. }
            | Mode::Editing { .. }
            | Mode::Paused { .. } => {}
        }
    }

    /// The move that a text means in the present position; with an impossible one, no move at all.
    fn read_move(&mut self, text: &str) -> Result<Move, MoveError> {
        let position = self.game.position().ok_or(MoveError::NotLegal)?;
        let parsed = parse_move(position, text);
        if parsed.is_err()
            && let Some((earlier, mv)) = self.before_takeback(text)
        {
            self.game = earlier;
            return Ok(mv);
        }
        parsed
    }

    /// On a server an accepted takeback is not passed on by xboard: the next move comes for the position two
    /// half-moves earlier. The game as it was then, if the move fits there.
    fn before_takeback(&self, text: &str) -> Option<(Game, Move)> {
        let waiting = matches!(self.mode, Mode::Waiting { .. } | Mode::Pondering { .. });
        if !waiting || self.players.server.is_none() {
            return None;
        }
        let mut earlier = self.game.clone();
        earlier.take_back()?;
        earlier.take_back()?;
        let mv = parse_move(earlier.position()?, text).ok()?;
        Some((earlier, mv))
    }

    fn refuse_move(&mut self, text: &str, reason: &str) {
        self.say(Reply::IllegalMove {
            text: text.to_owned(),
            reason: None,
        });
        self.explain(reason);
    }

    /// The opponent has just moved: end the game or think.
    fn answer(&mut self, opponent: Color, now: Instant) {
        self.clocks.finish_move(opponent, now);
        if !self.claim_outcome(!opponent) {
            self.think(!opponent, now);
        } else {
            self.clocks.stop(now);
        }
    }

    /// As [`Machine::answer`], when the search has thought about this very move.
    fn ponder_hit(&mut self, search: SearchId, opponent: Color, now: Instant) {
        let engine = !opponent;
        self.clocks.finish_move(opponent, now);
        self.clocks.engine_plays(engine);
        self.clocks.run(engine, now);
        let limits = self.limits(now);
        self.order(SearchOrder::PonderHit {
            id: search,
            limits,
            started: now,
        });
        self.mode = Mode::Thinking {
            engine,
            search,
            since: now,
            best_so_far: None,
        };
    }

    /// Starts a search for a move of the engine, which is on move.
    fn think(&mut self, engine: Color, now: Instant) {
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        self.clocks.engine_plays(engine);
        self.clocks.run(engine, now);
        let limits = self.limits(now);
        let excluded = self.excluded_but_not_all(&position);
        let search = self.start_search(Purpose::Play, position, limits, excluded, now);
        self.mode = Mode::Thinking {
            engine,
            search,
            since: now,
            best_so_far: None,
        };
    }

    /// Begins the search for the move that is owed again, with its clock running on from where it began, because
    /// other root moves are to be considered.
    pub(super) fn rethink(&mut self) {
        let Mode::Thinking {
            search: old, since, ..
        } = self.mode
        else {
            return;
        };
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        let limits = self.limits(since);
        let excluded = self.excluded_but_not_all(&position);
        let new = self.start_search(Purpose::Play, position, limits, excluded, since);
        self.pongs.search_replaced(old, new);
        if let Mode::Thinking { search, .. } = &mut self.mode {
            *search = new;
        }
    }

    /// What ends the search for a move that was asked for at `started`.
    fn limits(&self, started: Instant) -> Limits {
        let clock = &self.clocks.engine;
        let share = |overhead: Duration| {
            let remaining = clock.remaining(started);
            let opponent = self.clocks.opponent.remaining(started);
            allot(
                clock.control(),
                remaining,
                clock.moves_to_go(),
                opponent,
                overhead,
            )
        };
        match self.node_rate {
            None => Limits {
                depth: self.depth_limit,
                nodes: None,
                budget: Some(share(self.config.move_overhead)),
            },
            // Time is counted in nodes: no pipe and no scheduler can add to it.
            Some(rate) => Limits {
                depth: self.depth_limit,
                nodes: Some(nodes_in(share(Duration::ZERO).soft, rate)),
                budget: None,
            },
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
        if self.manners.resigns(self.config.resign, length) {
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
        if self.manners.accepts_draw(length) {
            self.say(Reply::OfferDraw);
        }
        self.manners.offer_answered();
        self.game.play(mv);
        self.game.expect(ponder);
        self.excluded.clear();
        self.clocks.finish_move(engine, now);
        self.say(Reply::Move(mv, self.game.variant()));
        self.mode = Mode::Waiting { engine };
        if self.claim_outcome(engine) {
            self.clocks.stop(now);
        } else {
            self.start_pondering(now);
        }
    }

    /// If the game is over on the board, says so and ends it.
    fn claim_outcome(&mut self, engine: Color) -> bool {
        let Some(outcome) = self.game.outcome() else {
            return false;
        };
        self.say(Reply::Result(outcome));
        self.mode = Mode::Over { engine };
        true
    }

    /// `?`: move now.
    pub(super) fn move_now(&mut self) {
        if let Mode::Thinking { search, .. } = self.mode {
            self.order(SearchOrder::MoveNow(search));
        }
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

/// How many nodes are this much time at `rate` nodes per second; at least one.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    let nodes = time.as_millis().saturating_mul(u128::from(rate)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
