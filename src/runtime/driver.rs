//! The main thread during the conversation: it waits for everything that neither the GUI nor the search sends.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, at, never, select};

use super::file_work::FileResult;
use super::log::LogFailure;
use super::session::{Notice, SharedSession};
use super::signals::Terminate;

/// The sources of events of the main thread.
pub struct Driver {
    /// The session that handles the events.
    pub session: Arc<SharedSession>,
    /// Messages of the session.
    pub notices: Receiver<Notice>,
    /// Requests to end the program.
    pub signals: Receiver<Terminate>,
    /// Results of reading and writing files.
    pub files: Receiver<FileResult>,
    /// Failures of the log.
    pub log_failures: Receiver<LogFailure>,
    /// Disconnected once nothing can be written.
    pub output_ended: Receiver<Infallible>,
}

/// A panic of another thread, which has printed its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPanicked;

impl Driver {
    /// Handles events until the session has ended: by `quit`, the end of input, a signal, or because the GUI has closed
    /// its end.
    ///
    /// # Errors
    /// Returns an error if a thread has panicked that others may wait for.
    pub fn run(mut self) -> Result<(), ThreadPanicked> {
        let mut deadline: Receiver<Instant> = never();
        loop {
            select! {
                recv(self.notices) -> notice => match notice {
                    Ok(Notice::Deadline(time)) => deadline = at(time),
                    Ok(Notice::Ended) | Err(_) => return Ok(()),
                    Ok(Notice::Panicked) => return Err(ThreadPanicked),
                },
                recv(self.signals) -> signal => match signal {
                    Ok(Terminate) => self.session.end("ended by a signal"),
                    Err(_) => self.signals = never(),
                },
                recv(self.files) -> result => match result {
                    Ok(result) => self.session.on_file(result),
                    Err(_) => self.files = never(),
                },
                recv(self.log_failures) -> failure => match failure {
                    Ok(failure) => self.session.on_log_failure(&failure),
                    Err(_) => self.log_failures = never(),
                },
                recv(self.output_ended) -> _ => {
                    self.session.end("standard output is closed");
                    self.output_ended = never();
                }
                recv(deadline) -> _ => {
                    self.session.on_deadline();
                    deadline = never();
                }
            }
        }
    }
}
