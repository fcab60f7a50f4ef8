//! Basic types of chess and of search: colours, pieces, squares, moves, scores and depths.
//!
//! The types depend on no board, clock or protocol.

mod castling;
mod color;
mod depth;
mod key;
mod leaper_attacks;
mod moves;
mod piece;
mod piece_set;
mod score;
mod square;
mod square_set;
#[cfg(test)]
mod square_set_tests;

pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use depth::{Depth, MAX_DEPTH, MAX_PLY, Ply};
pub use key::Key;
pub use leaper_attacks::{king_attacks, knight_attacks};
pub use moves::{MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, Move, MoveKind, MoveList};
pub use piece::{Piece, PieceKind};
pub use piece_set::PieceSet;
pub use score::Score;
pub use square::{File, Rank, Square};
pub use square_set::SquareSet;
