//! The sections `[server]` and `[engine]`, with their defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::values::{Amount, CommandLine, OptionValue};

/// The server and the account on it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Name or address of the server.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Account name; empty for a guest.
    pub account: String,
    /// Set to log in as a guest.
    pub guest: bool,
    /// File with the password in its first line. Relative to the folder of the configuration file.
    pub password_file: Option<PathBuf>,
    /// Set to use timeseal.
    pub timeseal: bool,
    /// Lines sent to the server after each login.
    pub commands: Vec<String>,
    /// Seconds before the first attempt to reconnect; doubled after each failure.
    pub reconnect_min: u64,
    /// Greatest number of seconds between two attempts to reconnect; 0: no reconnection.
    pub reconnect_max: u64,
    /// Seconds in which connection and login must finish.
    pub login_timeout: u64,
    /// Seconds in which nothing is sent, after which an empty line is sent; 0: never. If the server sends nothing for
    /// three times as long, the connection counts as lost.
    pub keep_alive: u64,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            host: "freechess.org".to_owned(),
            port: 5000,
            account: String::new(),
            guest: false,
            password_file: None,
            timeseal: true,
            commands: Vec::new(),
            reconnect_min: 5,
            reconnect_max: 600,
            login_timeout: 60,
            keep_alive: 300,
        }
    }
}

/// The engine and its settings.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engine {
    /// Program and arguments; empty: the program `gaur` in the folder of this program, else in the search path.
    pub command: CommandLine,
    /// Working folder of the engine. Relative to the folder of the configuration file.
    pub folder: Option<PathBuf>,
    /// Options of the engine, sent as `option NAME=VALUE`.
    pub options: BTreeMap<String, OptionValue>,
    /// Memory in megabytes; see [`Engine::memory_mb`].
    pub memory: Amount,
    /// Number of threads; see [`Engine::thread_count`].
    pub cores: Amount,
    /// Number of accounts on this machine, which automatic memory and threads are divided by.
    pub share: u32,
    /// Set to let the engine think on the opponent's time.
    pub ponder: bool,
    /// Endgame tablebases: kind, such as `syzygy`, and path. Sent as `egtpath KIND PATH`.
    pub tablebases: BTreeMap<String, String>,
    /// Lines sent to the engine after its start.
    pub init_lines: Vec<String>,
    /// Seconds in which the engine must complete its start.
    pub start_timeout: u64,
    /// Seconds without an answer after which the engine is ended and started again.
    pub stall_timeout: u64,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            command: CommandLine::default(),
            folder: None,
            options: BTreeMap::new(),
            memory: Amount::Auto,
            cores: Amount::Auto,
            share: 1,
            ponder: true,
            tablebases: BTreeMap::new(),
            init_lines: Vec::new(),
            start_timeout: 10,
            stall_timeout: 30,
        }
    }
}
