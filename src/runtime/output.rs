//! The only place that writes to standard output, in a thread of its own: a GUI that does not read must not make the
//! engine deaf. Every line leaves at once, because GUIs read pipes, which would otherwise be filled before anything
//! is sent.

use std::convert::Infallible;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

/// While more bytes than this wait to be read, thinking lines are left out.
const ENOUGH_WAITING: usize = 1 << 16;

/// While more bytes than this wait to be read, no more commands are taken in.
const TOO_MUCH_WAITING: usize = 1 << 20;

/// Before a pipe that has no room at present is tried again.
const RETRY: Duration = Duration::from_millis(2);

/// Where replies go.
pub struct Output {
    queue: Sender<String>,
    /// Bytes in the queue.
    waiting: Arc<AtomicUsize>,
    /// Never gives anything; it is disconnected when nothing more can be written.
    ended: Receiver<Infallible>,
}

impl Output {
    /// Writes to this until it fails. `note` is told of each line or few before they are written, so before the GUI can
    /// answer them.
    ///
    /// # Errors
    /// If the system grants no thread.
    pub fn start(
        mut writer: impl Write + Send + 'static,
        note: impl Fn(&str) + Send + 'static,
    ) -> io::Result<Output> {
        let (queue, lines) = unbounded::<String>();
        let (still_there, ended) = unbounded();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waiting);
        thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || {
                // Dropped at the end of the thread, however it comes.
                let _still_there: Sender<Infallible> = still_there;
                for text in lines {
                    note(&text);
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

    /// Says whole lines; the last line end is added if it is missing.
    pub fn print(&self, mut lines: String) {
        if !lines.ends_with('\n') {
            lines.push('\n');
        }
        self.waiting.fetch_add(lines.len(), Ordering::Relaxed);
        // If the thread has ended, `ended` tells.
        let _ = self.queue.send(lines);
    }

    /// As [`Output::print`], for what is not worth keeping for a reader who is far behind.
    pub fn print_if_read(&self, lines: String) {
        if self.waiting.load(Ordering::Relaxed) < ENOUGH_WAITING {
            self.print(lines);
        }
    }

    /// Is disconnected when nothing more can be written, because nobody can read it any more.
    pub fn ended(&self) -> &Receiver<Infallible> {
        &self.ended
    }

    /// Whether so much waits to be read that better no more commands are heard until some of it has been. However long
    /// that takes: a GUI may write all that it has to say before it reads, and who has gone has closed the pipe.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= TOO_MUCH_WAITING
    }

    /// Waits until all is written, as long as something is read within each `patience`. Returns when the last of them
    /// ends, by which everything else should have ended, too.
    pub fn finish(self, patience: Duration) -> Instant {
        let Output {
            queue,
            waiting,
            ended,
        } = self;
        drop(queue);
        loop {
            let before = waiting.load(Ordering::Relaxed);
            let deadline = Instant::now() + patience;
            match ended.recv_deadline(deadline) {
                Err(RecvTimeoutError::Timeout) if waiting.load(Ordering::Relaxed) < before => {}
                Ok(_) | Err(_) => return deadline,
            }
        }
    }
}

/// Writes all, also into a pipe that somebody has made non-blocking.
fn write(writer: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match writer.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY),
            Err(error) => return Err(error),
        }
    }
    loop {
        match writer.flush() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// What a test looks at while the output's thread writes to it.
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
        fn look<T>(&self, at: impl FnOnce(&mut State) -> T) -> T {
            at(&mut self.0.lock().expect("no test panics inside"))
        }
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.look(|state| {
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
            self.look(|state| {
                let waiting = std::mem::take(&mut state.waiting);
                state.sent.push_str(&waiting);
            });
            Ok(())
        }
    }

    #[test]
    fn each_line_is_whole_and_sent() {
        let pipe = Pipe::default();
        pipe.look(|state| state.busy = 3);
        let told = Arc::new(Mutex::new(String::new()));
        let note = Arc::clone(&told);
        let output = Output::start(pipe.clone(), move |text| {
            note.lock().expect("no panic").push_str(text);
        })
        .expect("a thread");
        output.print("pong 1\n".to_owned());
        output.print("move e2e4".to_owned());
        output.print_if_read("1 2 3 4 e2e4".to_owned());
        output.finish(Duration::from_secs(20));
        let all = "pong 1\nmove e2e4\n1 2 3 4 e2e4\n";
        assert_eq!(pipe.look(|state| state.sent.clone()), all);
        assert_eq!(*told.lock().expect("no panic"), all);
    }

    #[test]
    fn a_closed_pipe_is_noticed() {
        let pipe = Pipe::default();
        pipe.look(|state| state.closed = true);
        let output = Output::start(pipe, |_| {}).expect("a thread");
        output.print("pong 1".to_owned());
        let ended = output.ended().recv_timeout(Duration::from_secs(20));
        assert_eq!(ended, Err(RecvTimeoutError::Disconnected));
        output.print("pong 2".to_owned());
        output.finish(Duration::from_secs(20));
    }

    #[test]
    fn what_waits_is_counted_until_it_is_read() {
        let pipe = Pipe::default();
        let guard = pipe.0.lock().expect("no panic");
        let output = Output::start(pipe.clone(), |_| {}).expect("a thread");
        assert!(!output.is_full());
        output.print("x".repeat(TOO_MUCH_WAITING));
        output.print_if_read("1 2 3 4 e2e4".to_owned());
        assert!(output.is_full());
        output.print("pong 1".to_owned());
        drop(guard);
        let until = Instant::now() + Duration::from_secs(20);
        while output.is_full() && Instant::now() < until {
            thread::sleep(RETRY);
        }
        assert!(!output.is_full());
        output.finish(Duration::from_secs(20));
        assert!(pipe.look(|state| state.sent.ends_with("x\npong 1\n")));
    }
}
