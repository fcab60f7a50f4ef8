//! Size of the memory pages of the transposition table.

/// Pages in which memory is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Large pages if the system provides them, as in a game.
    Automatic,
    /// Large pages, or no memory if the system does not provide them.
    Large,
    /// Pages of the usual size.
    Ordinary,
}
