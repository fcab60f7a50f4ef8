//! The account on the server: login, seeks, games, reconnection.
//!
//! `account::Account` is a state machine without threads. This module feeds it with events and carries out its
//! actions: one thread waits for lines of the server, messages of the engine, signals and the time.

mod account;
mod actions;
mod adjourned;
mod archive;
mod back_off;
mod ending;
mod engine_failures;
mod engine_starts;
mod engine_watch;
mod event;
mod game_start;
mod game_state;
mod lag;
mod lobby;
mod login;
mod messages;
mod owner_check;
mod owners;
mod partners;
mod phase;
mod play;
mod requests;
mod runner;
mod signals;
mod silence;
mod starting;
mod status;
mod stopping;
#[cfg(test)]
mod tests;

pub use actions::Exit;
pub use runner::{Outputs, run};
