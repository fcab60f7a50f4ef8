//! The archive of finished games, in PGN. A thread writes it.

mod archive;
mod pgn;
mod termination;
#[cfg(test)]
mod tests;
mod thread;

pub use archive::{Archive, ArchiveError};
pub use pgn::{GameRecord, MoveRecord};
pub use thread::ArchiveThread;
