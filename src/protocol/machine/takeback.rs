//! Detection of takebacks on chess servers, which XBoard does not report.
//!
//! When the players on a server agree to take moves back, XBoard in Zippy mode sends nothing. The engine receives only
//! the next move, which belongs to an earlier position. A move that is legal there but not in the current position
//! proves the takeback. A move that is legal in both belongs to the current position, unless the clocks show a takeback
//! (see [`ClockReports::assess_takeback`](crate::clock::ClockReports::assess_takeback)).
//!
//! Clocks can mislead: servers do not charge every move, and players may give time. The other possible game is
//! therefore kept as the alternative ([`Game::set_alternative`]) until a move is legal in only one of them. While a
//! takeback is assumed, the engine plays moves that are legal in both, because a server ignores illegal moves.
//!
//! Takebacks are detected only in games on a server.

use std::time::Instant;

use crate::clock::{Clocks, Takeback};
use crate::game::Game;
use crate::notation::{MoveError, parse_move};

use super::mode::Mode;
use super::state::Machine;

/// A game after a takeback, and the clocks before the first half-move that was taken back.
type EarlierGame = (Game, Clocks);

impl Machine {
    /// Switches to the game that the opponent's move belongs to, if it shows that moves were taken back, or that they
    /// were not.
    ///
    /// Returns `true` if the engine already searches for its reply to this very move, which then needs no handling.
    pub(super) fn detect_takeback(&mut self, text: &str, now: Instant) -> bool {
        if self.players.server.is_none() {
            return false;
        }
        match self.mode {
            Mode::Thinking { .. } => {
                let Some(earlier) = self.takeback_on_engine_turn(text) else {
                    return false;
                };
                if self.is_last_move(text, &earlier.0) {
                    return true;
                }
                self.switch_to_earlier(earlier, now);
            }
            Mode::Waiting { .. } | Mode::Pondering { .. } => {
                self.select_game_for(text, now);
            }
            _ => {}
        }
        false
    }

    /// Returns `true` if the move, played in `earlier`, is the last one of the current game.
    fn is_last_move(&self, text: &str, earlier: &Game) -> bool {
        let mv = earlier
            .position()
            .and_then(|position| parse_move(position, text).ok());
        earlier.len() + 1 == self.game.len() && mv == self.game.last_move()
    }

    /// Returns the game after a takeback when the opponent moves although the engine is to move: the last move was
    /// taken back, or the last three.
    fn takeback_on_engine_turn(&self, text: &str) -> Option<EarlierGame> {
        self.first_game_with(text, &[(1, 0), (3, 0)])
    }

    /// Switches to the game that a move of the opponent belongs to, if it is another one.
    fn select_game_for(&mut self, text: &str, now: Instant) {
        let Some(position) = self.game.position() else {
            return;
        };
        match parse_move(position, text) {
            Ok(_) => self.consider_takeback(text, now),
            Err(MoveError::Malformed | MoveError::Ambiguous(..)) => {}
            Err(_) if self.is_legal_in_alternative(text) => {
                self.select_alternative_or_takeback(text, now);
            }
            // The move that the engine has answered is repeated, and the clocks exclude a takeback.
            Err(_)
                if self.repeats_answered_move(text)
                    && self.assess_takeback(2) == Some(Takeback::Excluded) => {}
            Err(_) => {
                // The opponent's move and the engine's reply; or, while the engine was thinking, its move before them;
                // or more.
                let counts = [(2, 0), (2, 1), (4, 0), (4, 1), (6, 0)];
                if let Some(earlier) = self.first_game_with(text, &counts) {
                    self.switch_to_earlier(earlier, now);
                }
            }
        }
    }

    /// Handles a move that is legal in the alternative only. If it is also legal after a takeback of the last two
    /// half-moves, which the clocks do not exclude, that game becomes or keeps an alternative.
    fn select_alternative_or_takeback(&mut self, text: &str, now: Instant) {
        let evidence = self.assess_takeback(2);
        let after_takeback = self
            .first_game_with(text, &[(2, 0)])
            .filter(|_| evidence != Some(Takeback::Excluded));
        match after_takeback {
            Some(earlier) if evidence == Some(Takeback::Likely) => {
                let other = self.game.take_alternative();
                self.switch_to_earlier(earlier, now);
                if let Some(other) = other {
                    self.game.set_alternative(other);
                }
            }
            Some((game, _)) => {
                self.switch_to_alternative(now);
                self.game.set_alternative(game);
            }
            None => self.switch_to_alternative(now),
        }
    }

