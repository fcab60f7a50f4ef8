//! Contempt: the value of a draw to a player who expects to win.

use crate::types::{Color, Score};

/// The loss in centipawns that a draw is to one player. It is a gain to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contempt {
    /// The loss to White.
    white: i32,
}

impl Contempt {
    /// No contempt: a draw has the score of an equal position.
    pub const NONE: Contempt = Contempt { white: 0 };

    /// Creates the contempt of `player`, to whom a draw is a loss of this many centipawns.
    pub fn new(player: Color, centipawns: i32) -> Contempt {
        let white = match player {
            Color::White => centipawns,
            Color::Black => -centipawns,
        };
        Contempt { white }
    }

    /// Returns the loss in centipawns that a draw is to `player`.
    #[inline]
    pub fn of(self, player: Color) -> i32 {
        match player {
            Color::White => self.white,
            Color::Black => -self.white,
        }
    }

    /// Returns the score of a draw for `player`.
    ///
    /// ```
    /// use gaur::messages::Contempt;
    /// use gaur::types::{Color, Score};
    ///
    /// let contempt = Contempt::new(Color::Black, 20);
    /// assert_eq!(contempt.draw_score(Color::Black), Score(-20));
    /// assert_eq!(contempt.draw_score(Color::White), Score(20));
    /// ```
    #[inline]
    pub fn draw_score(self, player: Color) -> Score {
        Score::DRAW - self.of(player)
    }
}
