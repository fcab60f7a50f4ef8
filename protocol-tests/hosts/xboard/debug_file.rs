//! XBoard's debug file: all traffic between it and its engines.

use std::fs;
use std::path::Path;

use crate::conversation::{Line, Sender};

/// One of the two engines of XBoard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The one given by `-fcp`.
    First,
    /// The one given by `-scp`.
    Second,
}

impl Engine {
    /// Returns the label in the file, with its colon.
    fn label(self) -> &'static str {
        match self {
            Engine::First => "first :",
            Engine::Second => "second:",
        }
    }
}

/// Content of the debug file.
pub struct DebugFile {
    text: String,
}

impl DebugFile {
    /// Reads the file. A missing file counts as empty.
    pub fn read(file: &Path) -> DebugFile {
        let bytes = fs::read(file).unwrap_or_default();
        DebugFile {
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Returns the conversation with one engine.
    pub fn conversation(&self, engine: Engine) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest_of: Option<&str> = None;
        for raw in self.text.lines() {
            // XBoard sends some commands in pairs; the second is then on its own line.
            if let Some(first) = rest_of.take()
                && matches!((first, raw), ("xboard", "protover 2") | ("new", "random"))
            {
                lines.push(host(raw));
                continue;
            }
            let Some((sender, text)) = parse_traffic(raw, engine) else {
                continue;
            };
            if sender == Sender::Host {
                rest_of = Some(text);
                lines.push(host(&joined(text, engine)));
            } else {
                lines.push(Line {
                    sender,
                    text: text.to_string(),
                });
            }
        }
        lines
    }

    /// Returns an error message of XBoard about a move or an unexpected answer.
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
        sender: Sender::Host,
        text: text.to_string(),
    }
}

/// Parses `1234 >first : TEXT`; the number is in milliseconds.
fn parse_traffic(raw: &str, engine: Engine) -> Option<(Sender, &str)> {
    let (time, rest) = raw.split_once(' ')?;
    time.parse::<u64>().ok()?;
    let (sender, rest) = match rest.split_at_checked(1)? {
        (">", rest) => (Sender::Host, rest),
        ("<", rest) => (Sender::Engine, rest),
        _ => return None,
    };
    let text = rest.strip_prefix(engine.label())?;
    Some((sender, text.strip_prefix(' ').unwrap_or(text)))
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
