//! What may be played and when it is over.

mod outcome;
mod position;
mod variant;

pub use crate::board::{Setup, SetupError};
pub use outcome::{DrawReason, Outcome};
pub use position::{PlayedMove, Position};
pub use variant::Variant;
