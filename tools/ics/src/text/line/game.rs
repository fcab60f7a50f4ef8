//! Announcements of games and their results.

/// The announcement that a game begins or continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStart {
    /// Number of the game on the server.
    pub game: u32,
    /// Name of the player with the white pieces.
    pub white: String,
    /// Name of the player with the black pieces.
    pub black: String,
    /// Set if an adjourned game is resumed.
    pub continued: bool,
    /// Set for a rated game; `None` if the line does not state it.
    pub rated: Option<bool>,
    /// Kind of game in lower case, such as `blitz` or `wild/fr`; empty if the line does not state it.
    pub kind: String,
}

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: aborted or adjourned.
    None,
}

impl GameResult {
    /// Result as PGN and the xboard protocol write it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::None => "*",
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Number of the game on the server.
    pub game: u32,
    /// Name of the player with the white pieces.
    pub white: String,
    /// Name of the player with the black pieces.
    pub black: String,
    /// Reason in the words of the server, such as `Rabbit resigns`.
    pub reason: String,
    /// Result.
    pub result: GameResult,
}

impl GameEnd {
    /// Returns `true` if the game was adjourned, so that it can be resumed later.
    pub fn is_adjourned(&self) -> bool {
        self.result == GameResult::None && self.reason.to_ascii_lowercase().contains("adjourned")
    }
}

/// A message on the running game of this account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameNotice {
    /// Half-moves have been taken back; the board follows.
    TakenBack(u32),
    /// The game is paused: no clock runs.
    Paused,
    /// The game continues after a pause.
    Unpaused,
    /// The opponent has been given time, in seconds (`moretime`).
    TimeAdded(u32),
    /// The game has ended and its account is out of any game. The line does not name the result.
    NoLongerPlaying,
    /// The opponent has lost the connection; the game is adjourned or waits.
    OpponentDisconnected,
    /// The opponent has moved or returned; text of the server.
    Other(String),
}
