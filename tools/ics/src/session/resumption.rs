//! A game that the server resumes: its moves arrive after its board.

use std::time::Instant;

use crate::text::{Board, ListedMove};

/// Moves and board of a resumed game, as they arrive.
#[derive(Debug, Default)]
pub(super) struct Resumption {
    pub(super) board: Option<Board>,
    pub(super) moves: Vec<ListedMove>,
    /// The list has begun. Text of other users could imitate its lines elsewhere.
    pub(super) has_begun: bool,
    pub(super) requested: Option<Instant>,
}
