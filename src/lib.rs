//! Gaur, a chess engine that speaks the xboard protocol.
//!
//! Rooms in layer order: each imports only rooms above it in this list. `docs/architecture.md` has the table of who
//! may import whom, and the way of a line from standard input to standard output.

#![warn(missing_docs)]

pub mod types;

pub mod config;

pub mod clock;

pub mod board;

pub mod rules;

pub mod eval;

pub mod notation;

pub mod data;

pub mod messages;

pub mod game;

pub mod search;

pub mod protocol;

pub mod tools;

pub mod runtime;

#[cfg(test)]
mod rooms;
