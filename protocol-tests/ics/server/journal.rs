//! Journal of the server: every line received and sent, and the finished games.

use std::fmt;
use std::time::{Duration, Instant};

use shakmaty::{ByColor, Chess, Color};

use super::clock::MoveTime;
use super::game::{Game, Terms};
use super::game_end::Ending;

/// Kind of a journal line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Line from the account.
    Typed,
    /// Line to the account.
    Told,
    /// Reason why the server refused a command of the account.
    Refused,
    /// A line or action of no correct client, such as accepting a variant that it cannot play.
    Fault,
}

/// Line of the journal.
#[derive(Clone, Debug)]
pub struct Entry {
    pub at: Duration,
    pub who: String,
    pub kind: Kind,
    pub text: String,
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.kind {
            Kind::Typed => '>',
            Kind::Told => '<',
            Kind::Refused => '!',
            Kind::Fault => '#',
        };
        let seconds = self.at.as_secs_f64();
        write!(out, "{seconds:8.3} {:<10} {arrow} {}", self.who, self.text)
    }
}

/// Finished game.
#[derive(Clone, Debug)]
pub struct Finished {
    pub names: ByColor<String>,
    pub ending: Ending,
    /// Half-moves.
    pub length: usize,
    pub terms: Terms,
    pub start: Chess,
    /// Moves in SAN.
    pub moves: Vec<String>,
    /// Time that each move cost, in milliseconds.
    pub spent: Vec<MoveTime>,
    /// Clock of the mover after each move, in milliseconds.
    pub clocks: Vec<i64>,
    pub least_time: ByColor<i64>,
}

impl Finished {
    /// Returns the side that this account played.
    pub fn side_of(&self, name: &str) -> Option<Color> {
        self.names.find(|own| own == name)
    }

    /// Returns the result, such as `Rabbit resigns 1-0`.
    pub fn summary(&self) -> String {
        format!(
            "{} {}",
            self.ending.reason(&self.names),
            self.ending.result()
        )
    }
}

/// Journal of one server.
#[derive(Clone, Debug)]
pub struct Journal {
    began: Instant,
    pub entries: Vec<Entry>,
    pub finished: Vec<Finished>,
}

impl Journal {
    /// Returns an empty journal that begins now.
    pub fn new() -> Journal {
        Journal {
            began: Instant::now(),
            entries: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Records a line.
    pub fn note(&mut self, who: &str, kind: Kind, text: &str) {
        self.entries.push(Entry {
            at: self.began.elapsed(),
            who: who.to_string(),
            kind,
            text: text.to_string(),
        });
    }

    /// Records the end of a game.
    pub fn finish(&mut self, game: &Game, ending: Ending) {
        self.finished.push(Finished {
            names: game.names.clone(),
            ending,
            length: game.plies.len(),
            terms: game.terms.clone(),
            start: game.start.clone(),
            moves: game.plies.iter().map(|ply| ply.san.clone()).collect(),
            spent: game.plies.iter().map(|ply| ply.spent).collect(),
            clocks: game.plies.iter().map(|ply| ply.clock).collect(),
            least_time: game.least_time,
        });
    }

    /// Returns the lines of this kind of an account.
    pub fn of<'a>(&'a self, who: &'a str, kind: Kind) -> impl Iterator<Item = &'a str> {
        self.entries
            .iter()
            .filter(move |entry| entry.who == who && entry.kind == kind)
            .map(|entry| entry.text.as_str())
    }

    /// Checks the results of the finished games, in order.
    pub fn expect(&self, endings: &[&str]) -> Result<(), String> {
        let seen: Vec<String> = self.finished.iter().map(|game| game.summary()).collect();
        if seen == endings {
            Ok(())
        } else {
            Err(format!("the games ended {seen:?} instead of {endings:?}"))
        }
    }
}
