//! Matches under XBoard: the program against another engine, or against itself.

use std::time::Duration;

use shakmaty::{Color, Position};

use crate::conversation::{Ended, Sender};
use crate::fairymax::FIRST_LINES;
use crate::needs::{gaur, program};
use crate::xboard::debug_file::Engine;
use crate::xboard::session::{Session, was_sent};

/// Beginnings of XBoard's result comments for games decided on the board, by agreement, by a correct claim or by
/// requested adjudication. Its other comments are about flags, illegal moves and false claims.
const FAIR: [&str; 4] = [
    "Xboard adjudication",
    "XBoard adjudication",
    "Draw agreed",
    "Draw claim: ",
];

/// Moves that need no thinking line.
enum SilentMoves {
    /// No move.
    Never,
    /// Up to half of the moves. On a busy machine XBoard answers late, and with little time for a move Gaur then omits
    /// the lines before it.
    LittleTime,
}

impl SilentMoves {
    /// Returns the largest number among this number of moves.
    fn of(&self, moves: usize) -> usize {
        match self {
            SilentMoves::Never => 0,
            SilentMoves::LittleTime => moves / 2,
        }
    }
}

/// Settings of a match.
struct Match {
    /// Folder of the test.
    name: &'static str,
    /// Second engine; the program itself by default.
    opponent: Option<&'static str>,
    games: usize,
    silent_moves: SilentMoves,
    /// Further arguments for XBoard.
    arguments: &'static [&'static str],
    /// Lines that XBoard must send to the program.
    expected_lines: &'static [&'static str],
    /// Files that the arguments name.
    files: &'static [(&'static str, &'static str)],
}

impl Match {
    /// Plays the match and checks the program.
    fn play(&self) -> Result<(), String> {
        let games = self.games.to_string();
        let own = format!("\"{}\"", gaur().display());
        let opponent = match self.opponent {
            Some(name) => program(name)?.display().to_string(),
            None => own,
        };
        let mut arguments = vec!["-scp", &opponent, "-mm", "-mg", &games, "-sgf", "games.pgn"];
        arguments.extend(self.arguments);
        let first_lines = FIRST_LINES.map(|line| format!("{line}\n")).concat();
        if self.opponent == Some("fairymax") {
            arguments.extend(["-secondInitString", &first_lines]);
        }
        let mut session = Session::start(self.name, &arguments, self.files)?;
        session.wait_for_answer(0, "pong")?;
        session.wait_for_exit(Duration::from_secs(400))?;
        self.check(&session, Engine::First)
            .map_err(|error| format!("First engine: {error}"))?;
        if self.opponent.is_none() {
            self.check(&session, Engine::Second)
                .map_err(|error| format!("Second engine: {error}"))?;
        }
        Ok(())
    }

    /// Checks the program as one of the engines.
    fn check(&self, session: &Session, engine: Engine) -> Result<(), String> {
        let summary = session.check(engine, &[])?;
        let silent = summary.moves_without_thinking;
        if silent > self.silent_moves.of(summary.moves) {
            return Err(format!(
                "{silent} of {} moves without thinking lines",
                summary.moves
            ));
        }
        let games: Vec<&Ended> = summary
            .ended
            .iter()
            .filter(|game| game.own_moves > 0)
            .collect();
        for game in &games {
            fair(game)?;
        }
        let lines = session.debug_file().conversation(engine);
        for line in self.expected_lines {
            if !was_sent(&lines, Sender::Host, line) {
                return Err(format!("XBoard did not send `{line}`"));
            }
        }
        if games.len() != self.games {
            return Err(format!("{} games instead of {}", games.len(), self.games));
        }
        Ok(())
    }
}

/// Checks that a game ended correctly.
pub fn fair(game: &Ended) -> Result<(), String> {
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

/// White wins by force within about a dozen moves; Black to move.
const ROOK_ENDING: &str = "6k1/5ppp/8/8/8/8/1R3PPP/1R4K1 b - - 0 1\n";

/// Plays with 40 moves in whole minutes and pondering. XBoard adjudicates the game when both engines agree on the
/// winner for three moves.
pub fn forty_moves_a_minute() -> Result<(), String> {
    Match {
        name: "match-40-1",
        opponent: Some("fairymax"),
        games: 1,
        silent_moves: SilentMoves::Never,
        arguments: &[
            "-tc",
            "1",
            "-mps",
            "40",
            "-ponder",
            "-adjudicateLossThreshold",
            "-500",
        ],
        expected_lines: &["level 40 1 0", "hard", "name Fairy-Max 5.0b"],
        files: &[],
    }
    .play()
}

/// Plays with many short periods.
pub fn short_periods() -> Result<(), String> {
    Match {
        name: "match-5-0:03",
        opponent: None,
        games: 1,
        silent_moves: SilentMoves::LittleTime,
        arguments: &["-tc", "0:03", "-mps", "5", "-xponder"],
        expected_lines: &["level 5 0:03 0", "easy"],
        files: &[],
    }
    .play()
}

/// Plays with one minute plus one second per move, from a position with Black to move.
pub fn minute_and_second() -> Result<(), String> {
    Match {
        name: "match-1-1",
        opponent: Some("fairymax"),
        games: 1,
        silent_moves: SilentMoves::Never,
        arguments: &["-tc", "1", "-inc", "1", "-ponder", "-lpf", "position.fen"],
        expected_lines: &[
            "level 0 1 1",
            "hard",
            "setboard 6k1/5ppp/8/8/8/8/1R3PPP/1R4K1 b - - 0 1",
        ],
        files: &[("position.fen", ROOK_ENDING)],
    }
    .play()
}

/// Plays two games with ten seconds plus a tenth per move, with colours changed.
pub fn ten_seconds_and_a_tenth() -> Result<(), String> {
    Match {
        name: "match-0:10-0.1",
        opponent: Some("fairymax"),
        games: 2,
        silent_moves: SilentMoves::LittleTime,
        arguments: &["-tc", "0:10", "-inc", "0.1", "-xponder"],
        expected_lines: &["level 0 0:10 0.1", "easy"],
        files: &[],
    }
    .play()
}

/// Plays with exactly one second per move; XBoard forfeits a game if a move takes longer.
pub fn second_a_move() -> Result<(), String> {
    Match {
        name: "match-st-1",
        opponent: None,
        games: 1,
        silent_moves: SilentMoves::Never,
        arguments: &["-st", "0:01", "-ponder", "-lpf", "position.fen"],
        expected_lines: &["st 1", "hard"],
        files: &[("position.fen", ROOK_ENDING)],
    }
    .play()
}

/// Plays two games of Fischer Random chess from the same start position.
pub fn fischerandom() -> Result<(), String> {
    Match {
        name: "match-fischerandom",
        opponent: None,
        games: 2,
        silent_moves: SilentMoves::LittleTime,
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
        expected_lines: &["variant fischerandom", "level 0 0:05 0.1"],
        files: &[],
    }
    .play()
}
