//! Bytes of the server, split into lines, prompts and pings.

use crate::text::{self, LoginLine, LoginPrompt, ServerLine, Unwrap};

/// Longest line, in bytes. The rest of a longer one is dropped.
const MAX_LINE: usize = 4096;

/// Longest prompt, in bytes, without percent sign.
const MAX_PROMPT: usize = 24;

/// Longest subnegotiation of telnet, in bytes, that is skipped as a whole.
const MAX_NEGOTIATION: u32 = 256;

/// Bytes of the telnet protocol.
const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;

/// Part of the text of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line that is not empty, without control characters, prompts and wrapping.
    Line(String),
    /// The server waits for an answer, or for the next command.
    Prompt(LoginPrompt),
    /// The server asks for the time of the client (timeseal).
    Ping,
}

/// State of the telnet protocol or of a terminal command between two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    /// After IAC.
    Command,
    /// After IAC and a command with an option.
    Option,
    /// Within a subnegotiation of this length; the flag is set after IAC.
    Negotiation(u32, bool),
    /// After an escape character.
    Escape,
    /// Within a terminal command such as a colour.
    Terminal,
}

/// Splits the bytes of the server.
///
/// It removes telnet commands, terminal commands, control characters and prompts, and joins wrapped lines. Text that is
/// not UTF-8 is read as Latin-1. A line feed is the only end of a line.
#[derive(Debug)]
pub struct LineSplitter {
    state: State,
    line: Vec<u8>,
    overflow: bool,
    unwrap: Unwrap,
    timeseal: bool,
    logged_in: bool,
    /// The server has asked for the password, or for Return.
    asked: bool,
    /// A command prompt was the last text.
    waits: bool,
    /// Set behind a prompt that has not been reported, until the line ends.
    prompted: bool,
}

impl LineSplitter {
    /// Creates a splitter. Without `timeseal`, pings are text.
    pub fn new(timeseal: bool) -> LineSplitter {
        LineSplitter {
            state: State::Text,
            line: Vec::new(),
            overflow: false,
            unwrap: Unwrap::default(),
            timeseal,
            logged_in: false,
            asked: false,
            waits: false,
            prompted: false,
        }
    }

    /// Returns `true` once the session has begun. Prompts for name and password end then.
    ///
    /// Most servers announce the session. FICS 1.6 does not: there, it has begun when the server has asked for the
    /// password or for Return, and then waits behind a command prompt.
    pub fn is_logged_in(&self) -> bool {
        self.logged_in
    }

    /// Returns `true` if text is waiting for its end, or for a continuation.
    pub fn is_pending(&self) -> bool {
        !self.line.is_empty() || self.unwrap.is_pending()
    }

