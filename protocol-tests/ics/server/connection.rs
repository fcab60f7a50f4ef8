//! A TCP connection: a thread that reads lines, one that writes, and a simulated lag.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Event;

/// Longer lines are cut here.
const LONGEST_LINE: u64 = 1024;

/// A client that does not read for so long is dropped.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Server side of a connection, closed when dropped.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    output: Sender<(Instant, String)>,
    lag: Arc<AtomicU64>,
}

impl Connection {
    /// Starts the two threads; lines arrive as events under this number.
    pub fn open(
        stream: TcpStream,
        number: u32,
        events: Sender<Event>,
    ) -> std::io::Result<Connection> {
        // Board lines are small, and the system must send each at once.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let lag = Arc::new(AtomicU64::new(0));

        let (typed, arriving) = channel();
        let reader = stream.try_clone()?;
        let reader_lag = Arc::clone(&lag);
        thread::spawn(move || read_lines(reader, &reader_lag, &typed));
        thread::spawn(move || {
            delay(&arriving, |line| {
                events.send(Event::Line(number, line)).is_ok()
            });
            // After the end of the server, no event is needed.
            events.send(Event::Closed(number)).unwrap_or_default();
        });

        let (output, leaving) = channel();
        let mut writer = stream.try_clone()?;
        thread::spawn(move || {
            delay(&leaving, |text: String| {
                writer.write_all(text.as_bytes()).is_ok()
            });
        });
        Ok(Connection {
            stream,
            output,
            lag,
        })
    }

    /// Sends text unchanged.
    pub fn send(&self, text: String) {
        // The writer ends with the client, which is a separate event.
        self.output.send((self.due(), text)).unwrap_or_default();
    }

    /// Sets the lag in each direction.
    pub fn set_lag(&self, lag: Duration) {
        let milliseconds = u64::try_from(lag.as_millis()).unwrap_or(u64::MAX);
        self.lag.store(milliseconds, Ordering::Relaxed);
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
        self.cut();
    }
}

fn read_lines(stream: TcpStream, lag: &AtomicU64, typed: &Sender<(Instant, String)>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut bytes = Vec::new();
        match (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        {
            Ok(count) if count > 0 => {}
            _ => return,
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
        let due = Instant::now() + Duration::from_millis(lag.load(Ordering::Relaxed));
        if typed.send((due, line)).is_err() {
            return;
        }
    }
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
