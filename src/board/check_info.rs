//! Checkers and pins of a position. The search computes them once per node, for move generation and legality tests.

use crate::types::{Color, Move, PieceSet};

use super::Board;
use super::geometry::{Index0x88, attack_mask, attacks, step};

/// Checkers and pinned pieces of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckInfo {
    /// Number of checkers: at most 2 after a move, up to all pieces of the opponent in a position that was set up.
    pub(super) count: u8,
    /// 0x88 index of the last checker found. Meaningless without check.
    pub(super) checker: Index0x88,
    /// Own pieces that may move only along the line through their king.
    pub(super) pinned: PieceSet,
}

impl CheckInfo {
    /// No checkers and no pinned pieces.
    pub const NONE: CheckInfo = CheckInfo {
        count: 0,
        checker: 0,
        pinned: PieceSet::EMPTY,
    };

    /// Returns `true` if the side to move is in check.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert!(!Board::standard().check_info().in_check());
    /// ```
    #[inline]
    pub fn in_check(&self) -> bool {
        self.count != 0
    }
}

impl Board {
    /// Returns the checkers and pinned pieces of the side to move.
    ///
    /// ```
    /// use gaur::board::{Board, CheckInfo};
    ///
    /// assert_eq!(Board::standard().check_info(), CheckInfo::NONE);
    /// ```
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        // Compiled separately for each colour, like move generation.
        match self.side_to_move {
            Color::White => self.check_info_of(Color::White),
            Color::Black => self.check_info_of(Color::Black),
        }
    }

    /// Returns `true` if the moved piece of a quiet move gives check from its target. Discovered checks do not count.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// let board = Board::standard();
    /// assert!(board.legal_moves().iter().all(|&mv| !board.gives_direct_check(mv)));
    /// ```
    #[inline]
    pub fn gives_direct_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        let king = self.list(!self.side_to_move)[0];
        let hits = attacks(to, king) & self.attack_mask_of(self.entry(from));
        // On the line of its move, a slider would have given check before.
        hits != 0 && (hits & attack_mask::SLIDING == 0 || self.is_clear(king, to))
    }

    #[inline(always)]
    fn check_info_of(&self, us: Color) -> CheckInfo {
        let king = self.list(us)[0];
        let mut check_info = CheckInfo::NONE;
        let list = self.list(!us);
        for number in self.pseudo_attackers(king, !us) {
            let from = list[number];
            if attacks(from, king) & self.attack_masks(!us)[number] & attack_mask::SLIDING == 0 {
                check_info.count += 1;
                check_info.checker = from;
            } else {
                self.follow_line(king, from, us, &mut check_info);
            }
        }
        check_info
    }

    /// Follows the line from the king to an enemy slider and records a check, a pin or nothing.
    #[inline(always)]
    fn follow_line(
        &self,
        king: Index0x88,
        slider: Index0x88,
        us: Color,
        check_info: &mut CheckInfo,
    ) {
        let step = step(king, slider);
        let mut index = king.wrapping_add(step);
        while index != slider && self.entry(index).is_empty() {
            index = index.wrapping_add(step);
        }
        if index == slider {
            check_info.count += 1;
            check_info.checker = slider;
            return;
        }
        let blocker = self.entry(index);
        if blocker.is_of(us) && self.is_clear(index, slider) {
            check_info.pinned.insert(blocker.number());
        }
    }
}
