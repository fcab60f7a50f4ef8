//! Takebacks that the host does not tell of.
//!
//! When players on a chess server agree to take moves back, xboard in Zippy mode says nothing: the engine only
//! hears the next move, which is meant for an earlier position. A move that does not fit now, but does in
//! such an earlier position, is proof enough. One that fits in both is taken as it stands, unless the clocks show
//! that moves were taken back (see [`ClockReports::takeback`](crate::clock::ClockReports::takeback)).
//!
//! Clocks can deceive: servers do not charge every move, and time may be given away. So the other game is kept beside
//! the chosen one ([`Game::set_alternative`]) until a move is legal in one of them only. While a takeback is
//! assumed, the engine answers by moves that are legal in both: an illegal one would be dropped without a word.
//!
//! Nothing of this is done outside of games on a server.

use std::time::Instant;

use super::{Machine, Mode};
use crate::clock::{Clocks, Takeback, TakebackTimes, TimeControl};
use crate::game::Game;
use crate::notation::{MoveError, parse_move};
use crate::rules::Position;
use crate::types::Move;

/// A game in which moves are gone, and the clocks as they were when the first of these was about to be made.
type Earlier = (Game, Clocks);

impl Machine {
    /// If a move of the opponent shows that others were taken back before, or that they were not, goes to the game
    /// that it belongs to. True when nothing remains to be done, because the move is the one we are thinking about
    /// already.
    pub(super) fn notice_takeback(&mut self, text: &str, now: Instant) -> bool {
        if self.players.server.is_none() {
            return false;
        }
        match self.mode {
            Mode::Thinking { .. } => {
                let Some(earlier) = self.taken_back_on_our_turn(text) else {
                    return false;
                };
                if self.is_last_move(text, &earlier.0) {
                    return true;
                }
                self.go_back_to(earlier, now);
            }
            Mode::Waiting { .. } | Mode::Pondering { .. } => {
                self.choose_game_for(text, now);
            }
            _ => {}
        }
        false
    }

    /// Whether the move, played in `earlier`, is the last one of this game.
    fn is_last_move(&self, text: &str, earlier: &Game) -> bool {
        let mv = earlier
            .position()
            .and_then(|position| parse_move(position, text).ok());
        earlier.len() + 1 == self.game.len() && mv == self.game.last_move()
    }

    /// The opponent moves although it is the engine's turn: the last move was taken back, or the last three.
    fn taken_back_on_our_turn(&self, text: &str) -> Option<Earlier> {
        self.first_that_fits(text, &[(1, 0), (3, 0)])
    }

    /// Goes to the game that a move of the opponent belongs to, if that is another one.
    fn choose_game_for(&mut self, text: &str, now: Instant) {
        let Some(position) = self.game.position() else {
            return;
        };
        match parse_move(position, text) {
            Ok(_) => self.weigh_takeback(text, now),
            Err(MoveError::Malformed | MoveError::Ambiguous(..)) => {}
            Err(_) if self.is_legal_in_alternative(text) => {
                self.choose_alternative_or_takeback(text, now);
            }
            // The move that we have answered comes a second time, and the clocks have just run on.
            Err(_)
                if self.repeats_answered_move(text)
                    && self.clocks_on_takeback(2) == Some(Takeback::Excluded) => {}
            Err(_) => {
                // The opponent's move and our answer; or, while we were thinking, our move before them; or more.
                let counts = [(2, 0), (2, 1), (4, 0), (4, 1), (6, 0)];
                if let Some(earlier) = self.first_that_fits(text, &counts) {
                    self.go_back_to(earlier, now);
                }
            }
        }
    }

    /// A move that is legal in the alternative only. Where it fits a takeback of the last two half-moves as well, and
    /// the clocks do not exclude that, the game after it is kept beside the other one.
    fn choose_alternative_or_takeback(&mut self, text: &str, now: Instant) {
        let evidence = self.clocks_on_takeback(2);
        let after_takeback = self
            .first_that_fits(text, &[(2, 0)])
            .filter(|_| evidence != Some(Takeback::Excluded));
        match after_takeback {
            Some(earlier) if evidence == Some(Takeback::Likely) => {
                let other = self.game.take_alternative();
                self.go_back_to(earlier, now);
                if let Some(other) = other {
                    self.game.set_alternative(other);
                }
            }
            Some((game, _)) => {
                self.go_to_alternative(now);
                self.game.set_alternative(game);
            }
            None => self.go_to_alternative(now),
        }
    }

