//! The playing strength of a search for a move.

use crate::config::{MAX_ELO, MIN_ELO};
use crate::types::Square;

/// A limited playing strength, and the last move as far as a person would look at it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The level, [`MIN_ELO`] to [`MAX_ELO`].
    pub elo: u32,
    /// Target square of the opponent's last move; `None` at the start of a game and in a position that was set up.
    pub last_target: Option<Square>,
}

impl Strength {
    /// Creates a strength; an Elo out of range counts as the nearest level.
    pub fn new(elo: u32, last_target: Option<Square>) -> Strength {
        Strength {
            elo: elo.clamp(MIN_ELO, MAX_ELO),
            last_target,
        }
    }
}
