//! Games: the engine's side, its search for a move, pondering, and the opponent's moves.

use std::time::Instant;

use crate::messages::{Limits, Purpose, SearchId, SearchInfo, SearchOrder};
use crate::notation::{MoveError, parse_move};
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::Position;
use crate::types::{Color, Move, Score};

use super::chat::ChatContext;
use super::draws_and_results::needs_claim;
use super::mode::Mode;
use super::state::Machine;

impl Machine {
    /// `go`: the engine plays the side to move.
    pub(super) fn go(&mut self, now: Instant) {
        if self.mode.search_for_move().is_some() {
            return;
        }
        let Some(engine) = self.game.position().map(Position::side_to_move) else {
            return;
        };
        self.stop_search(now);
        match self.game.outcome() {
            // The draw must be claimed, but `go` asks for a move. A GUI that ends the game at the claim stops the
            // engine; one that does not (python-chess) waits for the move.
            Some(outcome) if needs_claim(outcome) && self.players.server.is_none() => {
                self.reply(Reply::Result(outcome));
                self.start_thinking(engine, now);
            }
            Some(_) => {
                if !self.claim_outcome(engine) {
                    self.start_thinking(engine, now);
                }
            }
            None => self.start_thinking(engine, now),
        }
    }

    /// `playother`: the engine plays the side that is not to move.
    pub(super) fn play_other(&mut self, now: Instant) {
        let Some(opponent) = self.game.position().map(Position::side_to_move) else {
            return;
        };
        self.stop_search(now);
        self.time.set_engine_color(!opponent);
        self.policy_state.set_engine_color(!opponent);
        if !self.claim_outcome(!opponent) {
            self.mode = Mode::Waiting { engine: !opponent };
            self.time.run(opponent, now);
            self.start_pondering(now);
        }
    }

