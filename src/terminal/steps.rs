//! The steps that the client asks for.

/// A step that the client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Print this text as it is, without a line end.
    Print(String),
    /// Print this text, unless other text follows before it has been written.
    PrintThinking(String),
    /// Hand this line to the machine.
    Command(String),
    /// Hand this line of the person to the client after the steps before it.
    Line(String),
    /// Add the game to this file.
    SaveGame {
        /// Name of the file.
        path: String,
        /// The game in PGN.
        text: String,
    },
}

/// The result of saving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The game is the only one in its file.
    Alone,
    /// The game follows others.
    Added,
}
