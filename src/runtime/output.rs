//! The only place that writes to standard output. Every line leaves at once: GUIs read pipes, which would
//! otherwise be filled before anything is sent.

use std::io::{self, Write};

/// Where replies go.
pub struct Output<W> {
    writer: W,
}

impl<W: Write> Output<W> {
    /// Writes to this.
    pub fn new(writer: W) -> Output<W> {
        Output { writer }
    }

    /// Writes whole lines, adding the last line end if it is missing, and sends them off.
    ///
    /// # Errors
    /// When nobody reads any more.
    pub fn print(&mut self, lines: &str) -> io::Result<()> {
        self.writer.write_all(lines.as_bytes())?;
        if !lines.ends_with('\n') {
            self.writer.write_all(b"\n")?;
        }
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Pipe {
        sent: String,
        waiting: String,
    }

    impl Write for &mut Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.waiting.push_str(&String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.sent.push_str(&std::mem::take(&mut self.waiting));
            Ok(())
        }
    }

    #[test]
    fn each_line_is_whole_and_sent() {
        let mut pipe = Pipe::default();
        let mut output = Output::new(&mut pipe);
        output.print("pong 1\n").expect("a pipe that takes all");
        output.print("move e2e4").expect("a pipe that takes all");
        assert_eq!(
            (pipe.sent.as_str(), pipe.waiting.as_str()),
            ("pong 1\nmove e2e4\n", "")
        );
    }
}
