//! Standard output: written by the thread that has a line, or by the output thread if the GUI is slow to read.
//!
//! No other code writes to standard output. A pipe or socket that accepts a line at once gets it from the caller, so
//! that no other thread must run before the GUI sees a move. The rest waits in a queue for the output thread, which
//! keeps all others from waiting for a GUI that does not read. Files, terminals and systems that do not report whether
//! a pipe accepts bytes are always left to the output thread.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::descriptor::Pipe;

#[cfg(test)]
mod tests;

/// Number of waiting bytes from which thinking lines are dropped.
const DROP_THINKING_BYTES: usize = 1 << 16;

/// Number of waiting bytes of a stream up to which the thinking lines before an answer are kept: they may wait only
/// because the output thread has not run yet. The forty lines that a search may send at once are usually fewer bytes.
const KEPT_THINKING_BYTES: usize = 1 << 14;

/// Number of waiting bytes from which no commands are read.
const PAUSE_INPUT_BYTES: usize = 1 << 20;

/// Largest number of bytes of short lines that wait together, which takes less memory than to keep each of them.
const JOINED_BYTES: usize = 1 << 12;

/// Time between two attempts to write to a full pipe that another process has made non-blocking.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// The destination of an [`Output`].
pub enum Destination {
    /// A pipe or socket, written by any thread as long as it accepts bytes at once.
    Pipe(Pipe),
    /// Anything else, written by the output thread.
    Stream(Box<dyn Write + Send>),
}

/// The lines to the GUI. Clones refer to the same queue.
#[derive(Clone)]
pub struct Output {
    shared: Arc<Shared>,
    /// Disconnected once nothing can be written. It receives no message.
    ended: Receiver<Infallible>,
}

/// Data shared with the output thread.
struct Shared {
    state: Mutex<State>,
    /// Notified when the output thread has something to do, and when it has written something.
    changed: Condvar,
    /// The destination, unless it belongs to the output thread.
    pipe: Option<Pipe>,
    /// Called with one or more lines before the first byte of them is written.
    log: Box<dyn Fn(&str) + Send + Sync>,
}

struct State {
    queue: VecDeque<Text>,
    /// Number of texts in the queue that can be dropped.
    droppable: usize,
    /// Number of bytes to be written, including those that the output thread is writing.
    waiting: usize,
    /// Number of bytes written since the start.
    written: u64,
    /// `None` once nothing can be written.
    alive: Option<Sender<Infallible>>,
    /// Set if no lines follow.
    is_closing: bool,
}

/// One or more whole lines.
struct Text {
    lines: String,
    is_thinking: bool,
    /// Set before the first byte is written.
    is_begun: bool,
    /// Number of bytes written.
    written: usize,
}

impl Output {
    /// Starts the output thread. `log` is called with one or more lines before they are written, hence before the GUI
    /// can answer them.
    ///
    /// # Errors
    /// Returns an error if the system cannot create the thread.
    pub fn start(
        destination: Destination,
        log: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Output> {
        let (alive, ended) = unbounded();
        let (pipe, stream) = match destination {
            Destination::Pipe(pipe) => (Some(pipe), None),
            Destination::Stream(stream) => (None, Some(stream)),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                queue: VecDeque::new(),
                droppable: 0,
                waiting: 0,
                written: 0,
                alive: Some(alive),
                is_closing: false,
            }),
            changed: Condvar::new(),
            pipe,
            log: Box::new(log),
        });
        let thread = EndOfThread(Arc::clone(&shared));
        thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || match stream {
                Some(mut stream) => thread.0.write_stream(&mut stream),
                None => thread.0.write_pipe(),
            })?;
        Ok(Output { shared, ended })
    }

    /// Prints text for a person, which need not end with a line end. Drops thinking lines as [`Output::print`] does.
    pub fn print_text(&self, text: String) {
        let mut state = self.shared.lock();
        if self.shared.pipe.is_some() || state.waiting > KEPT_THINKING_BYTES {
            state.drop_thinking();
        }
        self.add(state, text, false);
    }

    /// Prints text for a person that need not end with a line end, unless other text follows before it is written.
    pub fn print_thinking_text(&self, text: String) {
        let state = self.shared.lock();
        if state.waiting < DROP_THINKING_BYTES {
            self.add(state, text, true);
        }
    }

    /// Prints whole lines. Adds the last line end if it is missing. Thinking lines of which nothing has been written
    /// are dropped: they would delay the answer, and are outdated with it. Only a stream keeps a few.
    pub fn print(&self, lines: String) {
        self.print_text(whole_lines(lines));
    }

    /// Prints whole lines as [`Output::print`] does, but keeps all thinking lines before them.
    pub fn print_in_order(&self, lines: String) {
        self.add(self.shared.lock(), whole_lines(lines), false);
    }

    /// Prints thinking lines, unless many bytes wait for the GUI.
    pub fn print_thinking(&self, lines: String) {
        self.print_thinking_text(whole_lines(lines));
    }

    fn add(&self, mut state: MutexGuard<State>, lines: String, is_thinking: bool) {
        if state.alive.is_none() {
            return;
        }
        state.waiting += lines.len();
        state.droppable += usize::from(is_thinking);
        match state.queue.back_mut() {
            Some(last) if !is_thinking && last.can_take(&lines) => last.lines += &lines,
            _ => state.queue.push_back(Text {
                lines,
                is_thinking,
                is_begun: false,
                written: 0,
            }),
        }
        if let Some(pipe) = &self.shared.pipe {
            self.shared.write_available(&mut state, pipe);
        }
        if !state.queue.is_empty() {
            self.shared.changed.notify_all();
        }
    }

    /// Returns a channel that is disconnected once nothing can be written, because the GUI has closed its end.
    pub fn ended(&self) -> &Receiver<Infallible> {
        &self.ended
    }

    /// Returns `true` if so many bytes wait that no commands must be read.
    ///
    /// There is no time limit while the input is open: a GUI may write all of its commands before it reads.
    pub fn is_full(&self) -> bool {
        self.shared.lock().is_full()
    }

    /// Waits while [`Output::is_full`], at most for `timeout`. Returns the number of bytes written since the start,
    /// which grows only while the GUI reads.
    pub fn wait_for_space(&self, timeout: Duration) -> u64 {
        let state = self.shared.lock();
        let wait = self
            .shared
            .changed
            .wait_timeout_while(state, timeout, |state| state.is_full());
        wait.unwrap_or_else(PoisonError::into_inner).0.written
    }

    /// Waits until everything is written, as long as the GUI reads something within each `timeout`. Returns the end of
    /// the last one, which is the deadline for the rest of the shutdown. No lines may follow.
    pub fn finish(&self, timeout: Duration) -> Instant {
        let mut state = self.shared.lock();
        state.is_closing = true;
        self.shared.changed.notify_all();
        loop {
            let before = state.written;
            let deadline = Instant::now() + timeout;
            let is_unchanged = |state: &mut State| state.waiting > 0 && state.written == before;
            let wait = self
                .shared
                .changed
                .wait_timeout_while(state, timeout, is_unchanged);
            state = wait.unwrap_or_else(PoisonError::into_inner).0;
            if state.waiting == 0 || state.written == before {
                return deadline;
            }
        }
    }
}

