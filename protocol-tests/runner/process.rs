//! An engine in a process of its own, in real time.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::peer::{Peer, ProcessPeer, Received};
use crate::script::Signal;

/// Time after `quit` before the engine is killed.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A running engine.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    output_closed: Arc<AtomicBool>,
    /// Set once the engine has written a line.
    has_written: Arc<AtomicBool>,
    signalled: bool,
    started: Instant,
    /// Set for Gaur, which must exit with status 0 and an empty standard error.
    strict: bool,
    /// Temporary working directory, deleted with the process.
    folder: Option<TempDir>,
}

/// Pace at which the output of the engine is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Time after each line.
    pub per_line: Duration,
    /// Longer break after each of this number of lines, if there is one.
    pub every: Option<(usize, Duration)>,
    /// Makes the pipe as small as possible, so that it is full after a few lines (Linux).
    pub small_pipe: bool,
}

impl Pace {
    fn rest_after(self, lines: usize) {
        thread::sleep(self.per_line);
        if let Some((every, time)) = self.every
            && lines.is_multiple_of(every)
        {
            thread::sleep(time);
        }
    }
}

/// Bytes that a slow reader takes at once.
const SLOW_READ: usize = 128;

/// Name for a temporary working directory.
const TEMPORARY: &str = "temporary";

thread_local! {
    /// Set if a process of this thread has ended in a way that is Wine's alone.
    static ENDED_BY_WINE: AtomicBool = const { AtomicBool::new(false) };
}

/// Variable with the path of another build of the program.
const OTHER_BUILD: &str = "GAUR_TEST_PROGRAM";

/// Runs a test. Runs it once more if it fails with another build of the program that has ended without having written
/// anything, or by SIGSEGV.
///
/// Beside other programs, about one of a thousand starts under Wine 8 ends silently, with status 0 or 1 and an empty
/// standard error, and very rarely Wine receives SIGSEGV at the end of a program; the causes are unknown. An invalid
/// memory access of the Windows program itself ends it with status 5 instead, as `windows/check.py` verifies. The
/// program built from this repository gets no second attempt.
pub fn attempt<T>(test: impl Fn() -> Result<T, String>) -> Result<T, String> {
    ENDED_BY_WINE.with(|ended| ended.store(false, Ordering::Relaxed));
    let ended_by_wine = || ENDED_BY_WINE.with(|ended| ended.load(Ordering::Relaxed));
    match test() {
        Err(error) if ended_by_wine() && std::env::var_os(OTHER_BUILD).is_some() => {
            eprintln!("the program ended silently or by SIGSEGV and is started once more: {error}");
            test()
        }
        result => result,
    }
}

/// Returns the command line of the program that the tests play against: the program built from this repository, or
/// another build of it whose path is in the variable [`OTHER_BUILD`].
pub fn program() -> Vec<String> {
    let built = env!("CARGO_BIN_EXE_gaur").to_string();
    // Most scripts test the search, so those about the opening book switch it on.
    let program = std::env::var(OTHER_BUILD).unwrap_or(built);
    [&program, "--set", "OwnBook=0"].map(String::from).to_vec()
}

impl Process {
    /// Starts a command line, in `directory` if given.
    pub fn start(
        command: &[String],
        directory: Option<&Path>,
        strict: bool,
    ) -> Result<Process, String> {
        Process::start_at_pace(command, directory, strict, None)
    }

    /// Starts a command line as [`Process::start`] does, and reads its output slowly if a pace is given.
    pub fn start_at_pace(
        command: &[String],
        directory: Option<&Path>,
        strict: bool,
        pace: Option<Pace>,
    ) -> Result<Process, String> {
        let (program, arguments) = command.split_first().ok_or("an empty command line")?;
        let mut builder = Command::new(program);
        builder
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut folder = None;
        match directory {
            Some(name) if name == Path::new(TEMPORARY) => {
                let made = tempfile::tempdir().map_err(|error| error.to_string())?;
                builder.current_dir(made.path());
                folder = Some(made);
            }
            Some(directory) => {
                builder.current_dir(directory);
            }
            None => {}
        }
        let mut child = builder
            .spawn()
            .map_err(|error| format!("cannot start {program}: {error}"))?;
        let output = child.stdout.take().ok_or("no standard output")?;
        let mut errors = child.stderr.take().ok_or("no standard error")?;
        let input = child.stdin.take();
        let output_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&output_closed);
        let has_written = Arc::new(AtomicBool::new(false));
        let writes = Arc::clone(&has_written);
        let (sender, lines) = channel();
        if pace.is_some_and(|pace| pace.small_pipe) {
            shrink(&output);
        }
        let capacity = if pace.is_some() { SLOW_READ } else { 8192 };
        let pace = pace.unwrap_or_default();
        thread::spawn(move || {
            let mut count_of_lines = 0;
            let mut reader = BufReader::with_capacity(capacity, output);
            let mut bytes = Vec::new();
            while let Ok(count) = reader.read_until(b'\n', &mut bytes) {
                if count == 0 || closed.load(Ordering::Acquire) {
                    break;
                }
                writes.store(true, Ordering::Release);
                let line = String::from_utf8_lossy(&bytes);
                let line = line.trim_end_matches(['\n', '\r']).to_string();
                if sender.send(line).is_err() {
                    break;
                }
                bytes.clear();
                count_of_lines += 1;
                pace.rest_after(count_of_lines);
            }
        });
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            // An engine may close its standard error early.
            errors.read_to_end(&mut bytes).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Process {
            child,
            input,
            lines,
            errors: Some(errors),
            output_closed,
            has_written,
            signalled: false,
            started: Instant::now(),
            strict,
            folder,
        })
    }

    fn proc_file(&self, name: &str) -> Option<String> {
        fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).ok()
    }
}

