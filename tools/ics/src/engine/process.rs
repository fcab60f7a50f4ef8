//! Process of an engine, with threads for its input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::program::locate;
use super::types::{EngineError, EngineOutput, EngineSpec};
use crate::config::PASSWORD_VARIABLE;

/// Longest line of the engine, in bytes. The rest of a longer line is dropped.
const LONGEST_LINE: u64 = 65_536;

/// Number of lines that may wait for an engine that does not read.
const QUEUE: usize = 4096;

/// Number of lines of the engine that may wait for the client. With more, the engine must wait.
const BACKLOG: usize = 4096;

/// Time between the end of the output and the end of the program.
const END: Duration = Duration::from_secs(1);

/// Time for the answer to `quit`.
const QUIT: Duration = Duration::from_secs(3);

/// Time between two looks at the state of the program.
const POLL: Duration = Duration::from_millis(10);

/// Running program. Dropping the value kills it.
pub(super) struct Process {
    child: Arc<Mutex<Child>>,
    input: Option<Sender<String>>,
    backlog: Arc<Backlog>,
    /// First look at which the program had ended.
    ended: Option<Instant>,
}

impl Process {
    /// Starts the program and the threads for its output.
    pub(super) fn start(
        spec: &EngineSpec,
        sink: impl Fn(EngineOutput) + Send + Clone + 'static,
    ) -> Result<Process, EngineError> {
        let mut child = spawn(spec)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (input, lines) = bounded(QUEUE);
        let backlog = Arc::new(Backlog::default());
        let process = Process {
            child: Arc::clone(&child),
            input: Some(input),
            backlog: Arc::clone(&backlog),
            ended: None,
        };
        let program = spec.command.first().cloned().unwrap_or_default();
        let start = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let thread = thread::Builder::new()
                .name(format!("engine {name}"))
                .spawn(work);
            thread.map_err(|source| EngineError::Start {
                program: program.clone(),
                source,
            })
        };
        if let Some(stdin) = stdin {
            start("input", Box::new(move || write_lines(stdin, &lines)))?;
        }
        if let Some(stderr) = stderr {
            let (sink, backlog) = (sink.clone(), Arc::clone(&backlog));
            let work = move || {
                read_lines(stderr, |line| {
                    backlog.pass(&sink, EngineOutput::StandardError(line))
                })
            };
            start("errors", Box::new(work))?;
        }
        if let Some(stdout) = stdout {
            let work = move || {
                read_lines(stdout, |line| {
                    backlog.pass(&sink, EngineOutput::Line(line, Instant::now()))
                });
                sink(EngineOutput::Closed(describe_end(&child)));
            };
            start("output", Box::new(work))?;
        }
        Ok(process)
    }

    /// Sends a line, without waiting. Returns `false` if too many lines wait already.
    pub(super) fn send(&self, line: String) -> bool {
        match self.input.as_ref().map(|input| input.try_send(line)) {
            Some(Err(error)) => !error.is_full(),
            _ => true,
        }
    }

    /// Records that the client has handled a line.
    pub(super) fn line_is_handled(&self) {
        self.backlog.remove();
    }

    /// Returns a description of the end if the program has ended and its output has stayed open for a second.
    pub(super) fn end(&mut self, now: Instant) -> Option<String> {
        let status = lock(&self.child).try_wait().ok().flatten()?;
        let ended = *self.ended.get_or_insert(now);
        (now >= ended + END).then(|| status.to_string())
    }

    /// Kills the program.
    pub(super) fn kill(&self) {
        kill(&self.child);
    }

    /// Sends `quit`, and kills the program if it has not ended after three seconds. Returns at once; the thread ends
    /// with the program.
    pub(super) fn quit(mut self) -> Option<thread::JoinHandle<()>> {
        self.backlog.close();
        if let Some(input) = self.input.take() {
            // If the queue is full, the program does not read and is killed.
            let _ = input.try_send("quit".into());
        }
        let work = move || {
            let until = Instant::now() + QUIT;
            while Instant::now() < until && matches!(lock(&self.child).try_wait(), Ok(None)) {
                thread::sleep(POLL);
            }
            drop(self);
        };
        // If there is no thread, the closure is dropped and the program is killed.
        thread::Builder::new()
            .name("engine end".into())
            .spawn(work)
            .ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.backlog.close();
        self.kill();
    }
}

/// Lines on their way to the client. An engine that prints faster than the client reads has to wait, so that the lines
/// do not fill the memory.
#[derive(Default)]
struct Backlog {
    waiting: AtomicUsize,
    /// The client does not handle lines any more.
    is_closed: AtomicBool,
}

