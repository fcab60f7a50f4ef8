//! Gaur, a chess engine that speaks the xboard protocol. Rooms in layer order: each may import only those above it
//! in this list, as the table in `rooms.rs` says.

pub mod types;
pub mod config;
pub mod clock;
pub mod board;
pub mod rules;
pub mod eval;
pub mod notation;
pub mod messages;
pub mod game;
pub mod search;
pub mod protocol;
pub mod tools;
pub mod runtime;
