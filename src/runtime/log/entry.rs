//! What waits to be written, and how it is spelled.

use std::fmt::Write;
use std::time::Instant;

use crossbeam_channel::Sender;

use crate::config::LogSettings;

/// Of a longer line only so many characters are noted.
const LONGEST_NOTE: usize = 4000;

/// In which direction a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// From the GUI.
    Received,
    /// To the GUI.
    Sent,
    /// Neither.
    Remark,
}

impl Mark {
    fn sign(self) -> char {
        match self {
            Mark::Received => '>',
            Mark::Sent => '<',
            Mark::Remark => '#',
        }
    }
}

/// Something for the thread that writes.
#[derive(Debug)]
pub(super) enum Entry {
    /// A line, and when it went its way.
    Line {
        at: Instant,
        mark: Mark,
        text: String,
        /// Characters left out at its end.
        cut: usize,
    },
    /// So many lines found no room here.
    Lost(u64),
    /// Other settings of the log, and a summary of all settings of the engine.
    Settings(LogSettings, String),
    /// Say when all before this has been written.
    Flush(Sender<()>),
}

impl Entry {
    pub fn line(mark: Mark, line: &str, at: Instant) -> Entry {
        let end = line
            .char_indices()
            .nth(LONGEST_NOTE)
            .map_or(line.len(), |(end, _)| end);
        Entry::Line {
            at,
            mark,
            text: line[..end].to_owned(),
            cut: line[end..].chars().count(),
        }
    }

    /// Adds the line for it, if it has one. Milliseconds count from `began`.
    pub fn spell(&self, began: Instant, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            Entry::Line {
                at,
                mark,
                text,
                cut,
            } => {
                let time = at.saturating_duration_since(began).as_millis();
                let _ = write!(out, "{time:>9} {} ", mark.sign());
                spell_text(text, out);
                match cut {
                    0 => writeln!(out),
                    cut => writeln!(out, " ... ({cut} characters more)"),
                }
            }
            Entry::Lost(count) => {
                writeln!(out, "          # {count} lines lost: the disk was too slow")
            }
            Entry::Settings(..) | Entry::Flush(_) => Ok(()),
        };
    }
}

/// The text on one line: characters that are not for print are spelled out.
fn spell_text(text: &str, out: &mut String) {
    for letter in text.chars() {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
}
