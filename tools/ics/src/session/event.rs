//! Events of the main loop.

use crate::engine::EngineOutput;
use crate::net::{ConnectError, Connection, ServerEvent};

/// Event for the main loop.
#[derive(Debug)]
pub(super) enum Event {
    /// The attempt to connect with this number has ended.
    Opened(u32, Result<Connection, ConnectError>),
    /// The connection with this number reports something.
    Server(u32, ServerEvent),
    /// The engine process with this number reports something.
    Engine(u32, EngineOutput),
    /// The engine process with this number cannot be started.
    NoEngine(u32, String),
    /// SIGTERM, SIGINT or SIGHUP.
    Signal,
}
