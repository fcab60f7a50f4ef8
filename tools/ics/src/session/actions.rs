//! Actions of the account, for the program around it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::arguments::ExitStatus;
use crate::engine::GameSetup;
use crate::record::GameRecord;
use crate::report::{Event, Level};

/// Effect of an event. The session carries out the actions in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Connects to the server.
    Connect,
    /// Closes the connection.
    Disconnect,
    /// Sends a line to the server.
    Send(String),
    /// Sends the password, which is not logged.
    SendPassword,
    /// Changes the engine's game.
    Engine(EngineOrder),
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

/// Order to the engine.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineOrder {
    /// Starts the program, or starts it again.
    Start,
    /// Begins or resumes a game.
    NewGame {
        /// Players, time control, start position and moves.
        setup: Box<GameSetup>,
        /// Clocks now.
        clocks: Clocks,
    },
    /// The opponent has moved.
    OpponentMoved {
        /// Coordinates of the move.
        coordinates: String,
        /// Clocks after the move.
        clocks: Clocks,
    },
    /// Half-moves have been taken back.
    TakeBack {
        /// Number of half-moves.
        half_moves: usize,
        /// The game without them.
        setup: Box<GameSetup>,
        /// Clocks now.
        clocks: Clocks,
    },
    /// The opponent offers a draw.
    OfferDraw,
    /// The engine must move at once.
    MoveNow,
    /// The game is over.
    GameOver {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: &'static str,
        /// Words of the server.
        comment: String,
    },
    /// Sends a line of the owner.
    Line(String),
}

/// Clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clocks {
    /// Clock of the engine, without the expected network delay.
    pub own: Duration,
    /// Clock of the opponent.
    pub opponent: Duration,
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
}

impl Exit {
    /// Returns the exit status of the program.
    pub fn status(&self) -> ExitStatus {
        match self {
            Exit::Stopped => ExitStatus::Stopped,
            Exit::Refused(_) | Exit::LoggedInElsewhere => ExitStatus::Login,
            Exit::Disconnected(_) => ExitStatus::Failed,
            Exit::Engine(_) => ExitStatus::Engine,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Stopped => formatter.write_str("stopped"),
            Exit::Refused(reason) | Exit::Disconnected(reason) => formatter.write_str(reason),
            Exit::LoggedInElsewhere => formatter.write_str("the account has logged in elsewhere"),
            Exit::Engine(reason) => write!(formatter, "the engine does not run: {reason}"),
        }
    }
}
