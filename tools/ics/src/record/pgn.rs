//! The text of a game in PGN.

use std::time::Duration;

use super::termination::termination;
use crate::score::{self, mate};

/// A finished game. Texts that are empty produce no tag, except in the seven tags that PGN requires.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRecord {
    /// Event, such as `rated blitz match`.
    pub event: String,
    /// Name of the server.
    pub site: String,
    /// Date of the start, `YYYY.MM.DD`, in UTC.
    pub date: String,
    /// Time of the start, `HH:MM:SS`, in UTC.
    pub utc_time: String,
    /// Round; empty: `-`.
    pub round: String,
    /// Player of the white pieces.
    pub white: String,
    /// Player of the black pieces.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Rating of White, if known.
    pub white_elo: Option<u32>,
    /// Rating of Black, if known.
    pub black_elo: Option<u32>,
    /// Time control in seconds, such as `300+5`; `-` without clocks.
    pub time_control: String,
    /// Variant, such as `Chess960`; empty for standard chess.
    pub variant: String,
    /// Start position; `None`: that of standard chess.
    pub fen: Option<String>,
    /// Reason of the end, as the server stated it.
    pub termination: String,
    /// The moves.
    pub moves: Vec<MoveRecord>,
}

/// A move of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveRecord {
    /// The move in standard algebraic notation.
    pub san: String,
    /// Time left to the player after the move.
    pub clock: Option<Duration>,
    /// Time that the move took.
    pub spent: Option<Duration>,
    /// The engine's score in centipawns for the side that moved; mate as the engine writes it (100000 + moves).
    pub score: Option<i32>,
    /// Search depth of the score.
    pub depth: Option<u32>,
}

/// Greatest length of a line: PGN discourages lines of 80 characters and more.
const WIDTH: usize = 79;

impl GameRecord {
    /// Returns the game in PGN, with an empty line at the end.
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.tags() {
            text.push_str(&format!("[{name} \"{}\"]\n", escaped(&value)));
        }
        text.push('\n');
        let mut column = 0;
        for word in self.words() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > WIDTH {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += length;
        }
        text.push_str("\n\n");
        text
    }

    /// Returns the tags in the order of the standard.
    fn tags(&self) -> Vec<(&'static str, String)> {
        let or = |value: &str, default: &str| {
            if value.trim().is_empty() {
                default.to_owned()
            } else {
                value.to_owned()
            }
        };
        let mut tags = vec![
            ("Event", or(&self.event, "?")),
            ("Site", or(&self.site, "?")),
            ("Date", or(&self.date, "????.??.??")),
            ("Round", or(&self.round, "-")),
            ("White", or(&self.white, "?")),
            ("Black", or(&self.black, "?")),
            ("Result", self.result_text().to_owned()),
        ];
        let optional = [
            ("UTCDate", self.utc_date().to_owned()),
            ("UTCTime", self.utc_time.clone()),
            (
                "WhiteElo",
                self.white_elo
                    .map(|elo| elo.to_string())
                    .unwrap_or_default(),
            ),
            (
                "BlackElo",
                self.black_elo
                    .map(|elo| elo.to_string())
                    .unwrap_or_default(),
            ),
            ("TimeControl", self.time_control.clone()),
            ("Variant", self.variant.clone()),
            (
                "SetUp",
                self.fen
                    .as_ref()
                    .map(|_| "1".to_owned())
                    .unwrap_or_default(),
            ),
            ("FEN", self.fen.clone().unwrap_or_default()),
            ("Termination", self.standard_termination().to_owned()),
            ("TerminationDetails", self.termination.clone()),
        ];
        tags.extend(
            optional
                .into_iter()
                .filter(|(_, value)| !value.trim().is_empty()),
        );
        tags
    }

    /// Returns the date in UTC; empty if the time is not known.
    fn utc_date(&self) -> &str {
        if self.utc_time.is_empty() {
            ""
        } else {
            &self.date
        }
    }

    /// Returns the result; `*` for a text that is no result.
    fn result_text(&self) -> &str {
        match self.result.as_str() {
            "1-0" | "0-1" | "1/2-1/2" => &self.result,
            _ => "*",
        }
    }

    /// Returns the way in which the game ended, as the standard states it; empty without a reason.
    fn standard_termination(&self) -> &'static str {
        if self.termination.trim().is_empty() {
            return "";
        }
        termination(&self.termination, self.result_text() != "*")
    }

    /// Returns the words of the move text.
    fn words(&self) -> Vec<String> {
        let (mut number, mut white_to_move) = self.start();
        let mut words = Vec::new();
        let mut needs_number = true;
        for played in &self.moves {
            if white_to_move {
                words.push(format!("{number}."));
            } else if needs_number {
                words.push(format!("{number}..."));
            }
            words.push(played.san.clone());
            let comment = played.comment(white_to_move);
            // A number follows a comment, so that the moves of Black are clear.
            needs_number = !comment.is_empty();
            words.extend(comment);
            if !white_to_move {
                number = number.saturating_add(1);
            }
            white_to_move = !white_to_move;
        }
        words.push(self.result_text().to_owned());
        words
    }

    /// Returns the number of the first move and `true` if White makes it.
    fn start(&self) -> (u32, bool) {
        let Some(fen) = &self.fen else {
            return (1, true);
        };
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let number = fields
            .get(5)
            .and_then(|text| text.parse().ok())
            .unwrap_or(1);
        (number, fields.get(1) != Some(&"b"))
    }
}

impl MoveRecord {
    /// Returns the words of the comment, braces included; none if nothing is known.
    ///
    /// `[%eval]` is seen from White, as by convention; the score after it from the side that moved.
    fn comment(&self, white: bool) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(clock) = self.clock {
            words.push(format!("[%clk {}]", clock_text(clock)));
        }
        if let Some(score) = self.score {
            let from_white = if white { score } else { score.saturating_neg() };
            words.push(format!("[%eval {}]", eval_text(from_white)));
            words.push(match self.depth {
                Some(depth) => format!("{}/{depth}", score_text(score)),
                None => score_text(score),
            });
        }
        if let Some(spent) = self.spent {
            words.push(format!("{:.1}s", spent.as_secs_f64()));
        }
        if let Some(first) = words.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = words.last_mut() {
            last.push('}');
        }
        words
    }
}

/// Returns a clock as `h:mm:ss.t`.
fn clock_text(clock: Duration) -> String {
    let tenths = clock.as_millis() / 100;
    let seconds = tenths / 10;
    format!(
        "{}:{:02}:{:02}.{}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        tenths % 10
    )
}

/// Returns a score as in `[%eval]`: pawns, or `#` and the moves to mate.
fn eval_text(score: i32) -> String {
    match mate(score) {
        Some(_) => score::text(score),
        None => format!("{:.2}", f64::from(score) / 100.0),
    }
}

/// Returns a score in pawns with its sign, or `+M5`, `-M5`.
fn score_text(score: i32) -> String {
    match mate(score) {
        Some(moves) => {
            let sign = if score > 0 { '+' } else { '-' };
            format!("{sign}M{}", moves.abs())
        }
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// Returns the value of a tag: one line, quotation marks and backslashes escaped.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    for character in value.trim().chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            character if character.is_control() => text.push(' '),
            character => text.push(character),
        }
    }
    text
}
