//! Node types and the state of a node.

use crate::types::{Depth, Move, Ply, Score};

use super::table::TableEntry;

/// The type of a node, known at compile time.
pub(super) trait NodeType {
    /// Set for PV nodes, which are searched with a full window.
    const PV: bool;
    /// Set for the root.
    const ROOT: bool;
}

/// The root: the position at which the search starts.
pub(super) struct Root;
/// A node expected to have an exact score.
pub(super) struct Pv;
/// A node searched with a zero window: a cut node or an all node.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The state of a node, shared by the techniques that prune, extend and reduce. In the move loop only
/// `quiet_singular` changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeState {
    /// Best score that the side to move is sure of before the move loop: alpha after steps 3 to 5a of the
    /// search.
    pub alpha: Score,
    /// Score at which the opponent avoids this node.
    pub beta: Score,
    /// Remaining depth; from step 6a on with hindsight, from step 8 on with internal iterative reduction, but without
    /// the smaller depth of step 16.
    pub depth: Depth,
    /// Distance from the root.
    pub ply: Ply,
    /// Set for PV nodes, as [`NodeType::PV`].
    pub pv_node: bool,
    /// Set if the parent expects this node to fail high.
    pub cut_node: bool,
    /// Score of the evaluation function; [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// `raw_eval`, adjusted by the half-move clock and correction history; [`Score::NONE`] in check.
    pub static_eval: Score,
    /// Size of the correction by correction history in `static_eval`, in centipawns; 0 in check.
    pub correction: i32,
    /// `static_eval`, or the table score where its bound is tighter.
    pub estimate: Score,
    /// Set if `static_eval` has risen since this side's last turn out of check.
    pub improving: bool,
    /// Transposition table entry of the position.
    pub table_entry: Option<TableEntry>,
    /// Move of `table_entry`, unless the parameter `table_move` is off.
    pub table_move: Option<Move>,
    /// Set once the table move, a quiet one, has been found to be singular.
    pub quiet_singular: bool,
    /// Set if the position is or was on a principal variation.
    pub on_pv: bool,
}
