//! The configuration as a whole. `example.toml` documents each key.

use serde::{Deserialize, Serialize};

use super::{
    Abort, Adjourn, Challenges, Chat, Clock, Draw, Engine, Log, Owners, Record, Rematch, Seek,
    Server, Shutdown, Status, Takeback,
};

/// The settings of one account: everything that the configuration file contains.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The server and the account on it.
    pub server: Server,
    /// The engine and its settings.
    pub engine: Engine,
    /// Rules for challenges.
    pub challenges: Challenges,
    /// Seeks while no game is running.
    pub seek: Seek,
    /// Rematches that the account offers.
    pub rematch: Rematch,
    /// Draw offers.
    pub draw: Draw,
    /// Requests for takebacks.
    pub takeback: Takeback,
    /// Requests to abort the game.
    pub abort: Abort,
    /// Requests to adjourn the game.
    pub adjourn: Adjourn,
    /// Messages to the opponent and to observers.
    pub chat: Chat,
    /// Players who can send commands with `tell`.
    pub owners: Owners,
    /// The archive of games.
    pub record: Record,
    /// The log file.
    pub log: Log,
    /// Reports for people and programs that supervise the account.
    pub status: Status,
    /// Behaviour at SIGTERM, SIGINT and SIGHUP.
    pub shutdown: Shutdown,
    /// The clocks of a game.
    pub clock: Clock,
}