    /// A move that is legal as the game stands: goes back if the clocks show a takeback, and otherwise keeps the game
    /// with a takeback that they allow beside this one.
    fn weigh_takeback(&mut self, text: &str, now: Instant) {
        if self.players.opponent_is_program() {
            return;
        }
        let shown_as = |evidence| {
            [2, 4]
                .into_iter()
                .filter(|&count| self.clocks_on_takeback(count) == Some(evidence))
                .find_map(|count| self.first_that_fits(text, &[(count, 0)]))
        };
        let is_assumed_already = self.game.assumes_takeback();
        if let Some(earlier) = shown_as(Takeback::Likely) {
            // The game without any takeback is kept as long as it is possible.
            let without_takeback = if is_assumed_already && self.is_legal_in_alternative(text) {
                self.game.take_alternative()
            } else {
                Some(self.game.clone())
            };
            self.go_back_to(earlier, now);
            if let Some(game) = without_takeback {
                self.game.set_alternative(game);
            }
        } else if let Some((with_takeback, _)) = shown_as(Takeback::Possible)
            && !is_assumed_already
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

    /// Goes on with the alternative. The clocks are those that were told.
    fn go_to_alternative(&mut self, now: Instant) {
        let length = self.game.len();
        let is_longer = |other: &Game| other.len() > length;
        let reason = if self.game.alternative().is_some_and(is_longer) {
            "no moves were taken back"
        } else {
            "moves were taken back"
        };
        if let Some(game) = self.game.take_alternative() {
            self.settle(now);
            self.explain(reason);
            self.game = game;
            self.clock_reports.discard();
            self.forget_position();
        }
    }

    /// Root moves that the search for a move leaves out: those that the GUI has excluded and, while a takeback is
    /// assumed, those that are illegal without it. An illegal move would reach nobody, and the game would stand
    /// still.
    pub(super) fn excluded_at_root(&self, position: &Position) -> Vec<Move> {
        let mut excluded = self.excluded_but_not_all(position);
        if self.game.assumes_takeback() {
            let chosen = excluded.clone();
            excluded.extend(self.game.legal_here_only());
            let is_left = |mv: &Move| !excluded.contains(mv);
            if !position.legal_moves().iter().any(is_left) {
                return chosen;
            }
        }
        excluded
    }

    /// The first of these games in which the move can be played: so many half-moves are gone, and so many that came
    /// after them are still there.
    fn first_that_fits(&self, text: &str, gone_and_kept: &[(usize, usize)]) -> Option<Earlier> {
        gone_and_kept.iter().find_map(|&(gone, kept)| {
            let (game, clocks) = self.game.without(gone, kept)?;
            parse_move(game.position()?, text).ok()?;
            Some((game, clocks))
        })
    }

    /// Whether the move is the one that the opponent made last.
    fn repeats_answered_move(&self, text: &str) -> bool {
        let before_answer = self.game.without(1, 0);
        let before_both = self.game.without(2, 0);
        before_answer
            .zip(before_both)
            .is_some_and(|((answered, _), (earlier, _))| {
                let mv = earlier
                    .position()
                    .and_then(|position| parse_move(position, text).ok());
                mv.is_some() && mv == answered.last_move()
            })
    }

    /// The conclusion from the clocks about a takeback of the last `count` half-moves.
    fn clocks_on_takeback(&self, count: usize) -> Option<Takeback> {
        self.clock_reports
            .assess_takeback(self.when_taken_back(count)?)
    }

    /// What a takeback of the last `count` half-moves puts the clocks back to; `None` if that is not known, or where
    /// periods make it doubtful.
    fn when_taken_back(&self, count: usize) -> Option<TakebackTimes> {
        let TimeControl::Game {
            moves: None,
            increment,
            ..
        } = *self.clocks.opponent.control()
        else {
            return None;
        };
        Some(TakebackTimes {
            engine: self.game.clocks_before(count)?.engine.last_shown(),
            opponent: self.game.clocks_before(count + 2)?.opponent.last_shown(),
            increment,
        })
    }

    /// Takes an earlier position over. What was said of the clocks since then holds.
    fn go_back_to(&mut self, (game, clocks): Earlier, now: Instant) {
        self.settle(now);
        self.explain("moves were taken back");
        self.game = game;
        self.clocks.take_back_to(&clocks, now);
        let (engine, opponent) = self.clock_reports.reported_times();
        if let Some(remaining) = engine {
            self.clocks.set_engine_time(remaining, now);
        }
        if let Some(remaining) = opponent {
            self.clocks.set_opponent_time(remaining, now);
        }
        self.clock_reports.discard();
        self.forget_position();
    }
}