impl Backlog {
    /// Passes a line on, as soon as few others wait. The line is dropped if the client does not want it any more.
    fn pass(&self, sink: &impl Fn(EngineOutput), line: EngineOutput) {
        while self.waiting.load(Ordering::Relaxed) >= BACKLOG
            && !self.is_closed.load(Ordering::Relaxed)
        {
            thread::sleep(POLL);
        }
        if !self.is_closed.load(Ordering::Relaxed) {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            sink(line);
        }
    }

    fn remove(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spawn(spec: &EngineSpec) -> Result<Child, EngineError> {
    let mut command = command(spec)?;
    let program = spec.command.first().cloned().unwrap_or_default();
    command.spawn().map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => EngineError::NotFound(program.clone()),
        std::io::ErrorKind::PermissionDenied => EngineError::NotExecutable(program.clone()),
        _ => EngineError::Start {
            program: program.clone(),
            source,
        },
    })
}

/// Returns the command that starts the engine.
fn command(spec: &EngineSpec) -> Result<Command, EngineError> {
    let (program, arguments) = spec.command.split_first().ok_or(EngineError::Empty)?;
    if program.is_empty() {
        return Err(EngineError::Empty);
    }
    let mut command = Command::new(locate(program, spec.folder.as_deref()));
    command
        .args(arguments)
        // The engine, or a program that it starts, may be of others.
        .env_remove(PASSWORD_VARIABLE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = &spec.folder {
        if !folder.is_dir() {
            return Err(EngineError::Folder(folder.clone()));
        }
        command.current_dir(folder);
    }
    // Ctrl-C in a terminal is for the client only, which may have to finish its game.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

fn read_lines(output: impl Read, mut receive: impl FnMut(String)) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut = !line.ends_with(b"\n");
        receive(String::from_utf8_lossy(&line).trim_end().to_string());
        if is_cut && output.skip_until(b'\n').is_err() {
            return;
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        // The end of the program is reported by its output.
        if input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Describes how the program has ended. A program that has closed its output and runs on is killed.
fn describe_end(child: &Mutex<Child>) -> String {
    let until = Instant::now() + END;
    loop {
        match lock(child).try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Err(error) => return error.to_string(),
            Ok(None) if Instant::now() >= until => break,
            Ok(None) => {}
        }
        thread::sleep(POLL);
    }
    kill(child);
    "it has closed its output".into()
}

/// Kills the program and the programs that it has started.
fn kill(child: &Mutex<Child>) {
    let mut child = lock(child);
    if matches!(child.try_wait(), Ok(Some(_))) {
        return;
    }
    // A group has the number of its first process, which exists until `wait`.
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(text, |line| lines.push(line));
        lines
    }

    #[test]
    fn lines_of_any_bytes_are_read() {
        assert_eq!(lines(b"a\r\n\nb\xff\nc"), ["a", "", "b\u{fffd}", "c"]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut text = vec![b'x'; 200_000];
        text.extend(b"\nmove e2e4\n");
        let lines = lines(&text);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), 65_536);
        assert_eq!(lines[1], "move e2e4");
    }

    #[test]
    fn the_engine_does_not_get_the_password() {
        let spec = EngineSpec {
            command: vec!["engine".into()],
            ..EngineSpec::default()
        };
        let command = command(&spec).unwrap();
        let variable = command
            .get_envs()
            .find(|(name, _)| *name == PASSWORD_VARIABLE);
        assert_eq!(variable.and_then(|(_, value)| value), None);
        assert!(variable.is_some());
    }

    #[test]
    fn many_lines_wait_for_the_client() {
        let backlog = Arc::new(Backlog::default());
        let (sink, lines) = crossbeam_channel::unbounded();
        let reader = Arc::clone(&backlog);
        let thread = thread::spawn(move || {
            for number in 0..3 * BACKLOG {
                reader.pass(
                    &|line| drop(sink.send(line)),
                    EngineOutput::StandardError(number.to_string()),
                );
            }
        });
        for _ in 0..BACKLOG {
            lines.recv().unwrap();
            assert!(lines.len() <= BACKLOG);
        }
        // Nothing is handled, so nothing more comes.
        thread::sleep(3 * POLL);
        assert!(lines.is_empty());
        for _ in 0..BACKLOG {
            backlog.remove();
        }
        for _ in 0..BACKLOG {
            lines.recv().unwrap();
        }
        // The others are dropped after the end.
        backlog.close();
        thread.join().unwrap();
        assert!(lines.is_empty());
    }
}
