//! Takebacks that the host does not tell of.
//!
//! When players on a chess server agree to take moves back, xboard in Zippy mode says nothing: the engine only
//! hears the next move, which is meant for an earlier position. A move that does not fit now, but does in
//! such an earlier position, is proof enough. One that fits in both is taken as it stands, unless the clocks show
//! that moves were taken back (see [`Heard::speaks_for_takeback`](crate::clock::Heard::speaks_for_takeback)).
//!
//! Nothing of this is done outside of games on a server.

use std::time::Instant;

use super::{Machine, Mode};
use crate::clock::{Clocks, TimeControl, WhenTakenBack};
use crate::game::Game;
use crate::notation::{MoveError, parse_move};

/// A game in which moves are gone, and the clocks as they were when the first of these was about to be made.
type Earlier = (Game, Clocks);

impl Machine {
    /// If a move of the opponent shows that others were taken back before, goes back to where it belongs. True when
    /// nothing remains to be done, because the move is the one we are thinking about already.
    pub(super) fn notice_takeback(&mut self, text: &str, now: Instant) -> bool {
        if self.players.server.is_none() {
            return false;
        }
        let earlier = match self.mode {
            Mode::Thinking { .. } => self.taken_back_on_our_turn(text),
            Mode::Waiting { .. } | Mode::Pondering { .. } => self.taken_back_on_their_turn(text),
            _ => None,
        };
        let Some(earlier) = earlier else {
            return false;
        };
        if self.is_last_move(text, &earlier.0) {
            return true;
        }
        self.go_back_to(earlier, now);
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

    fn taken_back_on_their_turn(&self, text: &str) -> Option<Earlier> {
        match parse_move(self.game.position()?, text) {
            Ok(_) => [2, 4]
                .into_iter()
                .find(|&count| self.clocks_show_takeback(count))
                .and_then(|count| self.first_that_fits(text, &[(count, 0)])),
            Err(MoveError::Malformed | MoveError::Ambiguous(..)) => None,
            // The move that we have answered comes a second time, and the clocks have just run on.
            Err(_) if self.repeats_answered_move(text) && self.clocks_show_none(2) => None,
            // The opponent's move and our answer; or, while we were thinking, our move before them; or more.
            Err(_) => self.first_that_fits(text, &[(2, 0), (2, 1), (4, 0), (4, 1), (6, 0)]),
        }
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

    /// Whether the clocks show that the last `count` half-moves were taken back.
    fn clocks_show_takeback(&self, count: usize) -> bool {
        !self.players.opponent_is_program()
            && self
                .when_taken_back(count)
                .is_some_and(|then| self.heard.speaks_for_takeback(then))
    }

    /// Whether the clocks show that the last `count` half-moves were not taken back.
    fn clocks_show_none(&self, count: usize) -> bool {
        self.when_taken_back(count)
            .is_some_and(|then| self.heard.speaks_against_takeback(then))
    }

    /// What a takeback of the last `count` half-moves puts the clocks back to; `None` if that is not known, or where
    /// periods make it doubtful.
    fn when_taken_back(&self, count: usize) -> Option<WhenTakenBack> {
        let TimeControl::Game {
            moves: None,
            increment,
            ..
        } = *self.clocks.opponent.control()
        else {
            return None;
        };
        Some(WhenTakenBack {
            engine: self.game.clocks_before(count)?.engine.last_known(),
            opponent: self.game.clocks_before(count + 2)?.opponent.last_known(),
            increment,
        })
    }

    /// Takes an earlier position over. What was said of the clocks since then holds.
    fn go_back_to(&mut self, (game, clocks): Earlier, now: Instant) {
        self.settle(now);
        self.explain("moves were taken back");
        self.game = game;
        self.clocks.take_back_to(&clocks, now);
        let (engine, opponent) = self.heard.told();
        if let Some(remaining) = engine {
            self.clocks.tell_engine(remaining, now);
        }
        if let Some(remaining) = opponent {
            self.clocks.tell_opponent(remaining, now);
        }
        self.heard.forget();
        self.forget_position();
    }
}
