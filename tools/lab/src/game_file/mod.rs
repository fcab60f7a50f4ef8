//! Game files of self-play: record of a game, format, readers and writers.
//!
//! `docs/data.md` describes the bytes.

mod block;
mod error;
mod header;
mod header_parser;
mod packed;
mod reader;
mod record;
mod version1;
mod window;
mod writer;

#[cfg(test)]
mod tests;

pub use error::{DataError, Region};
pub use header::{FileId, Header, NodeLimit, Run};
pub use packed::{move_from_bits, move_to_bits};
pub use reader::GameReader;
pub use record::{Ending, GameRecord, GameResult, IllegalGame, ScoredMove};
pub use writer::{Contents, GameWriter};
