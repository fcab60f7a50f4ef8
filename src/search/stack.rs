//! Search stack: the state of each ply of the current line that other plies read.

use crate::board::CheckInfo;
use crate::types::{Depth, Key, MAX_PLY, Move, Ply, Score};

use super::history::{
    ContinuationRow, CorrectionIndices, HistoryContext, NO_CONTINUATION_ROW, NO_PIECE_TO, PieceTo,
    target_index,
};

/// Plies before the root that [`Stack::before`] may access.
const BEFORE_ROOT: usize = 4;

/// The state of one ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Checkers and pinned pieces of the position.
    pub check_info: CheckInfo,
    /// Indices of the position in the correction history.
    pub correction_indices: CorrectionIndices,
    /// Static evaluation; [`Score::NONE`] in check.
    pub static_eval: Score,
    /// Piece and target square of the move being searched; [`NO_PIECE_TO`] for a null move.
    pub piece_to: PieceTo,
    /// Row of the continuation history for that move.
    pub continuation_row: ContinuationRow,
    /// Number of that move in search order, 1 for the first; 0 for a null move and for moves of quiescence search and
    /// ProbCut.
    pub move_count: u16,
    /// Set if that move is quiet, and the second of a node with a table move or the first of another node. A singular
    /// search counts without the excluded table move: there the second other move is early, as in Stockfish.
    pub is_early_quiet: bool,
    /// Plies by which the search in progress after that move is reduced, -1 if it is extended; 0 outside the first
    /// zero-window search.
    pub reduction: Depth,
    /// Set while a null move is being searched from this ply.
    pub is_null_move: bool,
    /// Set while a null move is being verified: no null move is tried at this ply.
    pub null_move_disabled: bool,
    /// Move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Number of double and triple extensions in the line up to this ply. After a capture of ProbCut it is that of an
    /// earlier line.
    pub double_extensions: u16,
    /// Number of nodes at this ply, children of the same parent, that have failed high.
    pub cutoff_count: u16,
}

impl Frame {
    /// The state of a ply that has not been searched.
    const EMPTY: Frame = Frame {
        check_info: CheckInfo::NONE,
        correction_indices: CorrectionIndices::NONE,
        static_eval: Score::NONE,
        piece_to: NO_PIECE_TO,
        continuation_row: NO_CONTINUATION_ROW,
        move_count: 0,
        is_early_quiet: false,
        reduction: 0,
        is_null_move: false,
        null_move_disabled: false,
        excluded: None,
        double_extensions: 0,
        cutoff_count: 0,
    };
}

/// The states of all plies.
#[derive(Debug)]
pub(super) struct Stack {
    frames: Box<[Frame]>,
}

impl Stack {
    /// Creates a stack of empty frames.
    pub fn new() -> Stack {
        Stack {
            frames: vec![Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 3].into_boxed_slice(),
        }
    }

    /// Empties all frames.
    pub fn clear(&mut self) {
        self.frames.fill(Frame::EMPTY);
    }

    /// Returns the frame of a ply.
    #[inline]
    pub fn at(&self, ply: Ply) -> &Frame {
        &self.frames[ply.index() + BEFORE_ROOT]
    }

    /// Returns the frame of a ply for modification.
    #[inline]
    pub fn at_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[ply.index() + BEFORE_ROOT]
    }

    /// Returns the frame a number of plies before `ply`, at most four.
    #[inline]
    pub fn before(&self, ply: Ply, plies: usize) -> &Frame {
        &self.frames[ply.index() + BEFORE_ROOT - plies]
    }

    /// Returns the two moves that led to `ply`, the last one first.
    #[inline]
    pub fn last_moves(&self, ply: Ply) -> [PieceTo; 2] {
        [self.before(ply, 1).piece_to, self.before(ply, 2).piece_to]
    }

    /// Returns the context of history scores at `ply`.
    #[inline]
    pub fn history_context(&self, ply: Ply, pawn_key: Key) -> HistoryContext {
        HistoryContext::new(self.continuation_rows(ply), pawn_key)
    }

    /// Returns the rows of the continuation history for the moves 1, 2 and 4 plies before `ply`.
    #[inline]
    pub fn continuation_rows(&self, ply: Ply) -> [ContinuationRow; 3] {
        [1, 2, 4].map(|plies| self.before(ply, plies).continuation_row)
    }

    /// Returns `true` if `mv`, made at `ply`, goes to the target square of the move before it.
    ///
    /// After a null move and at the root, the first square of the board counts as that target.
    #[inline]
    pub fn is_recapture(&self, ply: Ply, mv: Move) -> bool {
        target_index(self.before(ply, 1).piece_to) == mv.indices().1
    }

    /// Returns `true` if the static evaluation at `ply` has risen since this side's last turn out of check, at most
    /// four plies before. Without such a turn, the result is `true`; in check, it is `false`.
    #[inline]
    pub fn is_improving(&self, ply: Ply) -> bool {
        let current = self.at(ply).static_eval;
        let earlier = match self.before(ply, 2).static_eval {
            Score::NONE => self.before(ply, 4).static_eval,
            earlier => earlier,
        };
        current != Score::NONE && (earlier == Score::NONE || current > earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn improving_compares_with_the_last_turn_out_of_check() {
        let mut stack = Stack::new();
        stack.at_mut(Ply(4)).static_eval = Score(10);
        assert!(stack.is_improving(Ply(4)), "no earlier evaluation");
        stack.at_mut(Ply(0)).static_eval = Score(50);
        assert!(!stack.is_improving(Ply(4)), "in check two plies before");
        stack.at_mut(Ply(2)).static_eval = Score(5);
        assert!(stack.is_improving(Ply(4)));
        stack.at_mut(Ply(4)).static_eval = Score::NONE;
        assert!(!stack.is_improving(Ply(4)), "in check");
    }
}
