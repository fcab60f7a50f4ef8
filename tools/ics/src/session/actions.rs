//! Actions of the account, for the program around it.

use std::fmt;
use std::time::Instant;

use crate::arguments::ExitStatus;
use crate::engine::Order;
use crate::record::GameRecord;
use crate::report::{Event, Level};

/// Effect of an event. The session carries out the actions in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Connects to the server.
    Connect {
        /// Set to use timeseal.
        timeseal: bool,
    },
    /// Closes the connection.
    Disconnect,
    /// Sends a line to the server.
    Send(String),
    /// Sends the password, which is not logged.
    SendPassword,
    /// Starts the engine, or starts it again.
    StartEngine,
    /// Gives an order to the engine.
    Engine(Order),
    /// Appends a game to the archive, after adding date and time.
    Record {
        /// The game.
        record: Box<GameRecord>,
        /// Beginning of the game.
        started: Instant,
    },
    /// Writes a line to the log.
    Log(Level, String),
    /// Reports an event to programs that supervise the account.
    Report(Event),
    /// Ends the program.
    End(Exit),
}

/// Reason for the end of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// A signal, or an owner's command.
    Stopped,
    /// The server refuses the account: wrong password, unknown name, banned.
    Refused(String),
    /// The connection has ended, and the configuration allows no other attempt.
    Disconnected(String),
    /// The account has logged in elsewhere.
    LoggedInElsewhere,
    /// The engine does not start or does not play chess.
    Engine(String),
    /// Games could not be stored.
    NotStored(String),
}

impl Exit {
    /// Returns the exit status of the program.
    pub fn status(&self) -> ExitStatus {
        match self {
            Exit::Stopped => ExitStatus::Stopped,
            Exit::Refused(_) | Exit::LoggedInElsewhere => ExitStatus::Login,
            Exit::Disconnected(_) | Exit::NotStored(_) => ExitStatus::Failed,
            Exit::Engine(_) => ExitStatus::Engine,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Stopped => formatter.write_str("stopped"),
            Exit::Refused(text) | Exit::Disconnected(text) | Exit::NotStored(text) => {
                formatter.write_str(text)
            }
            Exit::LoggedInElsewhere => formatter
                .write_str("the account has logged in elsewhere; only one program can use it"),
            Exit::Engine(reason) => write!(formatter, "the engine does not run: {reason}"),
        }
    }
}
