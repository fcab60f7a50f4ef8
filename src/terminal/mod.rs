//! The client for a person at a terminal. It stands between the person and the protocol machine, as a GUI does.
//!
//! It turns the person's commands into lines of the protocol, and the machine's replies into text. It has no side
//! effects: a [`Host`] carries them out. It sees the machine's game, so that it keeps no copy.
//!
//! | file | content |
//! |---|---|
//! | `client` | [`TerminalClient`]: the state and the lines of the person |
//! | `steps` | the steps that the client asks for |
//! | `host` | the loop that carries out these steps and the actions of the machine |
//! | `game_commands` | commands about the game |
//! | `option_commands` | commands about options |
//! | `edit_mode` | lines that change the position on the board |
//! | `confirmation` | confirmation of commands that are silent for a GUI |
//! | `replies` | the replies of the machine as text |
//! | `environment` | abilities of the terminal |
//! | `user_command` | parser of the person's commands |
//! | `usage` | correct forms of commands |
//! | `fischer_random` | start positions of Fischer Random chess |
//! | `level` | time controls as text |
//! | `board_view` | drawing of the board |
//! | `words` | moves, pieces, scores and results in words |
//! | `help` | the replies to `help` |
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::string_slice
    )
)]

mod board_view;
mod client;
mod confirmation;
mod edit_board;
mod edit_mode;
mod environment;
mod fischer_random;
mod game_commands;
mod help;
mod host;
mod level;
mod option_commands;
mod replies;
mod steps;
mod usage;
mod user_command;
mod words;

#[cfg(test)]
mod tests;

pub use client::TerminalClient;
pub use environment::{Environment, Style};
pub use host::{Host, carry_out, greet, on_errors, on_line, on_saved};
pub use steps::Saved;
