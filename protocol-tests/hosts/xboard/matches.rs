//! XBoard plays our program against another engine, or against itself.

use std::time::Duration;

use shakmaty::{Color, Position};

use crate::conversation::{Ended, Speaker};
use crate::needs::{gaur, program};
use crate::xboard::debug_file::Engine;
use crate::xboard::session::{Session, said};

/// How XBoard begins to word a result that was reached on the board, agreed, claimed with right, or adjudicated as it
/// was told to. Its other words are about flags, illegal moves and false claims.
const FAIR: [&str; 4] = [
    "Xboard adjudication",
    "XBoard adjudication",
    "Draw agreed",
    "Draw claim: ",
];

/// How often at most a match is played when the opponent leaves it. Fairy-Max may crash in any game.
const PLAYINGS: usize = 4;

/// How a match came out in which our program did nothing wrong.
enum Outcome {
    /// All its games came to an end.
    Complete,
    /// The opponent went away before that; what XBoard said.
    Left(String),
}

/// A match to be played.
struct Match {
    /// The folder of its evidence.
    name: &'static str,
    /// The second engine; our program if nothing is said.
    opponent: Option<&'static str>,
    games: usize,
    /// What XBoard is told beside that.
    arguments: &'static [&'static str],
    /// What our program must have been told in consequence.
    told: &'static [&'static str],
    /// Files for the arguments to name.
    files: &'static [(&'static str, &'static str)],
}

impl Match {
    /// Plays it, again when the opponent went away.
    fn play(&self) -> Result<(), String> {
        let mut reasons = Vec::new();
        for _ in 0..PLAYINGS {
            match self.play_once()? {
                Outcome::Complete => return Ok(()),
                Outcome::Left(reason) => {
                    eprintln!("{}: the opponent left: {reason}", self.name);
                    reasons.push(reason);
                }
            }
        }
        Err(format!("the opponent left every match: {reasons:?}"))
    }

    fn play_once(&self) -> Result<Outcome, String> {
        let games = self.games.to_string();
        let own = format!("\"{}\"", gaur().display());
        let opponent = match self.opponent {
            Some(name) => program(name)?.display().to_string(),
            None => own,
        };
        let mut arguments = vec!["-scp", &opponent, "-mm", "-mg", &games, "-sgf", "games.pgn"];
        arguments.extend(self.arguments);
        let mut session = Session::start(self.name, &arguments, self.files)?;
        session.wait_for_answer(0, "pong")?;
        session.wait_for_exit(Duration::from_secs(400))?;
        let outcome = self
            .check(&session, Engine::First)
            .map_err(|error| format!("First engine: {error}"))?;
        if self.opponent.is_none() {
            self.check(&session, Engine::Second)
                .map_err(|error| format!("Second engine: {error}"))?;
        }
        Ok(outcome)
    }

    /// Checks what our program did as one of the engines, up to where its opponent went away if it did.
    fn check(&self, session: &Session, engine: Engine) -> Result<Outcome, String> {
        let summary = session.check(engine, &[])?;
        if summary.thinking < summary.moves {
            return Err(format!(
                "{} lines of thinking for {} moves",
                summary.thinking, summary.moves
            ));
        }
        let left = |game: &&Ended| self.opponent.is_some() && opponent_left(&game.reason);
        let abandoned = summary.ended.iter().find(left);
        let games: Vec<&Ended> = summary
            .ended
            .iter()
            .filter(|game| game.own_moves > 0 && !left(game))
            .collect();
        for game in &games {
            fair(game)?;
        }
        if let Some(game) = abandoned {
            return Ok(Outcome::Left(game.reason.clone()));
        }
        let lines = session.debug_file().conversation(engine);
        for line in self.told {
            if !said(&lines, Speaker::Host, line) {
                return Err(format!("XBoard did not send `{line}`"));
            }
        }
        if games.len() != self.games {
            return Err(format!("{} games instead of {}", games.len(), self.games));
        }
        Ok(Outcome::Complete)
    }
}

/// Whether XBoard says that the second engine went away. Where that is another program it says nothing about ours, in
/// either direction.
fn opponent_left(reason: &str) -> bool {
    reason.contains("Error writing to second chess program")
        || reason.contains("second chess program (") && reason.contains("exited unexpectedly")
}

