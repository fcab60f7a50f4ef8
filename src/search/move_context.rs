//! State of a move in the move loop.

use crate::types::{Depth, Move};

use super::statistics::MoveClass;

/// A move in the move loop of a node, with all that the techniques which prune, extend and reduce it need.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveContext {
    /// The move.
    pub mv: Move,
    /// Class by which it was ordered.
    pub class: MoveClass,
    /// History score; 0 for the table move or that of the principal variation.
    pub history_score: i32,
    /// Set for a quiet move that gives direct check, unless it has no history score.
    pub gives_direct_check: bool,
    /// Number of the move in search order, 1 for the first.
    pub move_count: usize,
    /// Reduction by depth and move count, in 1/1024 ply.
    pub base_reduction: i32,
    /// Depth by which the move is pruned (`techniques/reduced_depth.rs`), at least 0.
    pub reduced_depth: Depth,
    /// Depth of the full search after the move: with extensions, negative ones included, and in step 15 with the
    /// shortened search of a first move.
    pub new_depth: Depth,
    /// Plies by which the first search after the move is shallower than `new_depth`; -1 extends it by one ply.
    pub reduction: Depth,
}
