//! Positions in Style 12.

use std::time::Duration;

/// Relation of this account to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A position that is no game (`refresh` of a setup or an old game, -3).
    Isolated,
    /// Observing a game that is being examined (-2).
    ObservingExamined,
    /// Examining a game (2).
    Examining,
    /// Playing, and the opponent is to move (-1).
    PlayingOpponentToMove,
    /// Playing, and this account is to move (1).
    PlayingMyMove,
    /// Observing a game that is being played (0).
    Observing,
}

/// A position of a game with its clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// First field of a FEN. Promoted pieces of crazyhouse are not marked.
    pub placement: String,
    /// Set if White is to move.
    pub white_to_move: bool,
    /// File of the pawn that has just advanced two squares, 0 for the a-file.
    pub double_push: Option<u8>,
    /// Castling rights: White short, White long, Black short, Black long.
    pub castling: [bool; 4],
    /// Half-moves since the last irreversible move.
    pub irreversible: u32,
    /// Number of the game on the server.
    pub game: u32,
    /// Name of the player with the white pieces.
    pub white: String,
    /// Name of the player with the black pieces.
    pub black: String,
    /// Relation of this account to the game.
    pub relation: Relation,
    /// Initial time, in minutes.
    pub base: u32,
    /// Increment, in seconds.
    pub increment: u32,
    /// White's clock in milliseconds; negative after the flag has fallen.
    pub white_time: i64,
    /// Black's clock in milliseconds; negative after the flag has fallen.
    pub black_time: i64,
    /// Number of the move that is about to be made.
    pub move_number: u32,
    /// Last move in the verbose notation of the server (`P/e2-e4`, `o-o`); `None` at the start of a game.
    pub last_move: Option<String>,
    /// Time that the last move took.
    pub last_time: Duration,
    /// Last move in short algebraic notation; `None` at the start of a game.
    pub last_san: Option<String>,
    /// Set if the server proposes to show Black at the bottom.
    pub flipped: bool,
    /// Set if a clock is running.
    pub clock_running: bool,
    /// Lag of the last move as measured by the server, if it sends this field.
    pub lag: Option<Duration>,
}