/// Whether a game ended as games should.
fn fair(game: &Ended) -> Result<(), String> {
    let Ended {
        result,
        reason,
        position,
        ..
    } = game;
    let wrong = |why: &str| Err(format!("{why}: {result} {{{reason}}}"));
    if !["1-0", "0-1", "1/2-1/2"].contains(&result.as_str()) {
        return wrong("a game has no result");
    }
    if !FAIR.iter().any(|start| reason.starts_with(start)) {
        return wrong("a game did not end on the board");
    }
    if reason.contains("Checkmate") {
        let winner = match position.turn() {
            Color::White => "0-1",
            Color::Black => "1-0",
        };
        if !position.is_checkmate() || result != winner {
            return wrong("the board shows something else");
        }
    }
    if reason.contains("Stalemate") && (!position.is_stalemate() || result != "1/2-1/2") {
        return wrong("the board shows something else");
    }
    Ok(())
}

/// White wins by force, slowly enough for a dozen moves; Black begins.
const ROOK_ENDING: &str = "6k1/5ppp/8/8/8/8/1R3PPP/1R4K1 b - - 0 1\n";

/// The classical control in whole minutes, thinking on the opponent's time. The game is cut short when both engines
/// agree for three moves that it is lost.
pub fn forty_moves_a_minute() -> Result<(), String> {
    Match {
        name: "match-40-1",
        opponent: Some("fairymax"),
        games: 1,
        arguments: &[
            "-tc",
            "1",
            "-mps",
            "40",
            "-ponder",
            "-adjudicateLossThreshold",
            "-500",
        ],
        told: &["level 40 1 0", "hard", "name Fairy-Max 5.0b"],
        files: &[],
    }
    .play()
}

/// Many short periods: the clock is filled up again and again.
pub fn short_periods() -> Result<(), String> {
    Match {
        name: "match-5-0:03",
        opponent: None,
        games: 1,
        arguments: &["-tc", "0:03", "-mps", "5", "-xponder"],
        told: &["level 5 0:03 0", "easy"],
        files: &[],
    }
    .play()
}

/// A minute and a second for each move, from a position with Black to move.
pub fn minute_and_second() -> Result<(), String> {
    Match {
        name: "match-1-1",
        opponent: Some("fairymax"),
        games: 1,
        arguments: &["-tc", "1", "-inc", "1", "-ponder", "-lpf", "position.fen"],
        told: &[
            "level 0 1 1",
            "hard",
            "setboard 6k1/5ppp/8/8/8/8/1R3PPP/1R4K1 b - - 0 1",
        ],
        files: &[("position.fen", ROOK_ENDING)],
    }
    .play()
}

/// Ten seconds and a tenth for each move, two games, the colours changed between them.
pub fn ten_seconds_and_a_tenth() -> Result<(), String> {
    Match {
        name: "match-0:10-0.1",
        opponent: Some("fairymax"),
        games: 2,
        arguments: &["-tc", "0:10", "-inc", "0.1", "-xponder"],
        told: &["level 0 0:10 0.1", "easy"],
        files: &[],
    }
    .play()
}

/// A second for each move, and not a bit more: XBoard would call it a loss on time.
pub fn second_a_move() -> Result<(), String> {
    Match {
        name: "match-st-1",
        opponent: None,
        games: 1,
        arguments: &["-st", "0:01", "-ponder", "-lpf", "position.fen"],
        told: &["st 1", "hard"],
        files: &[("position.fen", ROOK_ENDING)],
    }
    .play()
}

/// Fischer random chess: two games from the same array.
pub fn fischerandom() -> Result<(), String> {
    Match {
        name: "match-fischerandom",
        opponent: None,
        games: 2,
        arguments: &[
            "-variant",
            "fischerandom",
            "-defaultFrcPosition",
            "333",
            "-tc",
            "0:05",
            "-inc",
            "0.1",
            "-ponder",
        ],
        told: &["variant fischerandom", "level 0 0:05 0.1"],
        files: &[],
    }
    .play()
}
