//! Time controls as the person writes and reads them.

use std::time::Duration;

use crate::clock::TimeControl;
use crate::protocol::command::Command;
use crate::protocol::parser;
use crate::types::{Depth, MAX_DEPTH};

/// A time control, and the line of the protocol that sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Line of the protocol.
    pub(super) line: String,
    /// The time control.
    pub(super) control: TimeControl,
}

impl Default for Level {
    /// Returns two and a half seconds per move.
    fn default() -> Level {
        Level {
            line: "st 2.5".to_owned(),
            control: TimeControl::PerMove(Duration::from_millis(2500)),
        }
    }
}

impl Level {
    /// Parses the argument of `level`: `off`, `5` (minutes), `5+3` (and seconds per move), `40/5` (moves in minutes),
    /// `40/5+3`, or the three numbers of the protocol.
    pub(super) fn parse(text: &str) -> Option<Level> {
        if text.eq_ignore_ascii_case("off") {
            return Some(Level::default());
        }
        if !text.contains(['/', '+']) && text.split_whitespace().count() >= 3 {
            return Level::from_line(&format!("level {text}"));
        }
        let (moves, times) = text.split_once('/').unwrap_or(("0", text));
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        // The protocol ignores what follows these numbers, but here it would be a mistake.
        let is_number = |text: &str| {
            !text.is_empty()
                && text
                    .chars()
                    .all(|c| c.is_ascii_digit() || c == '.' || c == ':')
        };
        let [moves, base, increment] = [moves, base, increment].map(str::trim);
        [moves, base, increment]
            .into_iter()
            .all(is_number)
            .then_some(())?;
        Level::from_line(&format!("level {moves} {base} {increment}"))
    }

    /// Returns the level that a line of the protocol sets, if it is `level` or `st`.
    pub(super) fn from_line(line: &str) -> Option<Level> {
        match parser::parse(line) {
            Ok(Command::TimeControl(control)) => Some(Level {
                line: line.to_owned(),
                control,
            }),
            _ => None,
        }
    }

    /// Returns `true` if the clocks of both sides matter.
    pub(super) fn has_clocks(&self) -> bool {
        matches!(self.control, TimeControl::Game { .. })
    }

    /// Returns `true` if Gaur would have to move at once.
    pub(super) fn gives_no_time(&self) -> bool {
        match self.control {
            TimeControl::PerMove(time) => time.is_zero(),
            TimeControl::Game {
                base, increment, ..
            } => base.is_zero() && increment.is_zero(),
        }
    }

    /// Describes the time control in a sentence.
    pub(super) fn describe(&self) -> String {
        match self.control {
            TimeControl::PerMove(time) => {
                format!("Gaur thinks for at most {} per move.", span(time))
            }
            TimeControl::Game {
                moves,
                base,
                increment,
            } => {
                let stage = match moves {
                    None => "for the game".to_owned(),
                    Some(moves) => format!("for every {moves} moves"),
                };
                let added = if increment.is_zero() {
                    String::new()
                } else {
                    format!(", and {} more with each move", span(increment))
                };
                format!(
                    "Each side has {} {stage}{added}. You do not lose when your time is over.",
                    span(base)
                )
            }
        }
    }
}

/// Describes a limit of the depth in a sentence.
pub(super) fn depth_limit(depth: Depth) -> String {
    if depth == MAX_DEPTH {
        "The depth is not limited.".to_owned()
    } else {
        let plies = counted(depth.unsigned_abs().into(), "half-move");
        format!("Gaur thinks at most {plies} deep.")
    }
}

/// Returns a time in words, such as `5 minutes`.
fn span(time: Duration) -> String {
    let milliseconds = time.as_millis();
    if milliseconds >= 60_000 && milliseconds.is_multiple_of(60_000) {
        counted(milliseconds / 60_000, "minute")
    } else if milliseconds.is_multiple_of(1000) {
        counted(milliseconds / 1000, "second")
    } else {
        format!("{} seconds", time.as_secs_f64())
    }
}

fn counted(count: u128, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

/// Returns the time on a clock as `M:SS`.
pub(super) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(text: &str) -> String {
        Level::parse(text).map_or("wrong".to_owned(), |level| level.describe())
    }

    #[test]
    fn usual_spellings_are_understood() {
        for (text, expected) in [
            (
                "5",
                "Each side has 5 minutes for the game. You do not lose when your time is over.",
            ),
            (
                "5+3",
                "Each side has 5 minutes for the game, and 3 seconds more with each move. You do not lose when your time is over.",
            ),
            (
                "40 / 5 + 0",
                "Each side has 5 minutes for every 40 moves. You do not lose when your time is over.",
            ),
            (
                "1 + 0",
                "Each side has 1 minute for the game. You do not lose when your time is over.",
            ),
            (
                "0:30+1",
                "Each side has 30 seconds for the game, and 1 second more with each move. You do not lose when your time is over.",
            ),
            (
                "1.5",
                "Each side has 90 seconds for the game. You do not lose when your time is over.",
            ),
            (
                "40/5",
                "Each side has 5 minutes for every 40 moves. You do not lose when your time is over.",
            ),
            (
                "0 2 12",
                "Each side has 2 minutes for the game, and 12 seconds more with each move. You do not lose when your time is over.",
            ),
            (
                "40 5 0",
                "Each side has 5 minutes for every 40 moves. You do not lose when your time is over.",
            ),
            ("off", "Gaur thinks for at most 2.5 seconds per move."),
        ] {
            assert_eq!(described(text), expected, "{text}");
        }
    }

    #[test]
    fn levels_without_time_are_recognized() {
        for (line, expected) in [
            ("st 0", true),
            ("st 1", false),
            ("level 0 0 0", true),
            ("level 0 0 1", false),
        ] {
            let level = Level::from_line(line).expect("a level");
            assert_eq!(level.gives_no_time(), expected, "{line}");
        }
    }

    #[test]
    fn wrong_levels_are_refused() {
        for text in [
            "",
            "fast",
            "5+",
            "+3",
            "5-3",
            "x/5",
            "5 minutes",
            "1e3",
            "5 3",
            "5 3+1",
        ] {
            assert_eq!(Level::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_default_is_what_its_line_says() {
        let level = Level::default();
        assert_eq!(Level::from_line(&level.line), Some(level));
    }

    #[test]
    fn clocks_show_minutes_and_seconds() {
        assert_eq!(clock_text(Duration::from_millis(125_900)), "2:05");
    }
}
