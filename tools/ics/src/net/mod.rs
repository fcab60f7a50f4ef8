//! Connection to a chess server.
//!
//! [`Connection`] has two threads. The reader splits the bytes of the server with a [`LineSplitter`] and reports
//! [`ServerEvent`]s. The writer sends the queued commands, encoded for [`timeseal`] if it is in use.

mod connection;
mod splitter;
pub mod timeseal;
mod writer;

#[cfg(test)]
mod tests;

pub use connection::{ConnectError, Connection, Endpoint, SendError, ServerEvent};
pub use splitter::{LineSplitter, Received};
