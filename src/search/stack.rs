//! What each ply of the line being searched remembers for the plies below it.

use crate::board::CheckInfo;
use crate::types::{Key, MAX_PLY, Move, Ply, Score};

use super::history::{Context, NO_PIECE_SQUARE, PieceSquare, Places, target_index};

/// Plies before the root that may be asked about.
const BEFORE_ROOT: usize = 4;

/// One ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Who gives check and who is pinned.
    pub checks: CheckInfo,
    /// Where what corrects the static evaluation is found.
    pub places: Places,
    /// The static evaluation as corrected; [`Score::NONE`] in check.
    pub eval: Score,
    /// Piece and target of the move being searched from here; none for a null move.
    pub played: PieceSquare,
    /// A null move is being searched from here.
    pub passed: bool,
    /// No null move may be tried here: the search verifies one.
    pub no_pass: bool,
    /// A move that is left out, to see whether it alone is good.
    pub excluded: Option<Move>,
    /// Extensions by two plies on the way here.
    pub double_extensions: u16,
    /// Children of the node before this ply that have cut so far.
    pub child_cuts: u16,
}

impl Frame {
    const EMPTY: Frame = Frame {
        checks: CheckInfo::NONE,
        places: Places::NONE,
        eval: Score::NONE,
        played: NO_PIECE_SQUARE,
        passed: false,
        no_pass: false,
        excluded: None,
        double_extensions: 0,
        child_cuts: 0,
    };
}

/// All plies.
#[derive(Debug)]
pub(super) struct Stack {
    frames: Box<[Frame]>,
}

impl Stack {
    pub fn new() -> Stack {
        Stack {
            frames: vec![Frame::EMPTY; MAX_PLY + BEFORE_ROOT + 3].into_boxed_slice(),
        }
    }

    /// Nothing is known of any ply.
    pub fn clear(&mut self) {
        self.frames.fill(Frame::EMPTY);
    }

    #[inline]
    pub fn at(&self, ply: Ply) -> &Frame {
        &self.frames[ply.index() + BEFORE_ROOT]
    }

    #[inline]
    pub fn at_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[ply.index() + BEFORE_ROOT]
    }

    /// So many plies before `ply`, at most four.
    #[inline]
    pub fn before(&self, ply: Ply, plies: usize) -> &Frame {
        &self.frames[ply.index() + BEFORE_ROOT - plies]
    }

    /// The moves that led to `ply`, the last first.
    #[inline]
    pub fn last_moves(&self, ply: Ply) -> [PieceSquare; 2] {
        [self.before(ply, 1).played, self.before(ply, 2).played]
    }

    /// What histories look at, at `ply`.
    #[inline]
    pub fn context(&self, ply: Ply, pawns: Key) -> Context {
        Context::new(self.moves_before(ply), pawns)
    }

    /// The moves 1, 2 and 4 half-moves before those of `ply`.
    #[inline]
    pub fn moves_before(&self, ply: Ply) -> [PieceSquare; 3] {
        [1, 2, 4].map(|plies| self.before(ply, plies).played)
    }

    /// Returns `true` if `mv`, played at `ply`, goes to the target square of the move before it.
    #[inline]
    pub fn is_recapture(&self, ply: Ply, mv: Move) -> bool {
        target_index(self.before(ply, 1).played) == mv.indices().1
    }

    /// Whether the side to move at `ply` stands better than at its last turns.
    #[inline]
    pub fn is_improving(&self, ply: Ply) -> bool {
        let eval = self.at(ply).eval;
        let earlier = match self.before(ply, 2).eval {
            Score::NONE => self.before(ply, 4).eval,
            earlier => earlier,
        };
        eval != Score::NONE && (earlier == Score::NONE || eval > earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn improving_is_judged_against_the_last_turn_out_of_check() {
        let mut stack = Stack::new();
        stack.at_mut(Ply(4)).eval = Score(10);
        assert!(stack.is_improving(Ply(4)), "nothing to compare with");
        stack.at_mut(Ply(0)).eval = Score(50);
        assert!(!stack.is_improving(Ply(4)), "in check two plies before");
        stack.at_mut(Ply(2)).eval = Score(5);
        assert!(stack.is_improving(Ply(4)));
        stack.at_mut(Ply(4)).eval = Score::NONE;
        assert!(!stack.is_improving(Ply(4)), "in check");
    }
}
