//! XBoard's debug file: all traffic between it and its engines.

use std::fs;
use std::path::Path;

use crate::conversation::{Line, Speaker};

/// Which of XBoard's two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The one given by `-fcp`.
    First,
    /// The one given by `-scp`.
    Second,
}

impl Engine {
    /// As the file spells it, with the colon behind it.
    fn label(self) -> &'static str {
        match self {
            Engine::First => "first :",
            Engine::Second => "second:",
        }
    }
}

/// What XBoard wrote so far.
pub struct DebugFile {
    text: String,
}

impl DebugFile {
    /// Reads it; a file that is not there yet is an empty one.
    pub fn read(file: &Path) -> DebugFile {
        let bytes = fs::read(file).unwrap_or_default();
        DebugFile {
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// The conversation with one engine.
    pub fn conversation(&self, engine: Engine) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest_of: Option<&str> = None;
        for raw in self.text.lines() {
            // XBoard sends some commands two at a time, and the second then stands on a line of its own.
            if let Some(first) = rest_of.take()
                && matches!((first, raw), ("xboard", "protover 2") | ("new", "random"))
            {
                lines.push(host(raw));
                continue;
            }
            let Some((speaker, text)) = spoken(raw, engine) else {
                continue;
            };
            if speaker == Speaker::Host {
                rest_of = Some(text);
                lines.push(host(&joined(text, engine)));
            } else {
                lines.push(Line {
                    speaker,
                    text: text.to_string(),
                });
            }
        }
        lines
    }

    /// What XBoard itself complained about: a move, or an answer that it had to drop.
    pub fn complaint(&self) -> Option<&str> {
        const COMPLAINTS: [&str; 4] = [
            "Illegal move",
            "Ignoring extra move",
            "Undoing extra move",
            "Undoing move from aborted think",
        ];
        self.text
            .lines()
            .find(|line| COMPLAINTS.iter().any(|complaint| line.contains(complaint)))
    }
}

fn host(text: &str) -> Line {
    Line {
        speaker: Speaker::Host,
        text: text.to_string(),
    }
}

/// `1234 >first : TEXT`, the number being milliseconds.
fn spoken(raw: &str, engine: Engine) -> Option<(Speaker, &str)> {
    let (time, rest) = raw.split_once(' ')?;
    time.parse::<u64>().ok()?;
    let (speaker, rest) = match rest.split_at_checked(1)? {
        (">", rest) => (Speaker::Host, rest),
        ("<", rest) => (Speaker::Engine, rest),
        _ => return None,
    };
    let text = rest.strip_prefix(engine.label())?;
    Some((speaker, text.strip_prefix(' ').unwrap_or(text)))
}

/// A line that XBoard sent in pieces, `usermove ` and the move, has the mark of the second piece in its middle.
fn joined(text: &str, engine: Engine) -> String {
    let mark = format!(" >{} ", engine.label());
    match text.split_once(&mark) {
        Some((start, end)) => {
            let start = start.trim_end_matches(|letter: char| letter.is_ascii_digit());
            format!("{start}{end}")
        }
        None => text.to_string(),
    }
}
