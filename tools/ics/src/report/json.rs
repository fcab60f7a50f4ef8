//! Events as JSON lines, for programs that supervise the account.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;

/// An event of the account. Written as an object with `time`, `account`, `event` and the fields of the event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The connection to the server is open.
    Connected {
        /// Name of the server.
        host: String,
        /// TCP port.
        port: u16,
    },
    /// The account is logged in.
    LoggedIn {
        /// Name of the account, which the server chooses for a guest.
        name: String,
    },
    /// The connection is lost or could not be opened.
    Disconnected {
        /// The cause.
        reason: String,
        /// Seconds until the next attempt; none: no attempt follows.
        retry_seconds: Option<u64>,
    },
    /// A challenge was answered.
    Challenge {
        /// Name of the other player.
        opponent: String,
        /// The terms, as the server stated them.
        terms: String,
        /// Set if the challenge was accepted.
        accepted: bool,
        /// Reason of a refusal.
        reason: String,
    },
    /// This account has challenged another player.
    ChallengeSent {
        /// Name of the other player.
        opponent: String,
        /// Purpose: `adjourned game` or `rematch`.
        purpose: &'static str,
    },
    /// A game began or was resumed.
    GameStarted {
        /// Number of the game on the server.
        game: u32,
        /// Player of the white pieces.
        white: String,
        /// Player of the black pieces.
        black: String,
        /// The terms, such as `rated blitz 5 0`.
        terms: String,
        /// Set for an adjourned game.
        resumed: bool,
    },
    /// A game ended.
    GameEnded {
        /// Number of the game on the server.
        game: u32,
        /// Player of the white pieces.
        white: String,
        /// Player of the black pieces.
        black: String,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// Reason, as the server stated it.
        reason: String,
        /// Number of half-moves.
        half_moves: usize,
        /// Colour of this account: `white` or `black`.
        own_colour: &'static str,
        /// Result for this account: `won`, `lost`, `drawn` or `unfinished`.
        own_result: &'static str,
    },
    /// The engine is ready.
    EngineStarted {
        /// Name that the engine gave itself.
        name: String,
    },
    /// The engine ended, did not answer or sent an illegal move. It is started again, unless the program resigns the
    /// game.
    EngineFailed {
        /// The cause.
        reason: String,
    },
    /// A stop was requested.
    Stopping {
        /// The cause: `signal`, or an owner and his command.
        reason: String,
    },
    /// An unusual event, as in the log.
    Warning {
        /// The line of the log.
        text: String,
    },
    /// A failure that needs attention, as in the log.
    Error {
        /// The line of the log.
        text: String,
    },
    /// The program ends.
    Stopped {
        /// Exit status.
        status: u8,
        /// The cause.
        reason: String,
    },
}

/// A writer of JSON lines.
pub struct JsonLines {
    output: Option<Box<dyn Write + Send>>,
    account: String,
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    account: &'a str,
    #[serde(flatten)]
    event: &'a Event,
}

impl JsonLines {
    /// Creates a writer that drops all events.
    pub fn none() -> Self {
        Self {
            output: None,
            account: String::new(),
        }
    }

    /// Opens a file to append to, or standard output for `-`.
    ///
    /// # Errors
    ///
    /// Returns the cause if the file cannot be opened.
    pub fn open(path: &Path, account: &str) -> io::Result<Self> {
        let output: Box<dyn Write + Send> = if path == Path::new("-") {
            Box::new(io::stdout())
        } else {
            Box::new(OpenOptions::new().append(true).create(true).open(path)?)
        };
        Ok(Self::to(output, account))
    }

    /// Writes to `output`.
    pub fn to(output: Box<dyn Write + Send>, account: &str) -> Self {
        Self {
            output: Some(output),
            account: account.to_owned(),
        }
    }

    /// Returns `true` if events are written.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_some()
    }

    /// Writes an event that occurred at `time`, with one write.
    ///
    /// # Errors
    ///
    /// Returns the cause if the line cannot be written. Later events are dropped then: a reader that is gone does not
    /// come back.
    pub(super) fn write(&mut self, event: &Event, time: SystemTime) -> io::Result<()> {
        let Some(output) = &mut self.output else {
            return Ok(());
        };
        // A guest has no name before.
        if let Event::LoggedIn { name } = event {
            self.account.clone_from(name);
        }
        let line = Line {
            time: humantime::format_rfc3339_millis(time).to_string(),
            account: &self.account,
            event,
        };
        let written = serde_json::to_string(&line)
            .map_err(io::Error::from)
            .and_then(|text| {
                output.write_all(format!("{text}\n").as_bytes())?;
                output.flush()
            });
        if written.is_err() {
            self.output = None;
        }
        written
    }
}
