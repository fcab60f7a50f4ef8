//! Who gives check and who is pinned: found once per node, used by generation and legality alike.

use crate::types::{Color, Move, PieceSet};

use super::Board;
use super::geometry::{Code, attacks, reach, step};

/// Checkers and pins against the king of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// How many pieces give check: 0, 1 or 2.
    pub(super) count: u8,
    /// Where the last checker found stands; meaningless without one.
    pub(super) checker: Code,
    /// Own pieces that may move only along the line to their king.
    pub(super) pinned: PieceSet,
}

impl Checks {
    /// Nobody gives check, nobody is pinned.
    pub const NONE: Checks = Checks {
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
    pub fn checks(&self) -> Checks {
        // Compiled once for each colour, as move generation is.
        match self.side_to_move {
            Color::White => self.checks_of(Color::White),
            Color::Black => self.checks_of(Color::Black),
        }
    }

    /// Whether a quiet move's own piece attacks the enemy king from where it goes; discovered checks are not seen.
    #[inline]
    pub fn checks_directly(&self, mv: Move) -> bool {
        let (from, to) = (mv.from().code(), mv.to().code());
        let king = self.list(!self.side_to_move)[0];
        let hits = attacks(to, king) & self.reach_of(self.cell(from));
        // Along its own line it would have given check before.
        hits != 0 && (hits & reach::SLIDING == 0 || self.is_clear(king, to))
    }

    #[inline(always)]
    fn checks_of(&self, us: Color) -> Checks {
        let king = self.list(us)[0];
        let mut checks = Checks::NONE;
        let list = self.list(!us);
        for number in self.candidates(king, !us) {
            let from = list[number];
            if attacks(from, king) & self.reaches(!us)[number] & reach::SLIDING == 0 {
                checks.count += 1;
                checks.checker = from;
            } else {
                self.follow_line(king, from, us, &mut checks);
            }
        }
        checks
    }

    /// Walks from the king to a slider that stands on its line: check, pin, or neither.
    #[inline(always)]
    fn follow_line(&self, king: Code, slider: Code, us: Color, checks: &mut Checks) {
        let step = step(king, slider);
        let mut code = king.wrapping_add(step);
        while code != slider && self.cell(code).is_empty() {
            code = code.wrapping_add(step);
        }
        if code == slider {
            checks.count += 1;
            checks.checker = slider;
            return;
        }
        let blocker = self.cell(code);
        if blocker.is_of(us) && self.is_clear(code, slider) {
            checks.pinned.insert(blocker.number());
        }
    }
}
