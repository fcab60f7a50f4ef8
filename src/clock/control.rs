//! The meaning of `level` and `st`.

use std::time::Duration;

/// How time is given to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `level`: a stock of time, for a number of moves or for the game.
    Game {
        /// Moves per period, each of which adds `base`; `None`: `base` is for the whole game.
        moves: Option<u32>,
        /// Time of a period. 0 is possible: internet chess servers begin such games with ten seconds.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// `st`: at most this for each move, nothing saved up.
    PerMove(Duration),
}

impl Default for TimeControl {
    /// Forty moves in five minutes, the control that xboard itself begins with.
    fn default() -> TimeControl {
        TimeControl::Game {
            moves: Some(40),
            base: Duration::from_secs(300),
            increment: Duration::ZERO,
        }
    }
}