/// Adds the last line end if it is missing.
fn whole_lines(mut lines: String) -> String {
    if !lines.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

impl Shared {
    /// Locks the state. After a panic of another thread it is still consistent enough to end the program.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to write. Returns `None` if nothing follows.
    fn wait_for_text(&self) -> Option<MutexGuard<'_, State>> {
        let is_idle = |state: &mut State| {
            state.queue.is_empty() && !state.is_closing && state.alive.is_some()
        };
        let wait = self.changed.wait_while(self.lock(), is_idle);
        let state = wait.unwrap_or_else(PoisonError::into_inner);
        (!state.queue.is_empty()).then_some(state)
    }

    /// Writes the queue as far as the pipe accepts it at once.
    fn write_available(&self, state: &mut State, pipe: &Pipe) {
        while let Some(text) = state.queue.front_mut() {
            if !pipe.is_ready() {
                return;
            }
            if !text.is_begun {
                text.is_begun = true;
                state.droppable -= usize::from(text.is_thinking);
                (self.log)(&text.lines);
            }
            match pipe.write(&text.lines.as_bytes()[text.written..]) {
                Ok(0) => return state.fail(),
                Ok(count) => {
                    text.written += count;
                    if text.written == text.lines.len() {
                        state.queue.pop_front();
                    }
                    state.on_written(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => return state.fail(),
            }
        }
    }

    /// Writes the rest that the pipe has not accepted, in the output thread.
    fn write_pipe(&self) {
        let Some(pipe) = &self.pipe else { return };
        while let Some(state) = self.wait_for_text() {
            drop(state);
            pipe.wait();
            let mut state = self.lock();
            let before = state.written;
            self.write_available(&mut state, pipe);
            let is_stuck = state.written == before && state.alive.is_some();
            drop(state);
            self.changed.notify_all();
            if is_stuck {
                thread::sleep(RETRY_INTERVAL);
            }
        }
    }

    /// Writes everything to a stream, in the output thread.
    fn write_stream(&self, stream: &mut dyn Write) {
        while let Some(mut state) = self.wait_for_text() {
            let Some(text) = state.queue.pop_front() else {
                continue;
            };
            state.droppable -= usize::from(text.is_thinking);
            drop(state);
            (self.log)(&text.lines);
            let result = write(stream, text.lines.as_bytes());
            let mut state = self.lock();
            match result {
                Ok(()) => state.on_written(text.lines.len()),
                Err(_) => state.fail(),
            }
            drop(state);
            self.changed.notify_all();
        }
    }
}

impl State {
    fn is_full(&self) -> bool {
        self.waiting >= PAUSE_INPUT_BYTES && self.alive.is_some()
    }

    fn on_written(&mut self, count: usize) {
        self.waiting -= count;
        self.written += count as u64;
    }

    /// Drops the thinking lines of which nothing has been written.
    fn drop_thinking(&mut self) {
        // The queue may be long, but thinking lines in it are rare.
        if self.droppable == 0 {
            return;
        }
        let waiting = &mut self.waiting;
        self.queue.retain(|text| {
            let is_kept = text.is_begun || !text.is_thinking;
            if !is_kept {
                *waiting -= text.lines.len();
            }
            is_kept
        });
        self.droppable = 0;
    }

    /// Records that nothing can be written any more.
    fn fail(&mut self) {
        self.alive = None;
        self.queue.clear();
        self.droppable = 0;
        self.waiting = 0;
    }
}

impl Text {
    /// Returns `true` if more lines that must not be dropped may be appended.
    fn can_take(&self, lines: &str) -> bool {
        !self.is_thinking && !self.is_begun && self.lines.len() + lines.len() <= JOINED_BYTES
    }
}

/// Reports the end of the output thread, also by a panic.
struct EndOfThread(Arc<Shared>);

impl Drop for EndOfThread {
    fn drop(&mut self) {
        self.0.lock().fail();
        self.0.changed.notify_all();
    }
}

/// Writes all bytes and flushes them, also to a stream that another process has made non-blocking.
fn write(writer: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
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
