//! Moves of a list.

use super::game::GameResult;
use std::time::Duration;

/// A move of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMove {
    /// Move in short algebraic notation.
    pub san: String,
    /// Time that the move took.
    pub time: Duration,
}

/// A line of the answer to `moves`.
///
/// The server sends all lines at once. Between other lines they have no meaning: a stored message of a user can look
/// like a line with moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveList {
    /// First line, `Movelist for game NUMBER:`.
    Start {
        /// Number of the game on the server.
        game: u32,
    },
    /// The players of the game. Some servers begin their lists with this line.
    Players {
        /// Name of the player with the white pieces.
        white: String,
        /// Name of the player with the black pieces.
        black: String,
    },
    /// A move of each side, or only one of them.
    Moves {
        /// Number of the move.
        number: u32,
        /// Move of White; `None` if the list begins with a move of Black.
        white: Option<ListedMove>,
        /// Move of Black; `None` if White's move is the last one.
        black: Option<ListedMove>,
    },
    /// Last line, such as `{Still in progress} *`.
    End {
        /// Text in braces.
        reason: String,
        /// Result; [`GameResult::None`] while the game is running.
        result: GameResult,
    },
}