    /// Handles a move that is legal in the current game. Switches to an earlier game if the clocks show a takeback;
    /// if they only allow one, the game after it becomes the alternative.
    fn consider_takeback(&mut self, text: &str, now: Instant) {
        if self.players.opponent_is_program() {
            return;
        }
        let game_assessed_as = |assessment| {
            [2, 4]
                .into_iter()
                .filter(|&count| self.assess_takeback(count) == Some(assessment))
                .find_map(|count| self.first_game_with(text, &[(count, 0)]))
        };
        let is_already_assumed = self.game.assumes_takeback();
        if let Some(earlier) = game_assessed_as(Takeback::Likely) {
            // The game without any takeback stays the alternative as long as it is possible.
            let without_takeback = if is_already_assumed && self.is_legal_in_alternative(text) {
                self.game.take_alternative()
            } else {
                Some(self.game.clone())
            };
            self.switch_to_earlier(earlier, now);
            if let Some(game) = without_takeback {
                self.game.set_alternative(game);
            }
        } else if let Some((with_takeback, _)) = game_assessed_as(Takeback::Possible)
            && !is_already_assumed
        {
            self.game.set_alternative(with_takeback);
        }
    }

    fn is_legal_in_alternative(&self, text: &str) -> bool {
        self.game
            .alternative()
            .and_then(Game::position)
            .is_some_and(|position| parse_move(position, text).is_ok())
    }

    /// Switches to the alternative game. The clocks keep the reported times.
    fn switch_to_alternative(&mut self, now: Instant) {
        let length = self.game.len();
        let is_longer = |other: &Game| other.len() > length;
        let reason = if self.game.alternative().is_some_and(is_longer) {
            "no moves were taken back"
        } else {
            "moves were taken back"
        };
        if let Some(game) = self.game.take_alternative() {
            self.stop_search(now);
            self.explain(reason);
            self.game = game;
            self.book.on_takeback(&self.game);
            self.time.discard_reports();
            self.policy_state.forget_scores();
            self.clear_position_input();
        }
    }

    /// Returns the first game in which the move is legal. Each pair is the number of half-moves to remove, and the
    /// number of later half-moves to keep.
    fn first_game_with(
        &self,
        text: &str,
        removed_and_kept: &[(usize, usize)],
    ) -> Option<EarlierGame> {
        removed_and_kept.iter().find_map(|&(removed, kept)| {
            let (game, clocks) = self.game.with_moves_removed(removed, kept)?;
            parse_move(game.position()?, text).ok()?;
            Some((game, clocks))
        })
    }

    /// Returns `true` if the move is the opponent's last move, which the engine has answered.
    fn repeats_answered_move(&self, text: &str) -> bool {
        let before_reply = self.game.with_moves_removed(1, 0);
        let before_both = self.game.with_moves_removed(2, 0);
        before_reply
            .zip(before_both)
            .is_some_and(|((answered, _), (earlier, _))| {
                let mv = earlier
                    .position()
                    .and_then(|position| parse_move(position, text).ok());
                mv.is_some() && mv == answered.last_move()
            })
    }

    /// Returns the conclusion from the clocks about a takeback of the last `count` half-moves.
    fn assess_takeback(&self, count: usize) -> Option<Takeback> {
        self.time.assess_takeback(&self.game, count)
    }

    /// Switches to a game after a takeback. The clocks keep the times that were reported since.
    fn switch_to_earlier(&mut self, (game, clocks): EarlierGame, now: Instant) {
        self.stop_search(now);
        self.explain("moves were taken back");
        self.game = game;
        self.book.on_takeback(&self.game);
        self.time.take_back_to_reported(&clocks, now);
        self.policy_state.forget_scores();
        self.clear_position_input();
    }
}
