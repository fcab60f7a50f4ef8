//! The log: lines with time stamps in a file that is rotated, and on standard error what a person should know.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::rotation::RotatingFile;

/// Text that replaces a secret.
const HIDDEN: &str = "********";

/// Kind of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A failure that needs attention.
    Error,
    /// An unusual event.
    Warning,
    /// A usual event that a person wants to know, such as the result of a game.
    Notice,
    /// A change that the status line shows, too: printed only where there is none.
    State,
    /// A usual event, such as an answered challenge.
    Info,
    /// A line received from the server.
    FromServer,
    /// A line sent to the server.
    ToServer,
    /// A line received from the engine.
    FromEngine,
    /// A line sent to the engine.
    ToEngine,
}

impl Level {
    /// Returns the text that begins the line, after the time.
    fn mark(self) -> &'static str {
        match self {
            Self::Error => "error:",
            Self::Warning => "warning:",
            Self::Notice | Self::State | Self::Info => "info:",
            Self::FromServer => "server >",
            Self::ToServer => "server <",
            Self::FromEngine => "engine >",
            Self::ToEngine => "engine <",
        }
    }

    /// Returns `true` for lines of the server and the engine.
    pub(super) fn is_traffic(self) -> bool {
        !matches!(
            self,
            Self::Error | Self::Warning | Self::Notice | Self::State | Self::Info
        )
    }

    /// Returns `true` for lines that are printed on standard error, too.
    fn is_printed(self, has_status_line: bool) -> bool {
        match self {
            Self::Error | Self::Warning | Self::Notice => true,
            Self::State => !has_status_line,
            _ => false,
        }
    }
}

/// Levels that a log keeps, besides errors, warnings and notices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    state: bool,
    info: bool,
    traffic: bool,
}

impl Filter {
    /// Returns `true` for lines that are kept.
    pub(super) fn keeps(self, level: Level) -> bool {
        match level {
            Level::Error | Level::Warning | Level::Notice => true,
            Level::State => self.state,
            Level::Info => self.info,
            _ => self.traffic,
        }
    }
}

/// The log.
#[derive(Debug)]
pub struct Log {
    /// The log file, if there is one.
    file: Option<RotatingFile>,
    filter: Filter,
    has_status_line: bool,
    secrets: Vec<String>,
    failing: bool,
}

impl Log {
    /// Creates a log that prints errors, warnings, notices and changes of the state on standard error and drops the
    /// rest.
    pub fn to_stderr() -> Self {
        Self::new(None, false)
    }

    /// Opens a log file, which is appended to. `size`: megabytes after which a new file begins; `count`: files kept.
    /// Without `traffic`, lines of the server and the engine are dropped.
    ///
    /// # Errors
    ///
    /// Returns the cause with the path if the file cannot be written.
    pub fn open(path: &Path, size: u64, count: u32, traffic: bool) -> Result<Self, LogError> {
        let file =
            RotatingFile::open(path, size.saturating_mul(1_000_000), count).map_err(|source| {
                LogError {
                    file: path.to_owned(),
                    source,
                }
            })?;
        Ok(Self::new(Some(file), traffic))
    }

    fn new(file: Option<RotatingFile>, traffic: bool) -> Self {
        Self {
            filter: Filter {
                state: true,
                info: file.is_some(),
                traffic,
            },
            has_status_line: false,
            file,
            secrets: Vec::new(),
            failing: false,
        }
    }

    /// States whether a status line shows what the lines of [`Level::State`] contain, so that they are not printed.
    pub(super) fn has_status_line(&mut self, is_shown: bool) {
        self.has_status_line = is_shown;
        self.filter.state = self.file.is_some() || !is_shown;
    }

    /// Replaces `secret` by asterisks in all later lines. To be called with the password before the login.
    pub fn hide(&mut self, secret: &str) {
        if !secret.is_empty() {
            self.secrets.push(secret.to_owned());
        }
    }

    /// Returns a text without its secrets.
    pub(super) fn hidden(&self, text: &str) -> String {
        let hide = |text: String, secret: &String| text.replace(secret, HIDDEN);
        self.secrets.iter().fold(text.to_owned(), hide)
    }

    /// Returns the levels that the log keeps.
    pub(super) fn filter(&self) -> Filter {
        self.filter
    }

    /// Writes a line that was created at `time`. A text with several lines becomes several lines of the log. Errors,
    /// warnings and notices are printed as well.
    ///
    /// A file that cannot be written is reported once on standard error; the lines are lost.
    pub(super) fn write(&mut self, level: Level, text: &str, time: SystemTime) {
        if !self.filter.keeps(level) {
            return;
        }
        let text = self.hidden(text);
        if level.is_printed(self.has_status_line) {
            print(level, &text);
        }
        let Some(file) = &mut self.file else {
            return;
        };
        let time = humantime::format_rfc3339_millis(time);
        let mut lines = String::new();
        for line in text.lines().chain(text.is_empty().then_some("")) {
            lines.push_str(&format!("{time} {} {}\n", level.mark(), printable(line)));
        }
        match file.write(&lines) {
            Ok(()) => self.failing = false,
            Err(error) => {
                if !self.failing {
                    print(
                        Level::Error,
                        &format!("log file {}: {error}", file.path().display()),
                    );
                }
                self.failing = true;
            }
        }
    }
}

/// Prints a line on standard error, over the status line. A standard error that is closed is no reason to end.
fn print(level: Level, text: &str) {
    let mut output = io::stderr();
    let start = if output.is_terminal() { "\r\x1b[K" } else { "" };
    for line in text.lines() {
        let _ = writeln!(output, "{start}{}", printed(level, line));
    }
}

/// Returns a line for a person. A notice needs no mark.
fn printed(level: Level, line: &str) -> String {
    match level {
        Level::Notice | Level::State => printable(line),
        _ => format!("{} {}", level.mark(), printable(line)),
    }
}

/// Returns the text with control characters escaped, so that text of others can neither imitate lines of the log nor
/// control a terminal.
fn printable(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for character in line.chars() {
        if character.is_control() && character != '\t' {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

/// The log file cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", file.display())]
pub struct LogError {
    /// The log file.
    pub file: PathBuf,
    /// The cause.
    pub source: io::Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_gets_warnings_and_results_without_traffic() {
        assert_eq!(printed(Level::Error, "a\x1b"), "error: a\\u{1b}");
        assert_eq!(printed(Level::Notice, "game 7: won"), "game 7: won");
        let printed = [
            Level::Error,
            Level::Warning,
            Level::Notice,
            Level::State,
            Level::Info,
            Level::FromServer,
            Level::ToEngine,
        ];
        let with_line = printed.map(|level| level.is_printed(true));
        assert_eq!(with_line, [true, true, true, false, false, false, false]);
        let without_line = printed.map(|level| level.is_printed(false));
        assert_eq!(without_line, [true, true, true, true, false, false, false]);
    }

    #[test]
    fn a_log_without_a_file_keeps_what_it_prints() {
        for is_shown in [false, true] {
            let mut log = Log::to_stderr();
            log.has_status_line(is_shown);
            for level in [
                Level::Error,
                Level::Warning,
                Level::Notice,
                Level::State,
                Level::Info,
            ] {
                let is_printed = level.is_printed(is_shown);
                assert_eq!(log.filter().keeps(level), is_printed, "{level:?}");
            }
        }
    }
}
