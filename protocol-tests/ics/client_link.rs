//! The connection of a test client: lines and prompts of the server, optionally with timeseal.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

use crate::ics::server::timeseal;

/// First line of a client with timeseal.
const HELLO: &str = "TIMESEAL2|rabbit|test client|";

/// Questions of the server that have no line end.
const QUESTIONS: [&str; 3] = ["login: ", "password: ", "\":"];

/// First byte of a telnet command, which has three bytes.
const TELNET: u8 = 0xFF;

/// Ping without its last byte, which is 0.
const PING: &[u8] = b"[G]";

/// Connection of one client.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    lines: Receiver<String>,
    seal: Option<Seal>,
}

/// Encoder of lines for timeseal.
#[derive(Clone, Copy, Debug)]
struct Seal {
    began: Instant,
}

impl Seal {
    fn encode(self, text: &str) -> Vec<u8> {
        let passed = self.began.elapsed().as_millis();
        let stamp = u32::try_from(passed).unwrap_or(u32::MAX);
        // Any offset below 50 is allowed.
        let offset = u8::try_from(stamp % 50).unwrap_or(0);
        let mut bytes = timeseal::encode(text, stamp, offset);
        bytes.push(b'\n');
        bytes
    }
}

impl Link {
    /// Connects to the server on this port.
    pub fn open(port: u16, is_sealed: bool) -> std::io::Result<Link> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        let seal = is_sealed.then(|| Seal {
            began: Instant::now(),
        });
        if let Some(seal) = seal {
            stream.write_all(&seal.encode(HELLO))?;
        }
        let reader = stream.try_clone()?;
        let (sender, lines) = channel();
        thread::spawn(move || read(reader, seal, &sender));
        Ok(Link {
            stream,
            lines,
            seal,
        })
    }

    /// Sends a line.
    pub fn write(&mut self, line: &str) -> std::io::Result<()> {
        let bytes = match self.seal {
            Some(seal) => seal.encode(line),
            None => format!("{line}\n").into_bytes(),
        };
        self.stream.write_all(&bytes)
    }

    /// Returns the next line or question, or `None` when the time is over. An error means that the connection has
    /// ended.
    pub fn next(&self, end: Instant) -> Result<Option<String>, RecvTimeoutError> {
        let left = end.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(ended) => Err(ended),
        }
    }
}

/// Reads the connection until it ends. Pings are answered at once.
fn read(mut stream: TcpStream, seal: Option<Seal>, lines: &Sender<String>) {
    let mut line = Vec::new();
    let mut skipped = 0;
    let mut buffer = [0; 4096];
    while let Ok(count) = stream.read(&mut buffer)
        && count > 0
    {
        for byte in &buffer[..count] {
            match byte {
                _ if skipped > 0 => skipped -= 1,
                &TELNET => skipped = 2,
                b'\n' => {
                    if lines.send(text(&line)).is_err() {
                        return;
                    }
                    line.clear();
                }
                0 if line.ends_with(PING) => {
                    line.truncate(line.len() - PING.len());
                    let pong = seal.map(|seal| seal.encode(timeseal::PONG));
                    if pong.is_some_and(|bytes| stream.write_all(&bytes).is_err()) {
                        return;
                    }
                }
                b'\r' | 7 => {}
                other => line.push(*other),
            }
        }
        let question = text(&line);
        if QUESTIONS.iter().any(|end| question.ends_with(end)) {
            line.clear();
            if lines.send(question).is_err() {
                return;
            }
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).to_string()
}
