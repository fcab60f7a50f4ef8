//! Standard output, written by a thread.
//!
//! No other code writes to standard output. The thread keeps the event loop from waiting for a GUI that does not read,
//! and flushes every line: a pipe would otherwise be filled before the GUI receives anything.

use std::convert::Infallible;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

/// Number of waiting bytes from which thinking lines are dropped.
const DROP_THINKING_BYTES: usize = 1 << 16;

/// Number of waiting bytes from which the event loop reads no commands.
const PAUSE_INPUT_BYTES: usize = 1 << 20;

/// Time between two attempts to write to a full pipe that another process has made non-blocking.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// The queue of lines to the GUI.
pub struct Output {
    queue: Sender<String>,
    /// Number of bytes in the queue.
    waiting: Arc<AtomicUsize>,
    /// Disconnected once nothing can be written. It receives no message.
    ended: Receiver<Infallible>,
}

impl Output {
    /// Starts a thread that writes to `writer` until it fails. The thread calls `log` with one or more lines before it
    /// writes them, hence before the GUI can answer them.
    ///
    /// # Errors
    /// Returns an error if the system cannot create the thread.
    pub fn start(
        mut writer: impl Write + Send + 'static,
        log: impl Fn(&str) + Send + 'static,
    ) -> io::Result<Output> {
        let (queue, lines) = unbounded::<String>();
        let (alive, ended) = unbounded();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waiting);
        thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || {
                // Dropped when the thread ends, also by a panic.
                let _alive: Sender<Infallible> = alive;
                for text in lines {
                    log(&text);
                    if write(&mut writer, text.as_bytes()).is_err() {
                        break;
                    }
                    counter.fetch_sub(text.len(), Ordering::Relaxed);
                }
            })?;
        Ok(Output {
            queue,
            waiting,
            ended,
        })
    }

    /// Queues whole lines. Adds the last line end if it is missing.
    pub fn print(&self, mut lines: String) {
        if !lines.ends_with('\n') {
            lines.push('\n');
        }
        self.waiting.fetch_add(lines.len(), Ordering::Relaxed);
        // If the thread has ended, `ended` is disconnected.
        let _ = self.queue.send(lines);
    }

    /// Queues thinking lines, unless many bytes wait for the GUI.
    pub fn print_thinking(&self, lines: String) {
        if self.waiting.load(Ordering::Relaxed) < DROP_THINKING_BYTES {
            self.print(lines);
        }
    }

    /// Returns a channel that is disconnected once nothing can be written, because the GUI has closed its end.
    pub fn ended(&self) -> &Receiver<Infallible> {
        &self.ended
    }

    /// Returns `true` if so many bytes wait that the event loop must not read commands.
    ///
    /// There is no time limit: a GUI may write all of its commands before it reads. A GUI that has ended has closed the
    /// pipe.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= PAUSE_INPUT_BYTES
    }

    /// Waits until everything is written, as long as the GUI reads something within each `timeout`. Returns the end of
    /// the last one, which is the deadline for the rest of the shutdown.
    pub fn finish(self, timeout: Duration) -> Instant {
        let Output {
            queue,
            waiting,
            ended,
        } = self;
        drop(queue);
        loop {
            let before = waiting.load(Ordering::Relaxed);
            let deadline = Instant::now() + timeout;
            match ended.recv_deadline(deadline) {
                Err(RecvTimeoutError::Timeout) if waiting.load(Ordering::Relaxed) < before => {}
                Ok(_) | Err(_) => return deadline,
            }
        }
    }
}

/// Writes all bytes, also to a pipe that another process has made non-blocking.
fn write(writer: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match writer.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
            Err(error) => return Err(error),
        }
    }
    loop {
        match writer.flush() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A writer that a test examines while the output thread writes to it.
    #[derive(Clone, Default)]
    struct Pipe(Arc<Mutex<State>>);

    #[derive(Default)]
    struct State {
        sent: String,
        waiting: String,
        closed: bool,
        busy: usize,
    }

    impl Pipe {
        fn with_state<T>(&self, at: impl FnOnce(&mut State) -> T) -> T {
            at(&mut self.0.lock().expect("no test panics inside"))
        }
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.with_state(|state| {
                if state.closed {
                    return Err(ErrorKind::BrokenPipe.into());
                }
                if state.busy > 0 {
                    state.busy -= 1;
                    return Err(ErrorKind::WouldBlock.into());
                }
                let count = bytes.len().min(5);
                state
                    .waiting
                    .push_str(&String::from_utf8_lossy(&bytes[..count]));
                Ok(count)
            })
        }

        fn flush(&mut self) -> io::Result<()> {
            self.with_state(|state| {
                let waiting = std::mem::take(&mut state.waiting);
                state.sent.push_str(&waiting);
            });
            Ok(())
        }
    }

    #[test]
    fn each_line_is_whole_and_sent() {
        let pipe = Pipe::default();
        pipe.with_state(|state| state.busy = 3);
        let logged = Arc::new(Mutex::new(String::new()));
        let log = Arc::clone(&logged);
        let output = Output::start(pipe.clone(), move |text| {
            log.lock().expect("no panic").push_str(text);
        })
        .expect("a thread");
        output.print("pong 1\n".to_owned());
        output.print("move e2e4".to_owned());
        output.print_thinking("1 2 3 4 e2e4".to_owned());
        output.finish(Duration::from_secs(20));
        let all = "pong 1\nmove e2e4\n1 2 3 4 e2e4\n";
        assert_eq!(pipe.with_state(|state| state.sent.clone()), all);
        assert_eq!(*logged.lock().expect("no panic"), all);
    }

    #[test]
    fn a_closed_pipe_is_detected() {
        let pipe = Pipe::default();
        pipe.with_state(|state| state.closed = true);
        let output = Output::start(pipe, |_| {}).expect("a thread");
        output.print("pong 1".to_owned());
        let ended = output.ended().recv_timeout(Duration::from_secs(20));
        assert_eq!(ended, Err(RecvTimeoutError::Disconnected));
        output.print("pong 2".to_owned());
        output.finish(Duration::from_secs(20));
    }

    #[test]
    fn waiting_bytes_are_counted_until_they_are_written() {
        let pipe = Pipe::default();
        let guard = pipe.0.lock().expect("no panic");
        let output = Output::start(pipe.clone(), |_| {}).expect("a thread");
        assert!(!output.is_full());
        output.print("x".repeat(PAUSE_INPUT_BYTES));
        output.print_thinking("1 2 3 4 e2e4".to_owned());
        assert!(output.is_full());
        output.print("pong 1".to_owned());
        drop(guard);
        let until = Instant::now() + Duration::from_secs(20);
        while output.is_full() && Instant::now() < until {
            thread::sleep(RETRY_INTERVAL);
        }
        assert!(!output.is_full());
        output.finish(Duration::from_secs(20));
        assert!(pipe.with_state(|state| state.sent.ends_with("x\npong 1\n")));
    }
}
