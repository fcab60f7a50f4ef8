//! Engine process of `gaur latency`.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use crossbeam_channel::bounded;

use crate::runtime::START_VARIABLES;

/// Shortest time that a search runs before a command interrupts it. It varies, so that the interruptions do not
/// coincide with periodic work of the search.
const THINKING_TIME: Duration = Duration::from_millis(20);

/// Number of different times that a search runs.
const STEPS: u32 = 16;

/// Longest time that a program may take to answer as an xboard engine does. A busy machine starts one within a second.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Checks that a program answers `protover 2` and `ping` as an xboard engine does, because the measurements wait for
/// such answers without a time limit.
///
/// # Errors
/// Returns an error if the program cannot be started, ends, or does not answer in time.
pub fn check_answers(program: &Path) -> io::Result<()> {
    check_answers_within(program, FIRST_ANSWER_TIMEOUT)
}

fn check_answers_within(program: &Path, limit: Duration) -> io::Result<()> {
    let (mut child, mut conversation) = spawn(program)?;
    let (answered, answer) = bounded(1);
    thread::spawn(move || {
        let result = conversation
            .greet()
            .and_then(|()| conversation.synchronise());
        // The receiver waits no longer than the limit.
        answered.send(result).unwrap_or_default();
    });
    let answer = answer.recv_timeout(limit);
    // A program that has ended by itself cannot be killed.
    child.kill().unwrap_or_default();
    child.wait()?;
    answer.unwrap_or_else(|_| {
        let reason = format!("no answer to `protover 2` and `ping` within {limit:?}");
        Err(io::Error::new(io::ErrorKind::TimedOut, reason))
    })
}

/// Starts a program with its pipes. It does not inherit the user's options: a log, for example, would take time.
fn spawn(program: &Path) -> io::Result<(Child, Conversation)> {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    for variable in START_VARIABLES {
        command.env_remove(variable);
    }
    let mut child = command.spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(input), Some(output)) = (input, output) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let output = BufReader::new(output);
    Ok((child, Conversation { input, output }))
}

/// The pipes to and from an engine.
struct Conversation {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts the protocol and reads the features.
    fn greet(&mut self) -> io::Result<()> {
        self.send("xboard\nprotover 2\n")?;
        self.wait_for("feature done=1")?;
        // A move from the book would not interrupt a search.
        self.send("option OwnBook=0\n")
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    fn synchronise(&mut self) -> io::Result<()> {
        self.send("ping 1\n")?;
        self.wait_for("pong")
    }

    fn wait_for(&mut self, beginning: &str) -> io::Result<()> {
        // Other engines may send lines that are not UTF-8.
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.output.read_until(b'\n', &mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if line.starts_with(beginning.as_bytes()) {
                return Ok(());
            }
        }
    }
}

/// A process of the engine, connected by pipes as to a GUI.
pub struct Engine {
    child: Child,
    conversation: Conversation,
}

impl Engine {
    /// Starts the engine and reads its features.
    pub fn start(program: &Path) -> io::Result<Engine> {
        let (child, mut conversation) = spawn(program)?;
        conversation.greet()?;
        Ok(Engine {
            child,
            conversation,
        })
    }

    /// Writes text to the engine in one piece.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.conversation.send(text)
    }

    /// Waits until the engine has carried out all commands.
    pub fn synchronise(&mut self) -> io::Result<()> {
        self.conversation.synchronise()
    }

    /// Reads lines up to one that begins with this text.
    pub fn wait_for(&mut self, beginning: &str) -> io::Result<()> {
        self.conversation.wait_for(beginning)
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_answer_is_ended_and_reported() {
        // It reads its input and writes nothing.
        let error = check_answers_within(Path::new("tail"), Duration::from_millis(200));
        let error = error.expect_err("no answer").to_string();
        assert_eq!(error, "no answer to `protover 2` and `ping` within 200ms");
    }

    #[test]
    fn a_program_that_repeats_its_input_is_no_engine() {
        let error = check_answers_within(Path::new("cat"), Duration::from_millis(200));
        let kind = error.expect_err("no answer").kind();
        assert_eq!(kind, io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_program_that_ends_is_reported_at_once() {
        let error = check_answers_within(Path::new("true"), Duration::from_secs(600));
        let kind = error.expect_err("no answer").kind();
        assert!(
            matches!(
                kind,
                io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe
            ),
            "{kind:?}"
        );
    }
}
