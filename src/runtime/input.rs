//! Standard input as a stream of stamped lines. A thread of its own reads it, so that nothing can hide in a buffer
//! and nobody waits for it.

use std::io::{self, ErrorKind, Read};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::protocol::machine::LONGEST_LINE;

/// What the GUI has sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A complete line without its line end, and when it arrived.
    Line(String, Instant),
    /// Nothing more will come.
    End,
}

/// Of a line only this many bytes are kept: one more than is obeyed, so that what was cut is refused.
const KEPT: usize = LONGEST_LINE + 1;

/// Lines that may wait to be obeyed; the GUI has to wait with more.
const LINES_WAITING: usize = 256;

/// Before an input that somebody has made non-blocking is asked again.
const RETRY: Duration = Duration::from_millis(2);

/// Reads until the end of input, in a thread of its own.
///
/// # Errors
/// If the system grants no thread.
pub fn read(source: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(LINES_WAITING);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_all(source, &sender))?;
    Ok(receiver)
}

fn read_all(mut source: impl Read, sender: &Sender<Input>) {
    let mut buffer = [0; 1 << 13];
    let mut assembler = Assembler::default();
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(RETRY);
                continue;
            }
            Err(error) => {
                super::complain(&format!("standard input cannot be read: {error}"));
                break;
            }
        };
        let now = Instant::now();
        for line in assembler.take_in(&buffer[..count]) {
            if sender.send(Input::Line(line, now)).is_err() {
                return;
            }
        }
    }
    if let Some(line) = assembler.last_line() {
        // Nobody listening any more is as good as the end.
        let _ = sender.send(Input::Line(line, Instant::now()));
    }
    let _ = sender.send(Input::End);
}

/// Puts lines together from pieces that end anywhere.
#[derive(Default)]
struct Assembler {
    partial: Vec<u8>,
}

impl Assembler {
    /// Takes in some bytes and gives the lines that are complete with them.
    fn take_in(&mut self, bytes: &[u8]) -> Vec<String> {
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

    /// What came after the last line end, at the end of input.
    fn last_line(self) -> Option<String> {
        (!self.partial.is_empty()).then(|| text(&self.partial))
    }

    fn append(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.partial.len());
        self.partial.extend(bytes.iter().take(room));
    }
}

/// A line as text, without the CR that Windows puts before the LF.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_together_from_any_pieces() {
        let text = b"xboard\nprotover 2\r\n\nusermove e2e4\nlast";
        for size in 1..=text.len() {
            let mut assembler = Assembler::default();
            let lines: Vec<String> = text
                .chunks(size)
                .flat_map(|piece| assembler.take_in(piece))
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
    fn an_endless_line_is_cut_and_forgotten() {
        let mut assembler = Assembler::default();
        for _ in 0..300 {
            assert!(assembler.take_in(&[b'a'; 8192]).is_empty());
        }
        let lines = assembler.take_in(b"\nping 1\n");
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [KEPT, 6]);
        assert_eq!(assembler.last_line(), None);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_harm() {
        let mut assembler = Assembler::default();
        assert_eq!(assembler.take_in(b"\xff\0ping\n"), ["\u{fffd}\0ping"]);
    }

    /// Gives its pieces, and between them what a pipe gives that somebody has made non-blocking.
    struct Hesitant(Vec<&'static [u8]>);

    impl Read for Hesitant {
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

    #[test]
    fn an_input_that_has_nothing_yet_is_asked_again() {
        let source = Hesitant(vec![b"", b"ne", b"", b"", b"w\ngo\n", b""]);
        let lines: Vec<Input> = read(source).expect("a thread").iter().collect();
        assert!(
            matches!(&lines[..], [Input::Line(a, _), Input::Line(b, _), Input::End] if a == "new" && b == "go")
        );
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let input = read(&b"new\ngo"[..]).expect("a thread");
        let lines: Vec<Input> = input.iter().collect();
        assert!(
            matches!(&lines[..], [Input::Line(a, _), Input::Line(b, _), Input::End] if a == "new" && b == "go")
        );
    }
}
