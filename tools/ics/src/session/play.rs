//! A game in progress: moves between the server and the engine.

use std::time::{Duration, Instant};

use shakmaty::{Color, Position};

use super::account::Account;
use super::actions::Action;
use super::game_state::{Delivery, Play, SentMove};
use super::lobby::refuses_seek;
use super::phase::Phase;
use super::silence::SilenceState;
use crate::engine::{EngineEvent, GameSetup, Order, Variant};
use crate::game::{Change, EngineMove};
use crate::report::{Event, Level};
use crate::text::{Board, GameNotice, Refusal};

impl Account {
    /// Returns the opponent of the running game.
    pub(super) fn opponent(&self) -> Option<&str> {
        match &self.phase {
            Phase::Playing(play) => Some(play.game.opponent()),
            Phase::Starting(starting) if self.is_own_name(&starting.start.white) => {
                Some(&starting.start.black)
            }
            Phase::Starting(starting) => Some(&starting.start.white),
            _ => None,
        }
    }

    /// Begins to play.
    pub(super) fn begin(&mut self, mut play: Play, now: Instant) {
        let start = &play.start;
        let (white, black) = (start.white.clone(), start.black.clone());
        let (game, is_resumed) = (start.game, start.continued);
        let terms = play.description();
        let verb = if is_resumed { "continues" } else { "begins" };
        self.log(
            Level::State,
            format!("game {game} {verb}: {white} against {black}, {terms}"),
        );
        self.report(Event::GameStarted {
            game,
            white,
            black,
            terms,
            resumed: is_resumed,
        });
        self.continue_interrupted(&mut play);
        self.phase = Phase::Playing(Box::new(play));
        self.restart_game(now);
        if !is_resumed {
            let greeting = self.config.chat.greeting.clone();
            self.say(&greeting);
        }
    }

    /// Lets the engine begin or resume the game with all moves so far.
    pub(super) fn restart_game(&mut self, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.held = None;
        play.thinking = None;
        let clocks = play.clocks(self.lag.expected(), now);
        // The engine waits for the answer to a move that is on its way.
        let sent = play.sent.as_ref().map(|sent| sent.mv.coordinates.clone());
        let must_move = play.game.is_own_turn() && sent.is_none();
        let mut setup = Box::new(self.setup());
        setup.moves.extend(sent);
        self.order(Order::NewGame { setup, clocks });
        self.engine.thinks(must_move, now);
    }

    /// Returns the description of the running game for the engine.
    fn setup(&self) -> GameSetup {
        let Phase::Playing(play) = &self.phase else {
            return GameSetup::default();
        };
        let board = play.game.board();
        let opponent = play.game.opponent();
        // The engine plays a game without clocks like one without a time control.
        let time = |seconds| {
            let seconds = if play.has_clocks() { seconds } else { 0 };
            Duration::from_secs(u64::from(seconds))
        };
        GameSetup {
            variant: if play.game.is_fischer_random() {
                Variant::FischerRandom
            } else {
                Variant::Normal
            },
            start_fen: play.game.start_fen(),
            moves: play
                .game
                .moves()
                .iter()
                .map(|mv| mv.coordinates.clone())
                .collect(),
            engine_is_white: play.game.own().is_white(),
            base: time(board.base.saturating_mul(60)),
            increment: time(board.increment),
            opponent: opponent.to_string(),
            opponent_rating: play.rating_of(opponent),
            own_rating: play.rating_of(&self.name),
            opponent_is_computer: self.is_computer(opponent),
            host: self.config.server.host.clone(),
        }
    }

    /// Follows a board line of the running game.
    pub(super) fn follow(&mut self, board: &Board, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        if board.game != play.start.game {
            return;
        }
        let before = play.game.moves().len();
        let change = match play.game.update(board) {
            Ok(change) => change,
            Err(error) => {
                self.log(Level::Warning, error.to_string());
                return;
            }
        };
        play.board_at = now;
        if change != Change::Same {
            play.turn_at = now;
        }
        match change {
            Change::Same => self.follow_same_board(now),
            Change::Moves(1) => self.follow_move(before, now),
            Change::Takeback(half_moves) => self.follow_takeback(half_moves, now),
            Change::Moves(_) => {
                play.sent = None;
                self.restart_game(now);
            }
            Change::Replaced => {
                play.sent = None;
                play.scores.clear();
                self.restart_game(now);
            }
        }
    }

