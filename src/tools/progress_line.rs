//! A line on standard error that shows the progress of a tool.

use std::io::{self, IsTerminal, Write};

/// A line on standard error that shows the progress, if standard error is a terminal.
pub(super) struct ProgressLine {
    is_terminal: bool,
    /// Number of characters of the line that is shown.
    width: usize,
}

impl ProgressLine {
    pub(super) fn new() -> ProgressLine {
        ProgressLine {
            is_terminal: io::stderr().is_terminal(),
            width: 0,
        }
    }

    /// Shows a line of ASCII characters in an empty line of the terminal.
    pub(super) fn show(&mut self, text: &str) {
        if self.is_terminal {
            self.width = text.len();
            let _ = write!(io::stderr(), "{text}");
        }
    }

    /// Erases the line. Results written to the same terminal would otherwise be appended to it.
    pub(super) fn clear(&mut self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r{:width$}\r", "", width = self.width);
        }
    }
}
