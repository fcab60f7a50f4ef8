//! Entries of the log's queue, and their lines in the file.

use std::fmt::Write;
use std::time::Instant;

use crossbeam_channel::Sender;

use crate::config::LogSettings;
use crate::protocol::format::escape_invisible;

/// Largest number of characters logged of a line.
const MAX_LINE_CHARACTERS: usize = 4000;

/// Direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// A line from the GUI.
    Received,
    /// A line to the GUI.
    Sent,
    /// A comment of the engine.
    None,
}

impl Direction {
    /// Returns the sign before the line in the file.
    fn sign(self) -> char {
        match self {
            Direction::Received => '>',
            Direction::Sent => '<',
            Direction::None => '#',
        }
    }
}

/// An entry of the queue.
#[derive(Debug)]
pub(super) enum Entry {
    /// A line.
    Line {
        /// Time at which it was received or sent.
        at: Instant,
        /// Direction.
        direction: Direction,
        /// Text, cut to the largest number of characters.
        text: String,
        /// Number of characters cut off.
        cut: usize,
    },
    /// Number of lines dropped because the queue was full.
    Lost(u64),
    /// New settings of the log.
    Settings {
        /// Number of settings so far, with these.
        number: u64,
        /// The settings.
        settings: LogSettings,
        /// Summary of all settings of the engine.
        summary: String,
    },
    /// Request for a message when all earlier entries have been written.
    Flush(Sender<()>),
}

impl Entry {
    /// Creates an entry for a line.
    pub fn line(direction: Direction, line: &str, at: Instant) -> Entry {
        let end = line
            .char_indices()
            .nth(MAX_LINE_CHARACTERS)
            .map_or(line.len(), |(end, _)| end);
        Entry::Line {
            at,
            direction,
            text: line[..end].to_owned(),
            cut: line[end..].chars().count(),
        }
    }

    /// Appends the line of the entry, if any, with the milliseconds since `program_start`.
    pub fn write_line(&self, program_start: Instant, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            Entry::Line {
                at,
                direction,
                text,
                cut,
            } => {
                let time = at.saturating_duration_since(program_start).as_millis();
                let _ = write!(out, "{time:>9} {} ", direction.sign());
                out.push_str(&escape_invisible(text));
                match cut {
                    0 => writeln!(out),
                    cut => writeln!(out, " ... ({cut} characters more)"),
                }
            }
            Entry::Lost(count) => {
                writeln!(out, "          # {count} lines lost: the disk was too slow")
            }
            Entry::Settings { .. } | Entry::Flush(_) => Ok(()),
        };
    }
}