    /// Handles a board with the position that is known already.
    fn follow_same_board(&mut self, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        let is_own_turn = play.game.is_own_turn();
        let is_running = play.game.board().clock_running;
        let must_repeat = play.sent.as_ref().is_some_and(|sent| match sent.delivery {
            Delivery::Sent => false,
            // The server has answered the request for the board, and does not know the move.
            Delivery::Asked => true,
            Delivery::Paused => is_running,
        });
        if is_own_turn && must_repeat {
            self.repeat_move(now);
        }
    }

    /// Sends the move again that the server has not played.
    fn repeat_move(&mut self, now: Instant) {
        if let Phase::Playing(play) = &mut self.phase
            && let Some(sent) = play.sent.take()
        {
            self.log(
                Level::Warning,
                format!("the move {} is sent again", sent.mv.for_server),
            );
            self.send_move(sent.mv, now);
            if let Phase::Playing(play) = &mut self.phase
                && let Some(sent) = &mut play.sent
            {
                sent.is_repeated = true;
            }
        }
    }

    /// Handles one new half-move with the index `index`.
    fn follow_move(&mut self, index: usize, now: Instant) {
        let lag = self.lag.expected();
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        let Some(played) = play.game.moves().get(index).cloned() else {
            return;
        };
        if play.game.is_own_turn() {
            // The move of the opponent. A takeback to which the account has agreed can still come after it.
            play.thinking = None;
            play.held = None;
            let clocks = play.clocks(lag, now);
            let is_over = play.game.position().is_game_over();
            let coordinates = played.coordinates;
            self.order(Order::OpponentMoved {
                coordinates,
                clocks,
            });
            self.engine.thinks(!is_over, now);
            return;
        }
        match play.sent.take() {
            Some(sent) if sent.mv.coordinates == played.coordinates => {
                // The move has declined the opponent's offer.
                play.is_draw_offered = false;
                play.scores.resize(index, None);
                play.scores.push(play.thinking.take());
                // The server does not charge the first moves.
                let charged = played.spent.filter(|spent| !spent.is_zero());
                if let Some(charged) = charged.filter(|_| play.game.board().clock_running) {
                    self.lag.record(charged, sent.passed);
                }
                self.publish_score();
            }
            // The engine has not made this move.
            _ => self.restart_game(now),
        }
    }

    fn follow_takeback(&mut self, half_moves: usize, now: Instant) {
        let lag = self.lag.expected();
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.takeback_until = None;
        play.thinking = None;
        play.scores.truncate(play.game.moves().len());
        // With a move that the server has not played, the engine's game is longer than the server's.
        let (held, sent) = (play.held.take(), play.sent.take());
        if held.is_some() || sent.is_some() {
            self.restart_game(now);
            return;
        }
        let clocks = play.clocks(lag, now);
        let is_own_turn = play.game.is_own_turn();
        let setup = Box::new(self.setup());
        self.order(Order::TakeBack {
            half_moves,
            setup,
            clocks,
        });
        self.engine.thinks(is_own_turn, now);
    }

    /// Handles what the engine does in a game.
    pub(super) fn on_game_event(&mut self, event: EngineEvent, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        match event {
            EngineEvent::Move(text) => self.on_engine_move(&text, now),
            EngineEvent::Thinking(thinking) => play.thinking = Some(thinking),
            // With an offer of the opponent, this is its acceptance.
            EngineEvent::OfferDraw if self.config.draw.offer || play.is_draw_offered => {
                self.send("draw");
            }
            EngineEvent::Resign => self.send("resign"),
            // The server ends such a game itself.
            EngineEvent::Result { .. } if play.game.position().is_game_over() => {}
            EngineEvent::Result { result, .. } => match (result.as_str(), play.game.own()) {
                // A claim, for example of a repetition. The server decides.
                ("1/2-1/2", _) => self.send("draw"),
                ("0-1", Color::White) | ("1-0", Color::Black) => self.send("resign"),
                _ => {}
            },
            _ => {}
        }
    }

    fn on_engine_move(&mut self, text: &str, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        if !play.game.is_own_turn() || play.sent.is_some() {
            self.log(
                Level::Warning,
                format!("the engine moves out of turn: {text}"),
            );
            return;
        }
        self.engine.has_moved();
        match play.game.read_move(text) {
            Ok(mv) if play.takeback_until.is_some() => play.held = Some(mv),
            Ok(mv) => self.send_move(mv, now),
            Err(error) => self.on_illegal_move(&error.to_string(), now),
        }
    }

    fn send_move(&mut self, mv: EngineMove, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        let text = mv.for_server.clone();
        play.sent = Some(SentMove {
            mv,
            passed: now.saturating_duration_since(play.turn_at),
            at: now,
            delivery: Delivery::Sent,
            is_repeated: false,
        });
        self.send(text);
    }

