//! Error messages on standard error.

use std::io::{self, Write};

/// Prints an error message on standard error, which may be closed.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "gaur: {text}");
}
