//! A game in progress: moves between the server and the engine.

use std::time::{Duration, Instant};

use shakmaty::{Color, Position};

use super::account::Account;
use super::actions::{Action, EngineOrder, Exit};
use super::game_state::{Play, event, rating_of};
use super::phase::Phase;
use crate::engine::{EngineEvent, GameSetup, Variant};
use crate::game::{Change, EngineMove, Game};
use crate::report::{Event, Level};
use crate::text::{Board, GameStart, Refusal};

/// Illegal moves of the engine in a game before the account resigns.
const ILLEGAL_MOVES: u32 = 3;

impl Account {
    /// Returns the opponent of the running game.
    pub(super) fn opponent(&self) -> Option<&str> {
        match &self.phase {
            Phase::Playing(play) => Some(play.game.opponent()),
            Phase::Starting { start, .. } if start.white == self.name => Some(&start.black),
            Phase::Starting { start, .. } => Some(&start.white),
            _ => None,
        }
    }

    /// Begins to play.
    pub(super) fn begin(&mut self, start: GameStart, game: Game, now: Instant) {
        self.log(
            Level::Info,
            format!(
                "game {} begins: {} against {}",
                start.game, start.white, start.black
            ),
        );
        self.report(Event::GameStarted {
            game: start.game,
            white: start.white.clone(),
            black: start.black.clone(),
            terms: event(&start),
            resumed: start.continued,
        });
        let greeting = self.config.chat.greeting.clone();
        let is_new = !start.continued;
        self.phase = Phase::Playing(Box::new(Play::new(start, game, now)));
        self.restart_game(now);
        if is_new {
            self.say(&greeting);
        }
    }

    /// Lets the engine begin or resume the game with all moves so far.
    pub(super) fn restart_game(&mut self, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.sent = None;
        play.held = None;
        play.thinking = None;
        let clocks = play.clocks(self.lag.expected(), now);
        let is_own_turn = play.game.is_own_turn();
        let setup = Box::new(self.setup());
        self.order(EngineOrder::NewGame { setup, clocks });
        self.engine.thinks(is_own_turn, now);
    }

    /// Returns the description of the running game for the engine.
    fn setup(&self) -> GameSetup {
        let Phase::Playing(play) = &self.phase else {
            return GameSetup::default();
        };
        let board = play.game.board();
        let terms = self.terms.as_ref();
        let opponent = play.game.opponent();
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
            base: Duration::from_secs(u64::from(board.base) * 60),
            increment: Duration::from_secs(u64::from(board.increment)),
            opponent: opponent.to_string(),
            opponent_rating: terms.and_then(|terms| rating_of(terms, opponent)),
            own_rating: terms.and_then(|terms| rating_of(terms, &self.name)),
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
        match change {
            Change::Same => {}
            Change::Moves(1) => self.follow_move(before, now),
            Change::Takeback(half_moves) => self.follow_takeback(half_moves, now),
            Change::Moves(_) | Change::Replaced => self.restart_game(now),
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
            // The move of the opponent.
            play.thinking = None;
            let clocks = play.clocks(lag, now);
            let is_over = play.game.position().is_game_over();
            let coordinates = played.coordinates;
            self.order(EngineOrder::OpponentMoved {
                coordinates,
                clocks,
            });
            self.engine.thinks(!is_over, now);
            return;
        }
        match play.sent.take() {
            Some((sent, passed)) if sent == played.coordinates => {
                play.scores.resize(index, None);
                play.scores.push(play.thinking.take());
                // The server does not charge the first moves.
                if play.game.board().clock_running && !played.spent.is_zero() {
                    self.lag.record(played.spent, passed);
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
        play.held = None;
        play.thinking = None;
        play.scores.truncate(play.game.moves().len());
        // With a move on its way, the engine's game is longer than the server's.
        if play.sent.take().is_some() {
            self.restart_game(now);
            return;
        }
        let clocks = play.clocks(lag, now);
        let is_own_turn = play.game.is_own_turn();
        let setup = Box::new(self.setup());
        self.order(EngineOrder::TakeBack {
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
            EngineEvent::OfferDraw if self.config.draw.offer => self.send("draw"),
            EngineEvent::Resign => self.send("resign"),
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
        play.sent = Some((mv.coordinates, now.saturating_duration_since(play.board_at)));
        self.send(mv.for_server);
    }

    fn on_illegal_move(&mut self, reason: &str, now: Instant) {
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        play.illegal_moves += 1;
        let count = play.illegal_moves;
        self.log(
            Level::Error,
            format!("the engine's move is refused ({count}): {reason}"),
        );
        match count {
            0..ILLEGAL_MOVES => {
                self.order(EngineOrder::Start);
                self.restart_game(now);
            }
            _ => self.send("resign"),
        }
    }

    /// Handles a line in which the server refuses something.
    pub(super) fn on_refusal(&mut self, refusal: &Refusal, now: Instant) {
        match refusal {
            Refusal::IllegalMove(text) => {
                self.send("refresh");
                self.on_illegal_move(text, now);
            }
            // A takeback or the end of the game has crossed the move.
            Refusal::NotYourMove | Refusal::NotPlaying => {
                if let Phase::Playing(play) = &mut self.phase {
                    play.sent = None;
                    self.send("refresh");
                }
            }
            Refusal::NotAllowed(_) => {
                if let Phase::Playing(play) = &mut self.phase {
                    play.flag_refused |= play.flag_called.is_some();
                }
            }
            other => self.log(Level::Info, format!("the server refuses: {other:?}")),
        }
    }

    /// Does what the time requires during a game.
    pub(super) fn tick_game(&mut self, now: Instant) {
        self.start_without_moves(now);
        let call_flag = self.config.clock.call_flag;
        let lag = self.lag.expected();
        let Phase::Playing(play) = &mut self.phase else {
            return;
        };
        if play.takeback_until.is_some_and(|until| now >= until) {
            play.takeback_until = None;
            if let Some(mv) = play.held.take() {
                self.send_move(mv, now);
                return;
            }
        }
        if call_flag && play.is_opponents_time_over(lag, now) {
            play.flag_called = Some(now);
            self.send("flag");
        }
        self.tick_stop(now);
        self.tick_engine(now);
    }

    /// Checks that the engine is alive while it thinks.
    fn tick_engine(&mut self, now: Instant) {
        let Phase::Playing(play) = &self.phase else {
            return;
        };
        let own_clock = play.clock(play.game.own(), now);
        match self.engine.check(own_clock, now) {
            super::engine_watch::Check::Fine => {}
            super::engine_watch::Check::Ask => {
                self.log(Level::Warning, "the engine is asked to move now".into());
                self.order(EngineOrder::MoveNow);
            }
            super::engine_watch::Check::Restart => {
                self.log(
                    Level::Error,
                    "the engine does not answer and is started again".into(),
                );
                match self.engine.ended(now) {
                    Ok(()) => {
                        self.order(EngineOrder::Start);
                        self.restart_game(now);
                    }
                    Err(_) => {
                        self.send("resign");
                        self.actions
                            .push(Action::End(Exit::Engine("it does not answer".into())));
                    }
                }
            }
        }
    }
}
