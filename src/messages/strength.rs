//! The playing strength of a search for a move.

use crate::config::{MAX_ELO, MIN_ELO};
use crate::types::Square;

/// Elo from which a limited level knows book lines of any length.
const BOOK_ELO: u32 = 2400;

/// Moves of a book line that the lowest level knows.
const LEAST_BOOK_MOVES: u32 = 2;

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

    /// Returns the number of moves up to which this level plays from an opening book that is used up to `depth` moves.
    ///
    /// ```
    /// use gaur::messages::Strength;
    ///
    /// assert_eq!(Strength::new(600, None).book_depth(20), 2);
    /// assert_eq!(Strength::new(1500, None).book_depth(20), 6);
    /// assert_eq!(Strength::new(2400, None).book_depth(20), 20);
    /// ```
    pub fn book_depth(&self, depth: u32) -> u32 {
        if self.elo >= BOOK_ELO {
            depth
        } else {
            depth.min(LEAST_BOOK_MOVES + (self.elo - MIN_ELO) / 200)
        }
    }
}
