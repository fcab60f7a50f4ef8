//! The archive of finished games, in PGN.

mod archive;
mod pgn;
#[cfg(test)]
mod tests;

pub use archive::{Archive, ArchiveError};
pub use pgn::{GameRecord, MoveRecord};
