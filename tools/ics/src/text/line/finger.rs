//! The answer to `finger`.

/// A line of the answer to `finger`, which describes a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finger {
    /// First line, with the name of the user.
    Of(String),
    /// The named user is a guest, according to the title in the first line or to a line of its own.
    NotRegistered(String),
}
