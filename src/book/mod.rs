//! Opening books in the Polyglot format.
//!
//! The files come from outside, so that nothing in them may cause a panic: lints enforce it, and a fuzz target reads
//! random bytes.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod entry;
mod file;
mod key;
mod learning;
mod lookup;
mod random_numbers;

pub use entry::{ENTRY_SIZE, Entry, decode_move, encode_move};
pub use file::{BookFile, BookFileError};
pub use key::polyglot_key;
pub use learning::{Learned, LearnedMove, LearnedResult, NotLearned};
pub use lookup::{BookMove, BookMoves, BookSource, FoundEntries, MAX_LOOK_UP_TIME, MAX_VARIETY};
