//! Error messages on standard error.

use std::io::{self, Write};

use crate::protocol::format::escape_invisible;

/// Prints an error message on standard error, which may be closed. Invisible characters are escaped.
pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr(), "gaur: {}", escape_invisible(text));
}
