//! Histories: learned scores of moves, and learned errors of the static evaluation.
//!
//! | table | scores | index | origin |
//! |---|---|---|---|
//! | butterfly | quiet moves | colour, from and to square, whether they are attacked | Winglet, Berserk |
//! | continuation | quiet moves | piece and target, and those 1, 2 or 4 plies before (captures apart) | Stockfish |
//! | pawn | quiet moves | pawn structure, piece and target | Caissa, Stockfish |
//! | capture | captures and promotions | piece, target, captured piece | Stockfish |
//! | correction | static evaluation | pawns, minor pieces, other pieces by colour, last two moves | Caissa, Stockfish |
//!
//! Reduced captures that fail high update the continuation history, too.
//!
//! | file | content |
//! |---|---|
//! | `gravity.rs` | the update rule of all tables |
//! | `bonus.rs` | bonus and malus by depth |
//! | `piece_to.rs` | index of a piece and its target square, rows of the continuation history |
//! | `context.rs` | what the history score of a move depends on besides the move |
//! | `searched_moves.rs` | moves searched before a cutoff |
//! | `tables.rs` | tables of move scores |
//! | `correction.rs` | tables of evaluation errors |

mod bonus;
mod context;
mod correction;
mod gravity;
mod piece_to;
mod searched_moves;
mod tables;

pub(super) use bonus::{early_malus, history_bonus};
pub(super) use context::HistoryContext;
pub(super) use correction::{CorrectionHistory, CorrectionIndices};
pub(super) use piece_to::{
    ContinuationRow, NO_CONTINUATION_ROW, NO_PIECE_TO, PieceTo, continuation_row, piece_to,
    target_index,
};
pub(super) use searched_moves::SearchedMoves;
pub(super) use tables::Histories;
