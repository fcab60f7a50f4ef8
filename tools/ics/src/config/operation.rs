//! The sections on the operation of the account: chat, owners, files, stop, clocks. With their defaults.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Command that sends the engine's scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreCommand {
    /// None: scores are not sent.
    #[default]
    Off,
    /// `kibitz`, to the opponent and the observers.
    Kibitz,
    /// `whisper`, to the observers.
    Whisper,
}

/// Messages to the opponent and to observers.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chat {
    /// Message to the opponent at the start of a game; empty: none. `{opponent}` and `{engine}` are replaced.
    pub greeting: String,
    /// Message to the opponent at the end of a game; empty: none. `{opponent}` and `{engine}` are replaced.
    pub goodbye: String,
    /// Command that sends score and line.
    pub scores: ScoreCommand,
    /// Number of moves between two messages with a score.
    pub every: u32,
    /// Set to pass on the messages of the engine (`tellopponent`, `tellall`, `tellothers`).
    pub engine: bool,
    /// Set to send the commands of the engine to the server (`tellics`, `tellicsnoalias`).
    pub engine_commands: bool,
    /// Set to explain why a challenge or request was declined.
    pub explain: bool,
}

impl Default for Chat {
    fn default() -> Self {
        Self {
            greeting: String::new(),
            goodbye: String::new(),
            scores: ScoreCommand::Off,
            every: 1,
            engine: true,
            engine_commands: false,
            explain: true,
        }
    }
}

/// Players who can send commands with `tell`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Owners {
    /// Account names.
    pub names: Vec<String>,
}

/// The archive of games.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Record {
    /// PGN file; none: games are not stored. Relative to the current folder.
    pub pgn: Option<PathBuf>,
}

/// The log file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// Log file; none: warnings and errors go to standard error. Relative to the current folder.
    pub file: Option<PathBuf>,
    /// Megabytes after which a new file begins.
    pub size: u64,
    /// Number of files that are kept, the current one included.
    pub count: u32,
    /// Set to log all lines of the server and the engine.
    pub traffic: bool,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            file: None,
            size: 10,
            count: 5,
            traffic: true,
        }
    }
}

/// Reports for people and programs that supervise the account.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Status {
    /// Set to show a status line if standard error is a terminal.
    pub line: bool,
    /// File for JSON lines; `-`: standard output; none: no JSON lines. Relative to the current folder.
    pub json: Option<PathBuf>,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            line: true,
            json: None,
        }
    }
}

/// Treatment of the running game at a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnTerm {
    /// Plays the game to its end.
    #[default]
    Finish,
    /// Requests an adjournment at once.
    Adjourn,
}

/// Behaviour at SIGTERM, SIGINT and SIGHUP.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shutdown {
    /// Treatment of the running game.
    pub on_term: OnTerm,
    /// Minutes after which `finish` requests an adjournment as well.
    pub limit: u64,
}

impl Default for Shutdown {
    fn default() -> Self {
        Self {
            on_term: OnTerm::Finish,
            limit: 60,
        }
    }
}

/// The clocks of a game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clock {
    /// Set to call the flag of an opponent whose time is over.
    pub call_flag: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self { call_flag: true }
    }
}
