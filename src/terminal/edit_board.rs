//! The board in edit mode.

use crate::rules::Setup;
use crate::types::Color;

/// A position that a person changes piece by piece.
#[derive(Clone, Debug)]
pub(super) struct EditBoard {
    /// Position on the board.
    pub(super) setup: Setup,
    /// Colour of the pieces that are placed.
    pub(super) color: Color,
}
