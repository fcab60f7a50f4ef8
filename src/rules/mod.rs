//! Rules of the game: variants, legal moves, repetition and results.

mod fischer_random;
mod odds;
mod outcome;
mod position;
mod variant;

#[cfg(test)]
mod oracle_tests;

pub use fischer_random::{START_POSITIONS, start_row};
pub use odds::Odds;
pub use outcome::{DrawReason, Outcome, is_material_insufficient};
pub use position::{FIFTY_MOVES, PlayedMove, Position};
pub use variant::Variant;

// Higher modules set up positions without importing the board.
pub use crate::board::{Setup, SetupError};