    /// Sends the move that was held back for a takeback, which does not come.
    pub(super) fn release_held_move(&mut self, now: Instant) {
        if let Phase::Playing(play) = &mut self.phase {
            play.takeback_until = None;
            if let Some(mv) = play.held.take() {
                self.send_move(mv, now);
            }
        }
    }

    /// Handles a line in which the server refuses something.
    pub(super) fn on_refusal(&mut self, refusal: &Refusal, now: Instant) {
        self.report_refused_answer(refusal);
        match refusal {
            Refusal::IllegalMove(text) => {
                let Phase::Playing(play) = &mut self.phase else {
                    return;
                };
                let sent = play.sent.take();
                self.send("refresh");
                // A move that was sent twice may have been played, and answered.
                match sent {
                    Some(sent) if !sent.is_repeated => self.on_illegal_move(text, now),
                    _ => self.restart_game(now),
                }
            }
            // A takeback has crossed the move.
            Refusal::NotYourMove => {
                if let Phase::Playing(play) = &mut self.phase {
                    play.sent = None;
                    self.send("refresh");
                }
            }
            Refusal::NotPlaying => self.end_lost_game("the server has no such game", now),
            Refusal::Paused => {
                if let Phase::Playing(play) = &mut self.phase
                    && let Some(sent) = &mut play.sent
                {
                    sent.delivery = Delivery::Paused;
                }
            }
            Refusal::NothingPending => self.release_held_move(now),
            Refusal::NotAllowed(text) if text.contains("untimed") => {
                if let Phase::Playing(play) = &mut self.phase {
                    play.flag_refused |= play.flag_called.is_some();
                }
            }
            Refusal::NotLoggedIn(name) | Refusal::AlreadyPlaying(name) | Refusal::NotOpen(name) => {
                self.on_challenge_refused(name);
                if matches!(refusal, Refusal::NotLoggedIn(_)) {
                    self.on_unknown_owner(name);
                }
            }
            Refusal::UnknownCommand(word) if word == "finger" => {
                self.owner_check.is_impossible();
                let text = "the server has no command `finger`, which describes the owners: their commands are refused";
                self.log(Level::Warning, text.into());
            }
            Refusal::UnknownCommand(word) if self.seek_sent.is_some() && word == "seek" => {
                self.on_unknown_seek();
            }
            Refusal::BadCommand(text) if self.seek_sent.is_some() && refuses_seek(text) => {
                self.on_seek_refused(text);
            }
            other if self.is_configured(other) => self.log(
                Level::Warning,
                format!("the server refuses a line of [server] commands: {other}"),
            ),
            other => self.log(Level::Info, format!("the server refuses: {other}")),
        }
    }

    /// Handles a message of the server on the running game.
    pub(super) fn on_game_notice(&mut self, notice: &GameNotice, now: Instant) {
        match notice {
            GameNotice::Unpaused => {
                let is_refused = |sent: &SentMove| sent.delivery == Delivery::Paused;
                if let Phase::Playing(play) = &self.phase
                    && play.sent.as_ref().is_some_and(is_refused)
                {
                    self.repeat_move(now);
                }
            }
            // The answer tells whether it is this game.
            GameNotice::NoLongerPlaying if self.phase.is_game() => self.send("refresh"),
            _ => {}
        }
    }

    /// Does what the time requires during a game.
    pub(super) fn tick_game(&mut self, now: Instant) {
        let call_flag = self.config.clock.call_flag;
        let lag = self.lag.expected();
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        if let Some(sent) = play.sent.as_mut().filter(|sent| sent.is_late(lag, now)) {
            sent.at = now;
            sent.delivery = Delivery::Asked;
            self.silence.asks(now);
            self.actions.push(Action::Send("refresh".into()));
        }
        if call_flag && play.is_opponents_time_over(lag, now) {
            play.flag_called = Some(now);
            self.actions.push(Action::Send("flag".into()));
        }
        if play.takeback_until.is_some_and(|until| now >= until) {
            self.release_held_move(now);
        }
        if !self.tick_attempts(now) {
            self.tick_engine(now);
        }
        self.tick_stop(now);
        self.tick_connection(now);
    }

    /// Ends a connection on which the server sends nothing, so that the game is resumed on another one. The question is
    /// a request for the board, whose answer also shows whether the game is over.
    fn tick_connection(&mut self, now: Instant) {
        if !self.phase.is_game() {
            return;
        }
        match self.silence.check(self.lag.expected(), now) {
            SilenceState::Alive => {}
            SilenceState::Ask => self.send("refresh"),
            SilenceState::Lost => {
                self.actions.push(Action::Disconnect);
                self.on_closed("the server does not answer", now);
            }
        }
    }
}