/// Makes the pipe as small as the system allows.
#[cfg(target_os = "linux")]
fn shrink(pipe: &ChildStdout) {
    // A system that refuses keeps the ordinary size, which is filled more rarely.
    rustix::pipe::fcntl_setpipe_size(pipe, 4096)
        .map(drop)
        .unwrap_or_default();
}

#[cfg(not(target_os = "linux"))]
fn shrink(_pipe: &ChildStdout) {}

#[cfg(unix)]
fn is_segmentation_fault(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::Signal;

    status.signal() == Some(Signal::SEGV.as_raw())
}

#[cfg(not(unix))]
fn is_segmentation_fault(_status: ExitStatus) -> bool {
    false
}

impl Peer for Process {
    fn send(&mut self, line: &str) -> Result<(), String> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    fn receive(&mut self, timeout: Duration) -> Received {
        match self.lines.recv_timeout(timeout) {
            Ok(line) => Received::Line(line),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn process(&mut self) -> Result<&mut dyn ProcessPeer, String> {
        Ok(self)
    }

    fn finish(&mut self) -> Result<Vec<String>, String> {
        // The engine may have ended already.
        let quit_was_sent = self.send("quit").is_ok();
        self.input = None;
        let exit = self.wait_for_exit(QUIT_TIMEOUT);
        if exit.is_err() {
            self.child.kill().map_err(|error| error.to_string())?;
            self.child.wait().map_err(|error| error.to_string())?;
        }
        let lines = self.lines.iter().collect();
        let errors = match self.errors.take() {
            Some(thread) => thread.join().unwrap_or_default(),
            None => String::new(),
        };
        if self.strict {
            exit.map_err(|error| format!("after quit (sent: {quit_was_sent}): {error}"))?;
            if !errors.is_empty() && !self.output_closed.load(Ordering::Acquire) {
                return Err(format!("on standard error: {errors}"));
            }
        }
        Ok(lines)
    }
}

impl ProcessPeer for Process {
    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("its input is closed")?;
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        match sent {
            // With its output closed, the engine may end at any time.
            Err(_) if self.output_closed.load(Ordering::Acquire) => Ok(()),
            sent => sent.map_err(|error| format!("cannot write to the engine: {error}")),
        }
    }

    fn end_input(&mut self) {
        self.input = None;
    }

    fn close_output(&mut self) {
        self.output_closed.store(true, Ordering::Release);
    }

    fn wait_for_exit(&mut self, timeout: Duration) -> Result<(), String> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return if status.success() || self.signalled || !self.strict {
                    Ok(())
                } else {
                    Err(format!("it ended with {status}"))
                };
            }
            if Instant::now() >= deadline {
                return Err(format!("still there after {} ms", timeout.as_millis()));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn put_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let folder = self
            .folder
            .as_ref()
            .ok_or("only in `directory: temporary`")?;
        fs::write(folder.path().join(name), bytes).map_err(|error| error.to_string())
    }

    fn signal(&mut self, signal: Signal) -> Result<(), String> {
        let name = match signal {
            Signal::Interrupt => "-INT",
            Signal::Terminate => {
                self.signalled = true;
                "-TERM"
            }
            Signal::Stop => "-STOP",
            Signal::Continue => "-CONT",
        };
        let status = Command::new("kill")
            .arg(name)
            .arg(self.child.id().to_string())
            .status()
            .map_err(|error| format!("cannot run kill: {error}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("kill {name}: {status}"))
        }
    }

    fn processor_time(&self) -> Option<Duration> {
        let stat = self.proc_file("stat")?;
        // The name in parentheses may contain blanks. User and system time are fields 14 and 15 of the line.
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks: u64 = fields
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Some(Duration::from_millis(ticks * 10))
    }

    fn resident(&self) -> Option<u64> {
        let status = self.proc_file("status")?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(Some(status)) = self.child.try_wait()
            && (is_segmentation_fault(status) || !self.has_written.load(Ordering::Acquire))
        {
            ENDED_BY_WINE.with(|ended| ended.store(true, Ordering::Relaxed));
        }
        // After a failed step the engine is still running. If it is not, there is nothing to do.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
