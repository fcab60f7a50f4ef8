//! Messages during the login, and on the session.

/// A text of the server at which it waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginPrompt {
    /// `login: `.
    Name,
    /// `password: `.
    Password,
    /// `Press return to enter the server as "GuestABCD":`.
    PressReturn,
    /// The prompt after a command, such as `fics% `.
    Command,
}

/// A message during the login, or on the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginLine {
    /// The session has begun under this name.
    Started {
        /// Name of the account.
        name: String,
        /// Titles in parentheses, such as `(C)` or `(U)`; empty without any.
        titles: String,
    },
    /// The password is wrong.
    WrongPassword,
    /// The account of this name does not exist; the server takes the user for a guest.
    NotRegistered(String),
    /// The account of this name exists; the server asks for its password.
    Registered(String),
    /// The server has assigned this name to the guest.
    GuestName(String),
    /// Another session of the same account existed, and the server ends that one.
    OtherSessionEnded,
    /// The account has logged in elsewhere: the server ends this session.
    SecondLogin,
    /// The server accepts no more users, or none without an account.
    ServerFull(String),
    /// The server refuses the user: banned, filtered, or no guests.
    Banned(String),
    /// The name is not allowed: too short, too long or with characters that the server refuses.
    BadName(String),
    /// The server has logged out this account for being idle, or the login took too long.
    IdleTimeout(String),
    /// The server announces that it shuts down or restarts; text of the server.
    ShuttingDown(String),
    /// The server has accepted the logout.
    LoggedOut,
}
