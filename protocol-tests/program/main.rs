//! Tests that scripts cannot express: the command line, unusual pipes, network files, and more than a thousand games.
//!
//! Each test starts the program. Time limits are wide, because machines may be busy. The tests read `/proc`, so they
//! need Linux.

#![cfg(target_os = "linux")]

mod book;
mod book_commands;
mod command_line;
mod engine;
mod files;
mod games;
mod latency;
mod log;
mod memory;
mod network;
mod pipes;
mod slow_host;
mod start_settings;
mod strength;
mod terminal;
