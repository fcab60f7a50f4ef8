//! What may be played and when it is over.

mod outcome;
mod position;
mod variant;

#[cfg(test)]
mod oracle_tests;

pub use outcome::{DrawReason, Outcome, is_material_insufficient};
pub use position::{FIFTY_MOVES, PlayedMove, Position};
pub use variant::Variant;

// The rooms above do not know the board, but they do set up positions.
pub use crate::board::{Setup, SetupError};
