//! Standard input as a stream of lines with their arrival times.
//!
//! A thread reads it, so that commands are read at any time. It handles each line itself.

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use super::encoding::decode;
use crate::protocol::machine::MAX_LINE_BYTES;

/// Input from the GUI.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A complete line without its line end, and its arrival time.
    Line(String, Instant),
    /// The end of input.
    End,
}

/// Number of bytes kept of a line: one more than the machine accepts, so that it rejects a line that was cut.
const KEPT_LINE_BYTES: usize = MAX_LINE_BYTES + 1;

/// Time between two attempts to read an input that another process has made non-blocking.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// Starts a thread that reads `source` to its end and calls `on_input` with each line, until that breaks. While a call
/// lasts, nothing is read.
///
/// # Errors
/// Returns an error if the system cannot create the thread.
pub fn read(
    source: impl Read + Send + 'static,
    mut on_input: impl FnMut(Input) -> ControlFlow<()> + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            // The caller has no more to do than to end the thread, too.
            let (ControlFlow::Continue(()) | ControlFlow::Break(())) =
                read_all(source, &mut on_input);
        })?;
    Ok(())
}

fn read_all(
    mut source: impl Read,
    on_input: &mut impl FnMut(Input) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut buffer = [0; 1 << 13];
    let mut assembler = Assembler::default();
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(RETRY_INTERVAL);
                continue;
            }
            Err(error) => {
                super::standard_error::print_error(&format!(
                    "standard input cannot be read: {error}"
                ));
                break;
            }
        };
        let now = Instant::now();
        for line in assembler.add(&buffer[..count]) {
            on_input(Input::Line(line, now))?;
        }
    }
    if let Some(line) = assembler.last_line() {
        on_input(Input::Line(line, Instant::now()))?;
    }
    on_input(Input::End)
}

/// Assembles lines from pieces of any length.
#[derive(Default)]
struct Assembler {
    partial: Vec<u8>,
}

impl Assembler {
    /// Adds bytes and returns the lines that are now complete.
    fn add(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) => {
                    self.append(end);
                    lines.push(text(&std::mem::take(&mut self.partial)));
                }
                None => self.append(piece),
            }
        }
        lines
    }

    /// Returns the text after the last line end, if any, at the end of input.
    fn last_line(self) -> Option<String> {
        (!self.partial.is_empty()).then(|| text(&self.partial))
    }

    fn append(&mut self, bytes: &[u8]) {
        let free = KEPT_LINE_BYTES.saturating_sub(self.partial.len());
        self.partial.extend(bytes.iter().take(free));
    }
}

/// Converts a line to text and removes the CR that Windows writes before the LF.
fn text(bytes: &[u8]) -> String {
    decode(bytes.strip_suffix(b"\r").unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_assembled_from_pieces_of_any_length() {
        let text = b"xboard\nprotover 2\r\n\nusermove e2e4\nlast";
        for size in 1..=text.len() {
            let mut assembler = Assembler::default();
            let lines: Vec<String> = text
                .chunks(size)
                .flat_map(|piece| assembler.add(piece))
                .collect();
            assert_eq!(
                lines,
                ["xboard", "protover 2", "", "usermove e2e4"],
                "pieces of {size}"
            );
            assert_eq!(assembler.last_line().as_deref(), Some("last"));
        }
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut assembler = Assembler::default();
        for _ in 0..300 {
            assert!(assembler.add(&[b'a'; 8192]).is_empty());
        }
        let lines = assembler.add(b"\nping 1\n");
        assert_eq!(
            lines.iter().map(String::len).collect::<Vec<_>>(),
            [KEPT_LINE_BYTES, 6]
        );
        assert_eq!(assembler.last_line(), None);
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_replaced() {
        let mut assembler = Assembler::default();
        assert_eq!(assembler.add(b"\xff\0ping\n"), ["\u{fffd}\0ping"]);
    }

    /// A reader of pieces; an empty piece stands for the error of a non-blocking pipe without data.
    struct NonBlocking(Vec<&'static [u8]>);

    impl Read for NonBlocking {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            match self.0.remove(0) {
                b"" => Err(ErrorKind::WouldBlock.into()),
                mut piece => piece.read(buffer),
            }
        }
    }

    /// Reads everything and returns it.
    fn read_to_end(source: impl Read + Send + 'static) -> Vec<Input> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let on_input = move |input| {
            sender.send(input).expect("a receiver");
            ControlFlow::Continue(())
        };
        read(source, on_input).expect("a thread");
        receiver.iter().collect()
    }

    #[test]
    fn a_non_blocking_input_is_read_again() {
        let source = NonBlocking(vec![b"", b"ne", b"", b"", b"w\ngo\n", b""]);
        let lines = read_to_end(source);
        assert!(
            matches!(&lines[..], [Input::Line(a, _), Input::Line(b, _), Input::End] if a == "new" && b == "go")
        );
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let lines = read_to_end(&b"new\ngo"[..]);
        assert!(
            matches!(&lines[..], [Input::Line(a, _), Input::Line(b, _), Input::End] if a == "new" && b == "go")
        );
    }

    #[test]
    fn nothing_is_read_after_a_break() {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let on_input = move |input| {
            sender.send(input).expect("a receiver");
            ControlFlow::Break(())
        };
        read(&b"quit\nnew\n"[..], on_input).expect("a thread");
        let lines: Vec<Input> = receiver.iter().collect();
        assert!(matches!(&lines[..], [Input::Line(line, _)] if line == "quit"));
    }
}
