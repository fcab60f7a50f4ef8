//! Thread that sends commands.

use super::timeseal;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest command, in bytes. Servers cut off longer ones or do not accept them.
const MAX_COMMAND: usize = 900;

/// Time to wait for a command if the connection is not to be kept open.
const NO_KEEP_ALIVE: Duration = Duration::from_secs(3600);

/// Order for the writer.
pub(super) enum Order {
    /// Send this command.
    Command(String),
    /// Answer a ping of timeseal.
    Pong,
    /// Close the connection after the commands before.
    Close,
}

/// State that reader and writer share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Set once the session on the server has begun.
    pub logged_in: AtomicBool,
    /// Set once this program has closed the connection.
    pub closing: AtomicBool,
    failure: Mutex<Option<String>>,
}

impl Shared {
    /// Records why the connection ended. The first cause counts.
    pub fn fail(&self, cause: String) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(cause);
    }

    /// Recorded cause.
    pub fn failure(&self) -> Option<String> {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The sending side of a connection.
pub(super) struct Writer {
    pub stream: TcpStream,
    pub orders: Receiver<Order>,
    pub shared: Arc<Shared>,
    pub timeseal: bool,
    pub keep_alive: Duration,
    pub begin: Instant,
    /// Dropped when the writer ends.
    pub done: Sender<()>,
}

impl Writer {
    /// Sends until the connection is closed.
    pub fn run(mut self) {
        if let Err(error) = self.send_all() {
            self.shared
                .fail(format!("sending to the server failed: {error}"));
        }
        let _ = self.stream.shutdown(Shutdown::Both);
        drop(self.done);
    }

    fn send_all(&mut self) -> std::io::Result<()> {
        if self.timeseal {
            self.send(timeseal::HELLO)?;
        }
        let wait = match self.keep_alive {
            Duration::ZERO => NO_KEEP_ALIVE,
            interval => interval,
        };
        loop {
            match self.orders.recv_timeout(wait) {
                Ok(Order::Command(line)) => self.send(&clean(&line))?,
                Ok(Order::Pong) => self.send(timeseal::REPLY)?,
                Ok(Order::Close) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {
                    // During the login, an empty line would be the answer to a prompt.
                    if !self.keep_alive.is_zero() && self.shared.logged_in.load(Ordering::Relaxed) {
                        self.send("")?;
                    }
                }
            }
        }
    }

    fn send(&mut self, command: &str) -> std::io::Result<()> {
        let bytes = if self.timeseal {
            let elapsed = self.begin.elapsed().as_millis();
            timeseal::encode(command, u64::try_from(elapsed).unwrap_or(u64::MAX))
        } else {
            format!("{command}\n").into_bytes()
        };
        self.stream.write_all(&bytes)
    }
}

/// Replaces what would end the command or would not survive the way to the server, and limits the length.
pub(super) fn clean(command: &str) -> String {
    command
        .trim_end_matches(['\r', '\n'])
        .chars()
        .map(|c| match c {
            ' '..='~' => c,
            _ if c.is_control() => ' ',
            _ => '?',
        })
        .take(MAX_COMMAND)
        .collect()
}
