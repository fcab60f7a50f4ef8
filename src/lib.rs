//! Gaur, a chess engine that speaks the xboard protocol.
//!
//! The modules stand in layer order: each imports only modules above it in this list. `docs/architecture.md` has the
//! import table, and the path of a line from standard input to standard output.

#![warn(missing_docs)]

pub mod types;

pub mod config;

pub mod clock;

pub mod board;

pub mod rules;

pub mod eval;

pub mod tablebase;

pub mod book;

pub mod notation;

pub mod messages;

pub mod game;

pub mod search;

pub mod protocol;

pub mod terminal;

pub mod runtime;

pub mod tools;
