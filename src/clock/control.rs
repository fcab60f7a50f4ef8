//! Time controls, set with `level` and `st`.

use std::time::Duration;

/// A time control.
///
/// ```
/// use gaur::clock::{Clock, TimeControl};
/// use std::time::{Duration, Instant};
///
/// let second = Duration::from_secs(1);
/// let clock = Clock::new(TimeControl::PerMove(second));
/// assert_eq!(clock.remaining(Instant::now()), second);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `level`: time for a number of moves or for the game.
    Game {
        /// Moves per period. Each period adds `base`. With `None`, `base` is for the whole game.
        moves: Option<u32>,
        /// Time of a period. It can be 0: chess servers begin such games with ten seconds.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// `st`: maximum time of each move. Unused time is lost.
    PerMove(Duration),
}

impl Default for TimeControl {
    /// Returns 40 moves in two minutes, for GUIs that send no time control: a person who plays there expects an answer
    /// within a few seconds.
    fn default() -> TimeControl {
        TimeControl::Game {
            moves: Some(40),
            base: Duration::from_secs(120),
            increment: Duration::ZERO,
        }
    }
}
