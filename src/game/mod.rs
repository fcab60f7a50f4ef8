//! The game in progress: its moves, and who plays it.

mod alternative;
mod players;
mod record;

pub use players::Players;
pub use record::Game;
