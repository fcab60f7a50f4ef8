//! Who gives check and who is pinned: found once per node, used by generation and legality alike.

use crate::types::{Color, Move, PieceSet};

use super::Board;
use super::geometry::{Index0x88, attack_mask, attacks, step};

/// Checkers and pins against the king of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckInfo {
    /// How many pieces give check: 0, 1 or 2.
    pub(super) count: u8,
    /// Where the last checker found stands; meaningless without one.
    pub(super) checker: Index0x88,
    /// Own pieces that may move only along the line to their king.
    pub(super) pinned: PieceSet,
}

impl CheckInfo {
    /// Nobody gives check, nobody is pinned.
    pub const NONE: CheckInfo = CheckInfo {
        count: 0,
        checker: 0,
        pinned: PieceSet::EMPTY,
    };

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.count != 0
    }
}

impl Board {
    /// Checkers and pins of the side to move.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        // Compiled once for each colour, as move generation is.
        match self.side_to_move {
            Color::White => self.check_info_of(Color::White),
            Color::Black => self.check_info_of(Color::Black),
        }
    }

    /// Whether a quiet move's own piece attacks the enemy king from where it goes; discovered checks are not seen.
    #[inline]
    pub fn gives_direct_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        let king = self.list(!self.side_to_move)[0];
        let hits = attacks(to, king) & self.attack_mask_of(self.entry(from));
        // Along its own line it would have given check before.
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

    /// Walks from the king to a slider that stands on its line: check, pin, or neither.
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
