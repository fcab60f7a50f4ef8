//! A TCP connection: a thread that reads lines, one that writes, and a simulated lag.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Event;
use super::timeseal;

/// Longer lines are cut here.
const LONGEST_LINE: u64 = 1024;

/// A client that does not read for so long is dropped.
const TIMEOUT: Duration = Duration::from_secs(5);

/// First byte of a telnet command, which has three bytes.
const TELNET: u8 = 0xFF;

/// A line of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line without timeseal.
    Plain(String),
    /// First line of a client that uses timeseal.
    Hello(String),
    /// Text and the client's clock in milliseconds.
    Sealed(String, u32),
    /// A line without timeseal from a client that uses it.
    Unsealed(String),
}

/// Server side of a connection, closed when dropped.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    output: Sender<(Instant, Vec<u8>)>,
    lag: Arc<AtomicU64>,
    /// Set if nothing arrives any more in either direction.
    is_silent: Arc<AtomicBool>,
    /// Set if the text that waits must still be sent.
    is_leaving: bool,
}

impl Connection {
    /// Starts the two threads; lines arrive as events under this number. With `chunk`, each write has at most this
    /// number of bytes.
    pub fn open(
        stream: TcpStream,
        number: u32,
        events: Sender<Event>,
        chunk: Option<usize>,
    ) -> std::io::Result<Connection> {
        // Board lines are small, and the system must send each at once.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let lag = Arc::new(AtomicU64::new(0));
        let is_silent = Arc::new(AtomicBool::new(false));

        let (typed, arriving) = channel();
        let reader = stream.try_clone()?;
        let reader_lag = Arc::clone(&lag);
        thread::spawn(move || read_lines(reader, &reader_lag, &typed));
        let is_lost = Arc::clone(&is_silent);
        thread::spawn(move || {
            delay(&arriving, |line| {
                is_lost.load(Ordering::Relaxed) || events.send(Event::Line(number, line)).is_ok()
            });
            // On a broken route, the end of the client is not noticed. After the end of the server, no event is needed.
            if !is_lost.load(Ordering::Relaxed) {
                events.send(Event::Closed(number)).unwrap_or_default();
            }
        });

        let (output, leaving) = channel();
        let mut writer = stream.try_clone()?;
        let is_lost = Arc::clone(&is_silent);
        thread::spawn(move || {
            delay(&leaving, |bytes: Vec<u8>| {
                bytes
                    .chunks(chunk.unwrap_or(bytes.len()).max(1))
                    .all(|part| is_lost.load(Ordering::Relaxed) || writer.write_all(part).is_ok())
            });
            // It may be closed already.
            writer.shutdown(Shutdown::Both).unwrap_or_default();
        });
        Ok(Connection {
            stream,
            output,
            lag,
            is_silent,
            is_leaving: false,
        })
    }

    /// Sends text with the line ends of FICS.
    pub fn send(&self, text: &str) {
        self.send_bytes(text.replace('\n', "\n\r").into_bytes());
    }

    /// Sends bytes unchanged.
    pub fn send_bytes(&self, bytes: Vec<u8>) {
        // The writer ends with the client, which is a separate event.
        self.output.send((self.due(), bytes)).unwrap_or_default();
    }

    /// Sends a last text and closes the connection.
    pub fn leave(mut self, text: &str) {
        self.send(text);
        self.is_leaving = true;
    }

    /// Sets the lag in each direction.
    pub fn set_lag(&self, lag: Duration) {
        let milliseconds = u64::try_from(lag.as_millis()).unwrap_or(u64::MAX);
        self.lag.store(milliseconds, Ordering::Relaxed);
    }

    /// Loses all further data in both directions without closing the connection.
    pub fn freeze(&self) {
        self.is_silent.store(true, Ordering::Relaxed);
    }

    /// Breaks the connection.
    pub fn cut(&self) {
        // It may be closed already.
        self.stream.shutdown(Shutdown::Both).unwrap_or_default();
    }

    fn due(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.lag.load(Ordering::Relaxed))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if !self.is_leaving {
            self.cut();
        }
    }
}

fn read_lines(stream: TcpStream, lag: &AtomicU64, typed: &Sender<(Instant, Received)>) {
    let mut reader = BufReader::new(stream);
    let mut is_first = true;
    let mut is_sealed = false;
    loop {
        let mut bytes = Vec::new();
        match (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        {
            Ok(count) if count > 0 => {}
            _ => return,
        }
        let line = received(&bytes, is_first, is_sealed);
        is_first = false;
        is_sealed = is_sealed || matches!(line, Received::Hello(_));
        let due = Instant::now() + Duration::from_millis(lag.load(Ordering::Relaxed));
        if typed.send((due, line)).is_err() {
            return;
        }
    }
}

/// Decodes a line with its end.
fn received(bytes: &[u8], is_first: bool, is_sealed: bool) -> Received {
    let bytes = without_telnet(bytes);
    let line = bytes.trim_ascii_end();
    let plain = || String::from_utf8_lossy(line).to_string();
    match timeseal::decode(line) {
        Some((text, _)) if is_first && timeseal::is_hello(&text) => Received::Hello(text),
        Some((text, stamp)) if is_sealed => Received::Sealed(text, stamp),
        _ if is_sealed => Received::Unsealed(plain()),
        _ => Received::Plain(plain()),
    }
}

/// Removes telnet's commands of three bytes. Neither text nor timeseal contains their first byte.
fn without_telnet(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = bytes.iter();
    while let Some(byte) = rest.next() {
        if *byte == TELNET {
            rest.nth(1);
        } else {
            kept.push(*byte);
        }
    }
    kept
}

/// Passes items on when they are due, until the sender or the receiver ends.
fn delay<T>(things: &Receiver<(Instant, T)>, mut hand_on: impl FnMut(T) -> bool) {
    for (due, thing) in things {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if !hand_on(thing) {
            return;
        }
    }
}
