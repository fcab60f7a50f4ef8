//! The account on the server: login, seeks, games, reconnection.
//!
//! `account::Account` is a state machine without threads. This module feeds it with events and carries out its
//! actions: one thread waits for lines of the server, messages of the engine, signals and the time.

mod account;
mod actions;
mod archive;
mod back_off;
mod engine_orders;
mod engine_watch;
mod event;
mod game_state;
mod lag;
mod lobby;
mod login;
mod messages;
mod phase;
mod play;
mod requests;
mod resumption;
mod runner;
mod signals;
mod status;
#[cfg(test)]
mod tests;

pub use actions::Exit;
pub use runner::{Outputs, run};
