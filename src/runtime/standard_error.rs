//! Error messages on standard error.

use std::io::{self, Write};
use std::thread::{Builder, JoinHandle};

use crate::protocol::format::{escape_invisible, sanitize};

/// Prints an error message on standard error, which may be closed. Invisible characters are escaped.
pub fn print_error(text: &str) {
    write_line(&escape_invisible(text));
}

/// Prints messages that concern no failure of the start, in a thread of its own, because nobody may read standard error.
/// Returns the thread.
///
/// XBoard reads standard error like standard output, so these lines contain no phrase that it would act on.
pub fn print_in_background(texts: Vec<String>) -> Option<JoinHandle<()>> {
    let print = move || texts.iter().for_each(|text| write_line(&sanitize(text)));
    // Without a thread, the GUI still gets the messages.
    Builder::new()
        .name("standard error".into())
        .spawn(print)
        .ok()
}

/// Writes a line in one piece: standard output may be the same pipe.
fn write_line(text: &str) {
    let _ = io::stderr().write_all(format!("gaur: {text}\n").as_bytes());
}