    /// `white` and `black`: `color` is to move, and the engine plays the other side. Old GUIs send one command, the
    /// times, the other command, then `go`. The times in between stay with the engine.
    pub(super) fn give_move_to(&mut self, color: Color, now: Instant) {
        self.stop_search(now);
        self.game.set_side_to_move(color);
        self.time.set_provisional_engine_color(!color);
        self.policy_state.set_engine_color(!color);
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Waiting { engine: !color };
        }
        self.on_position_changed(now);
    }

    /// `force`: the engine plays neither side. Analysis mode stays and only its search stops. The next change of the
    /// position starts a new search, because some GUIs send `force` with every position to analyse.
    pub(super) fn force(&mut self, now: Instant) {
        self.stop_search(now);
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Force;
        }
    }

    /// Starts a search for a move of the engine, which is to move.
    pub(super) fn start_thinking(&mut self, engine: Color, now: Instant) {
        self.start_engine_turn(engine, now);
        let context = ChatContext::new(&self.config.chat, &self.players, &self.game);
        let greeting = self.chat.on_engine_turn(context, now);
        self.reply_if_any(greeting);
        if let Some(chosen) = self.choose_book_move(now) {
            return self.play_book_move(engine, chosen, now);
        }
        let limits = self.plan_limits(now, now);
        self.search_for_move(engine, limits, now);
    }

    /// Starts a search of the current position for a move of the engine.
    fn search_for_move(&mut self, engine: Color, limits: Limits, now: Instant) {
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        let excluded = self.constraints.excluded_for_play(&self.game);
        let search = self.start_search(Purpose::Play, position, limits, excluded, now);
        self.mode = Mode::thinking_since(now, engine, search);
    }

    /// Starts a search of the current position in which the engine can only choose this move.
    pub(super) fn search_only(&mut self, engine: Color, mv: Move, now: Instant) {
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        let limits = self.plan_limits(now, now);
        let others = position.legal_moves().into_iter().filter(|&m| m != mv);
        let others = others.collect();
        let search = self.start_search(Purpose::Play, position, limits, others, now);
        self.mode = Mode::thinking_since(now, engine, search);
    }

    /// Starts the engine's clock.
    fn start_engine_turn(&mut self, engine: Color, now: Instant) {
        self.policy_state.set_engine_color(engine);
        let is_on_server = self.players.server.is_some();
        self.time
            .start_engine_turn(engine, self.game.len(), is_on_server, now);
    }

    /// Restarts the search for a move with other root moves. Its time counts from the start of the old search.
    pub(super) fn restart_search(&mut self, now: Instant) {
        let Mode::Thinking {
            search: old,
            since,
            is_move_now,
            ..
        } = self.mode
        else {
            return;
        };
        let Some(position) = self.game.position().cloned() else {
            return;
        };
        let limits = self.plan_limits(since, now);
        let excluded = self.constraints.excluded_for_play(&self.game);
        self.order(SearchOrder::Abandon(old));
        let new = self.start_search(Purpose::Play, position, limits, excluded, since);
        self.pongs.on_search_replaced(old, new);
        if let Mode::Thinking { search, .. } = &mut self.mode {
            *search = new;
        }
        if is_move_now {
            self.order(SearchOrder::MoveNow(new));
        }
    }

    /// Applies limits or clock times that have changed at `now` to the running search for a move.
    pub(super) fn update_limits(&mut self, now: Instant) {
        let (mode, now) = match &self.mode {
            Mode::Paused { inner, since, .. } => (&**inner, *since),
            mode => (mode, now),
        };
        if let Mode::Thinking { search, since, .. } = *mode
            && self.time.can_change_limits()
        {
            let limits = self.plan_limits(since, now);
            self.order(SearchOrder::SetLimits { id: search, limits });
        }
    }

    /// Plays the move of a finished search, resigns, or ends the game.
    pub(super) fn on_best_move(
        &mut self,
        best: Option<Move>,
        ponder_move: Option<Move>,
        score: Score,
        is_tablebase_draw: bool,
        now: Instant,
    ) {
        let Mode::Thinking { engine, .. } = self.mode else {
            return;
        };
        self.time.on_move_found(now);
        if best.is_some() {
            self.policy_state.record_result(score, is_tablebase_draw);
        } else {
            self.policy_state.forget_scores();
        }
        let (stage, policy) = (self.stage(), self.policy());
        if self.policy_state.resigns(&policy, stage.length) {
            self.reply(Reply::Resign);
            self.mode = Mode::Over { engine };
            return self.time.stop(now);
        }
        let Some(mv) = self.legal_move(best) else {
            self.mode = Mode::Waiting { engine };
            self.claim_outcome(engine);
            return self.time.stop(now);
        };
        self.play_move(engine, mv, ponder_move, now);
    }

    /// Plays a legal move of the engine, with the draw offers and claims that belong to it.
    pub(super) fn play_move(
        &mut self,
        engine: Color,
        mv: Move,
        ponder_move: Option<Move>,
        now: Instant,
    ) {
        let (stage, policy) = (self.stage(), self.policy());
        let accepts_draw = self.policy_state.accepts_draw(&policy, stage);
        self.policy_state.clear_draw_offer();
        self.policy_state.end_own_offer();
        let context = ChatContext::new(&self.config.chat, &self.players, &self.game);
        let kibitz_text = self.chat.kibitz_text(context, mv);
        self.game.play(mv, self.time.clocks());
        let claims_draw =
            self.players.server.is_none() && self.game.outcome().is_some_and(needs_claim);
        let agrees = accepts_draw || claims_draw;
        if agrees || self.game.outcome().is_none() && self.policy_state.offers_draw(&policy, stage)
        {
            // A claim that must precede the move with which the draw is reached is made by an offer. On a server it
            // would be an offer only, so the claim follows the move there.
            self.reply(Reply::OfferDraw);
        }
        self.game.set_ponder_move(ponder_move);
        self.clear_position_input();
        self.time.on_engine_move(engine, self.game.len(), now);
        self.reply(Reply::Move(mv, self.game.variant()));
        let context = ChatContext::new(&self.config.chat, &self.players, &self.game);
        let kibitz = self.chat.kibitz(context, kibitz_text, now);
        self.reply_if_any(kibitz);
        self.mode = Mode::Waiting { engine };
        if self.claim_outcome(engine) {
            self.time.stop(now);
        } else {
            self.start_pondering(now);
        }
    }

    /// Returns `best` if it is legal, otherwise any legal move: an illegal move would lose the game.
    fn legal_move(&self, best: Option<Move>) -> Option<Move> {
        let position = self.game.position()?;
        best.filter(|&mv| position.is_legal(mv))
            .or_else(|| position.legal_moves().first().copied())
    }

    /// Records thinking output of the search for a move for a message to observers.
    pub(super) fn record_for_chat(&mut self, info: &SearchInfo) {
        if self.mode.search_for_move().is_some() {
            let context = ChatContext::new(&self.config.chat, &self.players, &self.game);
            self.chat.record_info(context, info);
        }
    }

    /// `?`: the search returns its move at once.
    pub(super) fn move_now(&mut self) {
        if let Mode::Thinking {
            search,
            is_move_now,
            ..
        } = &mut self.mode
        {
            *is_move_now = true;
            let search = *search;
            self.order(SearchOrder::MoveNow(search));
        }
    }

    /// `hint`: the best known move for the side to move: that of the search, otherwise of the book. Without one there
    /// is no reply.
    pub(super) fn hint(&mut self, now: Instant) {
        let hint = match &self.mode {
            Mode::Thinking { best_so_far, .. } | Mode::Analysing { best_so_far, .. } => {
                *best_so_far
            }
            mode => {
                let pondered = mode.ponder_move();
                let from_book = pondered.or_else(|| self.best_book_move(now));
                from_book.or_else(|| self.game.ponder_move())
            }
        };
        let is_allowed = |mv: &Move| {
            let is_excluded = self.constraints.excluded_moves().contains(mv);
            let position = self.game.position();
            !is_excluded && position.is_some_and(|position| position.is_legal(*mv))
        };
        if let Some(mv) = hint.filter(is_allowed) {
            self.reply(Reply::Hint(mv, self.game.variant()));
        }
    }

    /// Handles a move of the opponent, or of either side in force mode and analysis.
    pub(super) fn user_move(&mut self, text: &str, now: Instant) {
        if let Mode::Waiting { engine } = self.mode
            && self.game.position().map(Position::side_to_move) == Some(engine)
        {
            // After a takeback or a set-up the engine is to move and waits for `go`. The move shows no takeback.
            return self.reject_move(text, "it is not your turn");
        }
        if self.detect_takeback(text, now) {
            return;
        }
        if matches!(self.mode, Mode::Thinking { .. }) {
            return self.reject_move(text, "it is not your turn");
        }
        if matches!(self.mode, Mode::Over { .. }) {
            return self.reject_move(text, "the game is over");
        }
        let mv = match self.parse_user_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(..)) => return self.reject(ErrorKind::AmbiguousMove, text),
            Err(error) => return self.reject_move(text, &error.to_string()),
        };
        let Some(mover) = self.game.position().map(Position::side_to_move) else {
            return;
        };
        if !self.game.play(mv, self.time.clocks()) {
            return self.reject_move(text, "not legal");
        }
        self.clear_position_input();
        self.policy_state.end_own_offer();
        match self.mode {
            Mode::Force => self.time.count_move(mover),
            Mode::Analysing { .. } => {
                self.time.count_move(mover);
                self.restart_analysis(now);
            }
            Mode::Waiting { .. } => self.on_opponent_move(mover, now),
            // While a takeback is assumed, some root moves are excluded, and the ponder search did not exclude them.
            Mode::Pondering {
                search,
                ponder_move,
                ..
            } if ponder_move == Some(mv) && !self.game.assumes_takeback() => {
                self.on_ponder_hit(search, mover, now);
            }
            Mode::Pondering { search, engine, .. } => {
                self.order(SearchOrder::Abandon(search));
                self.mode = Mode::Waiting { engine };
                self.on_opponent_move(mover, now);
            }
            // Handled above, or without moves.
            Mode::Thinking { .. }
            | Mode::Over { .. }
            | Mode::Editing { .. }
            | Mode::Paused { .. } => {}
        }
    }

    /// Returns the move that a text means in the current position.
    fn parse_user_move(&self, text: &str) -> Result<Move, MoveError> {
        parse_move(self.game.position().ok_or(MoveError::NotLegal)?, text)
    }

    fn reject_move(&mut self, text: &str, reason: &str) {
        self.reply(Reply::IllegalMove(text.to_owned()));
        self.explain(reason);
    }

    /// Ends the game or starts a search after a move of the opponent.
    fn on_opponent_move(&mut self, opponent: Color, now: Instant) {
        self.time.on_opponent_move(opponent, now);
        if self.claim_outcome(!opponent) {
            self.time.stop(now);
        } else {
            self.start_thinking(!opponent, now);
        }
    }

    /// Turns the ponder search into the search for a move, because the opponent has played the expected move.
    fn on_ponder_hit(&mut self, search: SearchId, opponent: Color, now: Instant) {
        let engine = !opponent;
        self.time.on_opponent_move(opponent, now);
        self.start_engine_turn(engine, now);
        // A book on a disk was not asked, or the book has been switched on meanwhile.
        if let Some(chosen) = self.choose_book_move(now) {
            self.order(SearchOrder::Abandon(search));
            return self.play_book_move(engine, chosen, now);
        }
        let limits = self.plan_limits(now, now);
        // `sd` may have arrived after the search of these lines.
        self.thinking_output.limit_depth(limits.depth);
        if limits.leave_no_time()
            || self.strength(Purpose::Play).is_some()
            || !self.time.can_change_limits()
        {
            // The move in the transposition table is played. The search thread may wait for a processor. A limited
            // strength does not use what the ponder search has found, and another unit of time needs another search.
            self.order(SearchOrder::Abandon(search));
            return self.search_for_move(engine, limits, now);
        }
        self.order(SearchOrder::PonderHit {
            id: search,
            limits,
            started: now,
        });
        self.mode = Mode::thinking_since(now, engine, search);
    }

    /// `hard`: enables pondering. It starts at once if the opponent is to move, except before White's first move.
    pub(super) fn hard(&mut self, now: Instant) {
        self.is_pondering_enabled = true;
        if !self.game.is_empty() {
            self.start_pondering(now);
        }
    }

    /// `easy`: disables pondering and stops it at once.
    pub(super) fn easy(&mut self) {
        self.is_pondering_enabled = false;
        let mode = match &mut self.mode {
            Mode::Paused { inner, .. } => inner,
            other => other,
        };
        if let Mode::Pondering { search, .. } = *mode {
            mode.stop_search();
            self.order(SearchOrder::Abandon(search));
        }
    }

    /// Starts pondering if it is enabled, the opponent is to move, and the game continues after the expected move.
    pub(super) fn start_pondering(&mut self, now: Instant) {
        let Mode::Waiting { engine } = self.mode else {
            return;
        };
        let Some(position) = self.game.position() else {
            return;
        };
        if self.is_quitting || !self.is_pondering_enabled || position.side_to_move() == engine {
            return;
        }
        let ponder_move = self.game.ponder_move();
        let mut position = position.clone();
        if let Some(mv) = ponder_move {
            // No move is taken back in this copy.
            let _ = position.play(mv);
        }
        // After the expected move, a book move needs no search.
        if position.outcome().is_some()
            || ponder_move.is_some()
                && self.has_book_move(&position, ponder_move, self.game.len() + 1, now)
        {
            return;
        }
        let limits = self.time.ponder_limits();
        let search = self.start_search(Purpose::Ponder, position, limits, Vec::new(), now);
        self.mode = Mode::Pondering {
            engine,
            search,
            ponder_move,
        };
        if self.time.is_slow_host() {
            // The opponent's move could wait behind it.
            self.thinking_output.defer_hint();
        } else {
            self.send_ponder_move();
        }
    }

    /// Sends the ponder move as a hint, because the thinking output that follows begins after it.
    pub(super) fn send_ponder_move(&mut self) {
        if let Some(mv) = self.mode.ponder_move()
            && self.thinking_output.is_enabled()
        {
            self.reply(Reply::Hint(mv, self.game.variant()));
        }
    }
}
