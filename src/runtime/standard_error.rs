//! Error messages on standard error.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::thread::{Builder, JoinHandle};

use super::descriptor::Pipe;
use crate::protocol::format::{escape_invisible, sanitize};

/// Prints an error message on standard error, which may be closed. Invisible characters are escaped.
pub fn print_error(text: &str) {
    write(&line(&escape_invisible(text)));
}

/// Prints messages about errors with which Gaur plays on. Returns the thread that prints those for which the caller
/// would have to wait.
///
/// XBoard reads standard error and standard output from the same pipe. The messages therefore contain no phrase that it
/// would act on, and they are complete before the caller prints its next line there, if the pipe has space for them.
pub fn print_without_waiting(texts: &[String]) -> Option<JoinHandle<()>> {
    let mut lines: VecDeque<Vec<u8>> = texts.iter().map(|text| line(&sanitize(text))).collect();
    let pipe = Pipe::new(&io::stderr());
    while let (Some(pipe), Some(line)) = (&pipe, lines.front_mut())
        && pipe.is_ready()
    {
        match pipe.write(line) {
            Ok(count) if count < line.len() => drop(line.drain(..count)),
            // Nothing can be done about a closed pipe.
            _ => drop(lines.pop_front()),
        }
    }
    if lines.is_empty() {
        return None;
    }
    let print = move || lines.iter().for_each(|line| write(line));
    // Without a thread, the GUI still gets the messages.
    Builder::new()
        .name("standard error".into())
        .spawn(print)
        .ok()
}

/// Returns a line with a message, and its line end.
fn line(text: &str) -> Vec<u8> {
    format!("gaur: {text}\n").into_bytes()
}

/// Writes a line in one piece.
fn write(line: &[u8]) {
    let _ = io::stderr().write_all(line);
}
