//! Reads and writes moves and positions as text: FEN, EPD, coordinates and SAN; writes games as PGN.
//!
//! The parsers read text from outside, so they must not panic: lints enforce it, and tests feed them random text.
//! Inside Gaur, castling is king-takes-own-rook; only this module reads and writes `e1g1` and `O-O`.
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

mod coordinate;
mod epd;
mod error;
mod fen;
mod move_text;
mod parse_move;
mod pgn;
mod san;

#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod random_play;

pub use coordinate::{king_target, write_coordinate};
pub use epd::{Epd, Operation, parse_epd};
pub use error::{EpdError, FenError, MoveError};
pub use fen::{
    has_standard_castling, keep_standard_castling, parse_fen, parse_fen_for, write_fen, write_setup,
};
pub use move_text::is_move_text;
pub use parse_move::parse_move;
pub use pgn::{Pgn, PgnResult};
pub use san::write_san;
