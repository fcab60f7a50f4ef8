//! Talk in games on a server: a greeting, a goodbye, and score and line for those who like to watch.
//!
//! All of it is off by default, none of it is said in local games, and never is there more than one line in
//! three seconds. What is said is the user's own text, or moves and numbers; nothing that an opponent can choose.

use std::time::{Duration, Instant};

use super::Machine;
use crate::config::Kibitz;
use crate::messages::{Bound, SearchInfo};
use crate::notation::write_san;
use crate::protocol::command::GameResult;
use crate::protocol::reply::{Listener, Reply};
use crate::types::{Move, Score};

/// Servers silence those who say more.
const PAUSE: Duration = Duration::from_secs(3);

/// Half-moves of a line that are told.
const LONGEST_PV: usize = 6;

/// What has been said and could be said.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// The last time that anything was said.
    last: Option<Instant>,
    /// This game's opponent has been greeted.
    greeted: bool,
    /// The game has ended, whether anything was said or not.
    parted: bool,
    /// The engine's moves since it last told score and line.
    moves: usize,
    /// The newest exact thinking output of the running search.
    thought: Option<SearchInfo>,
}

impl Machine {
    /// The engine's turn has come: greet, if the game has just begun.
    pub(super) fn greet(&mut self, now: Instant) {
        self.talk.thought = None;
        if self.config.chat.greet && self.game.len() <= 1 && !self.talk.greeted {
            self.talk.greeted =
                self.tell(Listener::Opponent, self.config.chat.greeting.clone(), now);
        }
    }

    /// Thinking output for the move that is owed.
    pub(super) fn note_thought(&mut self, info: &SearchInfo) {
        let wanted = self.config.chat.kibitz != Kibitz::Off && self.players.server.is_some();
        if wanted && info.bound == Bound::Exact && self.mode.thinking().is_some() {
            self.talk.thought = Some(info.clone());
        }
    }

    /// What is to be told of the search that has found `mv`; the move has not been played yet.
    pub(super) fn thought_about(&mut self, mv: Move) -> Option<String> {
        let thought = self.talk.thought.take()?;
        self.talk.moves += 1;
        (self.talk.moves >= self.config.chat.kibitz_every && thought.pv.first() == Some(&mv))
            .then(|| self.thought_text(&thought))
            .flatten()
    }

    /// Tells it, when the move has gone out.
    pub(super) fn kibitz(&mut self, text: Option<String>, now: Instant) {
        let listener = match self.config.chat.kibitz {
            Kibitz::Off => return,
            Kibitz::Everybody => Listener::Everybody,
            Kibitz::Observers => Listener::Observers,
        };
        if let Some(text) = text
            && self.tell(listener, text, now)
        {
            self.talk.moves = 0;
        }
    }

    /// `result`: say goodbye after a real game, once.
    pub(super) fn say_goodbye(&mut self, result: GameResult, now: Instant) {
        let is_game = result != GameResult::Unfinished && self.game.len() >= 2;
        if self.config.chat.greet && is_game && !self.talk.parted {
            self.tell(Listener::Opponent, self.config.chat.goodbye.clone(), now);
        }
        self.talk.parted = true;
    }

    /// Another game: only when we last spoke is kept.
    pub(super) fn forget_talk(&mut self) {
        self.talk = Talk {
            last: self.talk.last,
            ..Talk::default()
        };
    }

    /// Says something on a server, unless it is empty or too soon. Whether it was said.
    fn tell(&mut self, listener: Listener, text: String, now: Instant) -> bool {
        let too_soon = self
            .talk
            .last
            .is_some_and(|last| now.saturating_duration_since(last) < PAUSE);
        if self.players.server.is_none() || text.is_empty() || too_soon {
            return false;
        }
        self.talk.last = Some(now);
        self.say(Reply::Tell { listener, text });
        true
    }

    /// Such as `+0.35, depth 12: e4 e5 Nf3`.
    fn thought_text(&self, thought: &SearchInfo) -> Option<String> {
        let mut position = self.game.position()?.clone();
        let mut text = format!("{}, depth {}:", score_text(thought.score), thought.depth);
        for &mv in thought.pv.iter().take(LONGEST_PV) {
            if !position.is_legal(mv) {
                break;
            }
            text.push(' ');
            text.push_str(&write_san(&position, mv));
            // The copy is thrown away; nothing will be taken back in it.
            let _ = position.play(mv);
        }
        Some(text)
    }
}

/// Pawns for the engine, or the moves until a mate.
fn score_text(score: Score) -> String {
    match score.mate_distance() {
        Some(plies) if plies > 0 => format!("mate in {}", (plies + 1) / 2),
        Some(plies) => format!("mated in {}", (1 - plies) / 2),
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    #[test]
    fn scores_are_pawns_or_mates() {
        for (score, text) in [
            (Score(35), "+0.35"),
            (Score(-1234), "-12.34"),
            (Score(0), "+0.00"),
            (Score::mate_in(Ply(1)), "mate in 1"),
            (Score::mate_in(Ply(5)), "mate in 3"),
            (Score::mated_in(Ply(2)), "mated in 1"),
            (Score::mated_in(Ply(4)), "mated in 2"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }
}
