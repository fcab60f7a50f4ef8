//! The program in a process of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time after the last text sent to an engine before it is ended. Everything that a test sends is handled earlier, also
/// on a busy machine.
const MAX_STEP_DURATION: Duration = Duration::from_secs(100);

/// Time that a busy machine may need for an immediate action.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// A running engine. Only the test reads its output. After [`MAX_STEP_DURATION`] without a step of the test the engine
/// is ended, so that a test that waits for a line fails.
pub struct Engine {
    over: Arc<AtomicBool>,
    steps: Arc<AtomicU64>,
    pub child: Child,
    pub input: Option<ChildStdin>,
    pub output: Option<BufReader<ChildStdout>>,
}

/// Arguments for games without the opening book, so that every move is searched.
const WITHOUT_BOOK: [&str; 2] = ["--set", "OwnBook=0"];

/// Returns a command for the program without the opening book, with pipes.
pub fn program() -> Command {
    program_with(WITHOUT_BOOK)
}

/// Returns a command for the program with these arguments alone, and pipes.
pub fn program_with<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gaur"));
    without_variables(&mut command);
    with_pipes(&mut command);
    command.args(arguments);
    command
}

/// Returns a command for the program, started by a shell after `preparation`.
pub fn program_after(preparation: &str) -> Command {
    let mut command = Command::new("bash");
    without_variables(&mut command);
    command
        .args(["-c", &format!("{preparation}\nexec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_gaur"))
        .args(WITHOUT_BOOK);
    with_pipes(&mut command);
    command
}

/// Returns a command for a process that starts the program with its own pipes, prints the identifier of the program,
/// and waits.
#[cfg(target_os = "linux")]
pub fn program_of_parent() -> Command {
    let mut command = Command::new("bash");
    without_variables(&mut command);
    command
        .args([
            "-c",
            "exec 3<&0\n\"$0\" \"$@\" <&3 3<&- &\necho $!\nexec sleep 1000 3<&-",
        ])
        .arg(env!("CARGO_BIN_EXE_gaur"))
        .args(WITHOUT_BOOK);
    with_pipes(&mut command);
    command
}

/// Removes the environment variables of the engine.
fn without_variables(command: &mut Command) {
    command.env_remove("GAUR_LOG").env_remove("GAUR_SETTINGS");
}

/// Connects all three streams by pipes.
pub fn with_pipes(command: &mut Command) {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
}

impl Engine {
    /// Starts the engine.
    pub fn start(mut command: Command) -> Engine {
        let mut child = command.spawn().expect("the program can be started");
        let over = Arc::new(AtomicBool::new(false));
        let steps = Arc::new(AtomicU64::new(0));
        end_when_overdue(child.id(), Arc::clone(&over), Arc::clone(&steps));
        Engine {
            over,
            steps,
            input: child.stdin.take(),
            output: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    /// Sends text unchanged.
    pub fn send(&mut self, text: impl AsRef<[u8]>) {
        self.steps.fetch_add(1, Ordering::AcqRel);
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(text.as_ref()).expect("it reads its input");
        input.flush().expect("it reads its input");
    }

    /// Returns the next line without its line end; empty at the end of output.
    pub fn line(&mut self) -> String {
        let output = self.output.as_mut().expect("its output is open");
        let mut line = Vec::new();
        output
            .read_until(b'\n', &mut line)
            .expect("readable output");
        String::from_utf8_lossy(&line).trim_end().to_owned()
    }

    /// Reads until a line with this beginning and returns it. Panics at the end of output.
    pub fn line_with(&mut self, beginning: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(beginning) {
                return line;
            }
            assert!(
                self.child.try_wait().expect("a child").is_none() || !line.is_empty(),
                "the engine left without `{beginning}`"
            );
        }
    }

    /// Sends a ping and waits for its pong.
    pub fn ping(&mut self, number: u32) {
        self.send(format!("ping {number}\n"));
        self.line_with(&format!("pong {number}"));
    }

    /// Waits for the end of the engine and returns its exit status.
    pub fn exit_within(&mut self, timeout: Duration) -> ExitStatus {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "still running after {timeout:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends `quit` and checks exit status and standard error.
    pub fn exits_cleanly(mut self) {
        if let Some(mut input) = self.input.take() {
            // The engine may have ended already.
            input.write_all(b"quit\n").unwrap_or_default();
        }
        assert!(self.exit_within(TIMEOUT).success());
        assert_eq!(self.errors(), "");
    }

    /// Returns the text on standard error of an engine that has ended.
    pub fn errors(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            errors.read_to_string(&mut text).expect("readable errors");
        }
        text
    }

    /// Returns the resident memory in kilobytes.
    pub fn resident(&self) -> u64 {
        let status = self.proc_file("status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.expect("a size").parse().expect("a number")
    }

    /// Returns the CPU time used.
    pub fn processor_time(&self) -> Duration {
        let stat = self.proc_file("stat");
        // The name in parentheses may contain blanks. User and system time are fields 14 and 15 of the line.
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let ticks: u64 = fields
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Duration::from_millis(ticks * 10)
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.count("task")
    }

    /// Returns the number of open files and pipes.
    pub fn open_files(&self) -> usize {
        self.count("fd")
    }

    fn count(&self, folder: &str) -> usize {
        let entries = fs::read_dir(format!("/proc/{}/{folder}", self.child.id()));
        entries.expect("a Linux system").count()
    }

    fn proc_file(&self, name: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).expect("a Linux system")
    }
}

/// Ends a process whose test takes no further step.
fn end_when_overdue(process: u32, over: Arc<AtomicBool>, steps: Arc<AtomicU64>) {
    thread::spawn(move || {
        let mut last_step = (0, Instant::now());
        while !over.load(Ordering::Acquire) {
            let step = steps.load(Ordering::Acquire);
            if step != last_step.0 {
                last_step = (step, Instant::now());
            } else if last_step.1.elapsed() > MAX_STEP_DURATION {
                let mut kill = Command::new("kill");
                kill.args(["-KILL", &process.to_string()])
                    .status()
                    .map(drop)
                    .unwrap_or_default();
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
    });
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        // After a failed test the engine is still running. If it is not, there is nothing to do.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
