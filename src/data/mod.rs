//! Games of self-play on file: what one is, how it is packed, how files are read and written.
//!
//! The bytes are described in `docs/data.md`.

mod file;
mod packed;
mod record;

#[cfg(test)]
mod tests;

pub use file::{DataError, GameReader, GameWriter, Header};
pub use packed::{move_from_bits, move_to_bits};
pub use record::{Ending, GameRecord, GameResult, IllegalGame, ScoredMove};