    /// Takes the bytes that have arrived, and calls `sink` with each part that is complete.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Received)) {
        self.waits &= bytes.is_empty();
        for byte in bytes {
            self.byte(*byte, sink);
        }
        if self.line.is_empty() && std::mem::take(&mut self.prompted) {
            self.waits = true;
            sink(Received::Prompt(LoginPrompt::Command));
        }
    }

    /// Completes what waits for a continuation. The caller calls this when no byte has arrived for a short time.
    pub fn pause(&mut self, sink: &mut dyn FnMut(Received)) {
        self.flush(sink);
        // A text that ends behind a percent sign by chance is continued.
        self.logged_in |= self.asked && self.waits;
        if self.logged_in {
            return;
        }
        let partial = decode(&self.line);
        let partial = partial.trim();
        if partial.eq_ignore_ascii_case("login:") {
            self.line.clear();
            self.asked = false;
            sink(Received::Prompt(LoginPrompt::Name));
        } else if partial.eq_ignore_ascii_case("password:") {
            self.line.clear();
            self.asked = true;
            sink(Received::Prompt(LoginPrompt::Password));
        } else if asks_for_return(partial) {
            let line = partial.to_string();
            self.line.clear();
            self.emit(line, sink);
        }
    }

    fn byte(&mut self, byte: u8, sink: &mut dyn FnMut(Received)) {
        self.state = match self.state {
            State::Text => match byte {
                IAC => State::Command,
                0x1B => State::Escape,
                _ => {
                    self.text(byte, sink);
                    State::Text
                }
            },
            State::Command => match byte {
                // WILL, WON'T, DO and DON'T.
                251..=254 => State::Option,
                SB => State::Negotiation(0, false),
                IAC => {
                    self.text(IAC, sink);
                    State::Text
                }
                _ => State::Text,
            },
            State::Option => State::Text,
            State::Negotiation(_, true) if byte == SE => State::Text,
            State::Negotiation(MAX_NEGOTIATION.., _) => State::Text,
            State::Negotiation(length, _) => State::Negotiation(length + 1, byte == IAC),
            State::Escape if byte == b'[' => State::Terminal,
            // A line feed ends a line whatever stands before it.
            State::Escape | State::Terminal if byte == b'\n' => {
                self.text(byte, sink);
                State::Text
            }
            State::Terminal if !(0x40..=0x7E).contains(&byte) => State::Terminal,
            State::Escape | State::Terminal => State::Text,
        };
    }

    fn text(&mut self, byte: u8, sink: &mut dyn FnMut(Received)) {
        match byte {
            b'\n' => self.end_line(sink),
            0 => {
                // FICS sends a ping within any text.
                if self.timeseal && !self.overflow && self.line.ends_with(b"[G]") {
                    self.line.truncate(self.line.len() - 3);
                    sink(Received::Ping);
                }
            }
            b'\t' | b' ' if is_prompt(&self.line) => {
                self.line.clear();
                self.flush(sink);
                self.prompted = true;
            }
            b'\t' => self.add(b' '),
            0x01..=0x1F | 0x7F => {}
            _ => self.add(byte),
        }
    }

    fn add(&mut self, byte: u8) {
        if self.line.len() < MAX_LINE {
            self.line.push(byte);
        } else {
            self.overflow = true;
        }
    }

    fn end_line(&mut self, sink: &mut dyn FnMut(Received)) {
        let line = decode(&self.line);
        let text = line.as_str();
        self.line.clear();
        self.overflow = false;
        self.prompted = false;
        // Lasker and the old free server send a ping on a line of its own.
        if self.timeseal && text == "[G]" {
            sink(Received::Ping);
            return;
        }
        if text.trim().is_empty() {
            self.flush(sink);
            return;
        }
        if let Some(line) = self.unwrap.push(text) {
            self.emit(line, sink);
        }
        // A board is never wrapped, and its time counts.
        if text.starts_with("<12>") || asks_for_return(text) {
            self.flush(sink);
        }
    }

    fn flush(&mut self, sink: &mut dyn FnMut(Received)) {
        if let Some(line) = self.unwrap.flush() {
            self.emit(line, sink);
        }
    }

    fn emit(&mut self, line: String, sink: &mut dyn FnMut(Received)) {
        if !self.logged_in {
            self.logged_in = matches!(
                text::parse(&line),
                ServerLine::Login(LoginLine::Started { .. })
            );
        }
        let asks = !self.logged_in && asks_for_return(&line);
        sink(Received::Line(line));
        if asks {
            self.asked = true;
            sink(Received::Prompt(LoginPrompt::PressReturn));
        }
    }
}

/// Converts the bytes to text and removes control characters.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().filter(|c| !c.is_control()).collect(),
        Err(_) => bytes
            .iter()
            .map(|byte| char::from(*byte))
            .filter(|c| !c.is_control())
            .collect(),
    }
}

/// Returns `true` for `Press return to enter the server as "GuestABCD":`; FICS 1.6 writes `the FICS`.
fn asks_for_return(line: &str) -> bool {
    line.starts_with("Press return to enter the ")
}

/// Returns `true` if the line consists of a prompt such as `fics%`: a word and a percent sign.
fn is_prompt(line: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:.".contains(byte);
    line.strip_suffix(b"%").is_some_and(|word| {
        word.len() <= MAX_PROMPT
            && word.iter().all(plain)
            && word.iter().any(u8::is_ascii_alphabetic)
    })
}

#[cfg(test)]
#[path = "splitter_tests.rs"]
mod tests;
