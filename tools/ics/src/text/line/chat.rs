//! Messages of other users.

/// Way in which a message was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatKind {
    /// `tell`, to this account only.
    Tell,
    /// `say`, from the opponent of the running or last game.
    Say,
    /// `ptell`, from the partner in bughouse.
    PartnerTell,
    /// `kibitz` on a game.
    Kibitz,
    /// `whisper` to the observers of a game.
    Whisper,
    /// `shout`, or `it` (`--> NAME ...`).
    Shout,
    /// `cshout`, a shout on chess.
    ChessShout,
    /// A message in the channel with this number.
    Channel(u32),
    /// An announcement of the administrators (`**ANNOUNCEMENT**`), or a stored message.
    Announcement,
}

/// A message of another user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Name of the sender.
    pub from: String,
    /// Titles of the sender in parentheses, such as `(C)(TD)`; empty without any.
    pub titles: String,
    /// Way in which the message was sent.
    pub kind: ChatKind,
    /// Number of the game of a kibitz or whisper, or of a say if the server sends it.
    pub game: Option<u32>,
    /// The message.
    pub text: String,
}
