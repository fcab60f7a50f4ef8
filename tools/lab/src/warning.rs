//! Warnings on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a warning. Unlike `eprintln!`, it does not panic if standard error is closed.
pub(crate) fn warn(message: impl Display) {
    let _ = writeln!(io::stderr(), "gaur-lab: {message}");
}
