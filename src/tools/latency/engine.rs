//! Engine process of `gaur latency`.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Shortest time that a search runs before a command interrupts it. It varies, so that the interruptions do not
/// coincide with periodic work of the search.
const THINKING_TIME: Duration = Duration::from_millis(20);

/// Number of different times that a search runs.
const STEPS: u32 = 16;

/// A process of the engine, connected by pipes as to a GUI.
pub struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts the engine and reads its features.
    pub fn start(program: &Path) -> io::Result<Engine> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut engine = Engine {
            child,
            input,
            output: BufReader::new(output),
        };
        engine.send("xboard\nprotover 2\n")?;
        engine.wait_for("feature done=1")?;
        Ok(engine)
    }

    /// Writes text to the engine in one piece.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    /// Waits until the engine has carried out all commands.
    pub fn synchronise(&mut self) -> io::Result<()> {
        self.send("ping 1\n")?;
        self.wait_for("pong")
    }

    /// Reads lines up to one that begins with this text.
    pub fn wait_for(&mut self, beginning: &str) -> io::Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if line.starts_with(beginning) {
                return Ok(());
            }
        }
    }

    /// Starts a search on all processors and waits for a short time.
    pub fn think(&mut self, round: u32) -> io::Result<()> {
        self.send(&format!("new\neasy\ncores {}\nst 600\ngo\n", processors()))?;
        thread::sleep(THINKING_TIME + THINKING_TIME * (round % STEPS) / STEPS);
        Ok(())
    }

    /// Sends `quit` and waits for the end of the process.
    pub fn quit(mut self) -> io::Result<()> {
        self.send("quit\n")?;
        self.child.wait().map(drop)
    }
}

/// Returns the number of processors that the system offers.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
