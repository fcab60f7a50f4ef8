//! Other games and positions: `new`, `variant`, `setboard`, taking back.

use std::error::Error;
use std::time::Instant;

use super::{Machine, Measure, Mode};
use crate::clock::ClockReports;
use crate::game::Game;
use crate::messages::ScoreOverrides;
use crate::notation::parse_fen_for;
use crate::protocol::manners::Manners;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::{Position, Setup, Variant};
use crate::types::Color;

impl Machine {
    /// `new`: the start position, the engine plays Black, limits gone; analysis stays analysis.
    pub(super) fn new_game(&mut self, now: Instant) {
        self.settle(now);
        self.greeted = true;
        if !matches!(self.mode, Mode::Analysing { .. }) {
            self.mode = Mode::Waiting {
                engine: Color::Black,
            };
        }
        self.players.forget_opponent();
        self.forget_talk();
        self.clocks.reset();
        self.depth_limit = None;
        self.measure_by(Measure::WallClock, now);
        self.score_overrides = ScoreOverrides::default();
        self.forget_learned();
        self.set_game(Game::new(Variant::Standard), now);
    }

    /// `variant`: other rules and their start position.
    pub(super) fn variant(&mut self, name: &str, line: &str, now: Instant) {
        match Variant::from_name(name) {
            // Some GUIs say it again in the middle of their start block.
            Some(variant) if variant == self.game.variant() => {}
            Some(variant) => {
                self.settle(now);
                self.set_game(Game::new(variant), now);
            }
            None => self.refuse(ErrorKind::UnknownVariant, line),
        }
    }

    /// `setboard`. What cannot be played from leaves a game in which nothing can be played.
    pub(super) fn set_board(&mut self, fen: &str, now: Instant) {
        self.settle(now);
        match parse_fen_for(fen, self.game.variant()) {
            Ok(setup) => self.set_up(&setup, fen, now),
            Err(error) => self.set_impossible(Setup::empty(), fen, &error, now),
        }
    }

    /// Takes over a position from `setboard` or from edit mode; the machine is at rest. A refusal names `fen`.
    pub(super) fn set_up(&mut self, setup: &Setup, fen: &str, now: Instant) {
        match Position::from_setup(setup, self.game.variant()) {
            Ok(position) => self.set_game(Game::from_position(position), now),
            Err(error) => self.set_impossible(setup.clone(), fen, &error, now),
        }
    }

    fn set_impossible(&mut self, setup: Setup, fen: &str, reason: &dyn Error, now: Instant) {
        self.say(Reply::IllegalPosition {
            fen: fen.to_owned(),
            reason: reason.to_string(),
        });
        self.set_game(Game::unplayable(setup, self.game.variant()), now);
    }

    fn set_game(&mut self, game: Game, now: Instant) {
        self.game = game;
        self.manners = Manners::default();
        self.clock_reports = ClockReports::default();
        self.position_changed(now);
    }

    /// `undo`: one half-move back.
    pub(super) fn undo(&mut self, line: &str, now: Instant) {
        self.take_back(1, line, now);
    }

    /// `remove`: two half-moves back, so that the same side is on move.
    pub(super) fn remove(&mut self, line: &str, now: Instant) {
        if self.take_back(2, line, now)
            && let Mode::Waiting { engine } = self.mode
            && let Some(turn) = self.game.position().map(Position::side_to_move)
            && turn != engine
        {
            self.clocks.run(turn, now);
            if !self.game.is_empty() {
                self.start_pondering(now);
            }
        }
    }

    /// Takes back so many half-moves, or refuses when there are fewer. Outside force mode and analysis the engine
    /// then waits, even on its own move: it would only repeat itself.
    fn take_back(&mut self, count: usize, line: &str, now: Instant) -> bool {
        if self.game.len() < count {
            self.refuse(ErrorKind::NotLegalNow, line);
            return false;
        }
        self.settle(now);
        self.clock_reports.discard();
        for _ in 0..count {
            if let Some(clocks) = self.game.take_back() {
                self.clocks.take_back_to(&clocks, now);
            }
        }
        self.position_changed(now);
        true
    }

    /// What was said about the position is void.
    pub(super) fn forget_position(&mut self) {
        self.excluded.clear();
        self.lifted = None;
    }

    /// The machine is at rest on another position: what was said about the old one is void.
    pub(super) fn position_changed(&mut self, now: Instant) {
        self.forget_position();
        match self.mode {
            Mode::Analysing { .. } => self.restart_analysis(now),
            Mode::Over { engine } => self.mode = Mode::Waiting { engine },
            _ => {}
        }
    }
}
