//! Where a king may go: the squares around it that nobody attacks, and castling.

use crate::types::{CastlingSide, Color, PieceKind, PieceSet};

use super::Board;
use super::geometry::{EAST, Index0x88, KING_TARGETS, WEST, ZONE, attack_mask, attacks, step};

impl Board {
    /// Which of the `wanted` steps of the king of `us` lead to squares that are not attacked; sets of steps have one
    /// bit for each of [`KING_STEPS`]. `IN_CHECK` must tell whether the king is in check.
    ///
    /// Each enemy piece is asked once which of the king's neighbours it covers on an empty board ([`ZONE`]), and only
    /// for these sliders' lines are walked.
    #[inline(always)]
    pub(super) fn safe_king_steps<const IN_CHECK: bool>(&self, us: Color, wanted: u8) -> u8 {
        let king = self.list(us)[0];
        let targets = &KING_TARGETS[(king & 127) as usize];
        let enemies = self.list(!us);
        let place = |number: usize| king.wrapping_sub(enemies[number]) as usize;
        let mut safe = wanted & !ZONE.king[place(0)];
        for number in self.set(!us, PieceKind::Knight) {
            safe &= !ZONE.knight[place(number)];
        }
        for bit in bits(safe) {
            if self.is_attacked_by_pawn(targets[bit], !us) {
                safe &= !(1 << bit);
            }
        }
        let queens = self.set(!us, PieceKind::Queen);
        for (kind, zone) in [
            (PieceKind::Bishop, &ZONE.diagonal),
            (PieceKind::Rook, &ZONE.straight),
        ] {
            for number in self.set(!us, kind) | queens {
                for bit in bits(safe & zone[place(number)]) {
                    if self.is_clear_for_king::<IN_CHECK>(enemies[number], targets[bit], king) {
                        safe &= !(1 << bit);
                    }
                }
            }
        }
        safe
    }

    /// As [`Board::is_clear`], but a king in check does not hide the squares behind it from the checker.
    #[inline(always)]
    fn is_clear_for_king<const IN_CHECK: bool>(
        &self,
        from: Index0x88,
        to: Index0x88,
        king: Index0x88,
    ) -> bool {
        let step = step(from, to);
        let mut index = from.wrapping_add(step);
        while index != to {
            if !(self.entry(index).is_empty() || IN_CHECK && index == king) {
                return false;
            }
            index = index.wrapping_add(step);
        }
        true
    }

    /// Whether the king, stepping by `step`, would stay on the line of a slider that gives check from behind him.
    #[inline(always)]
    pub(super) fn is_on_checker_ray(&self, king: Index0x88, step: Index0x88) -> bool {
        let them = !self.side_to_move;
        let back = step.wrapping_neg();
        let mut index = king.wrapping_add(back);
        while self.entry(index).is_empty() {
            index = index.wrapping_add(back);
        }
        let entry = self.entry(index);
        entry.is_of(them) && self.attack_mask_of(entry) & line_of(step) != 0
    }

    /// Whether castling to `side` is legal for the side to move, which must not be in check. `safe` holds steps of the
    /// king that are known to be safe, as [`Board::safe_king_steps`] gives them; it may be empty.
    #[inline(always)]
    pub(super) fn can_castle(
        &self,
        us: Color,
        side: CastlingSide,
        pinned: PieceSet,
        safe: u8,
    ) -> bool {
        self.state.rights.has(us, side) && self.castling_is_free(us, side, pinned, safe)
    }

    #[inline(always)]
    fn castling_is_free(&self, us: Color, side: CastlingSide, pinned: PieceSet, safe: u8) -> bool {
        let king = self.list(us)[0];
        let rook = self.castling_rook(us, side).index_0x88();
        let (king_to, rook_to) = castling_targets(us, side);
        // The ways of king and rook overlap, so that together they are all codes from the lowest to the highest.
        let first = king.min(rook).min(king_to).min(rook_to);
        let last = king.max(rook).max(king_to).max(rook_to);
        for index in first..=last {
            if !self.entry(index).is_empty() && index != king && index != rook {
                return false;
            }
        }
        // The rook shields the king from an enemy rook on the home rank (Fischer Random only).
        if pinned.contains(self.entry(rook).number()) {
            return false;
        }
        let (step, step_bit) = if king_to > king { (EAST, 5) } else { (WEST, 7) };
        let mut index = king;
        while index != king_to {
            index = index.wrapping_add(step);
            let is_known = index == king.wrapping_add(step) && safe >> step_bit & 1 != 0;
            if !is_known && self.is_index_attacked(index, !us) {
                return false;
            }
        }
        true
    }
}

/// Returns the 0x88 indices of king and rook after castling.
#[inline]
pub(super) fn castling_targets(color: Color, side: CastlingSide) -> (Index0x88, Index0x88) {
    (
        side.king_target(color).index_0x88(),
        side.rook_target(color).index_0x88(),
    )
}

/// The numbers of the bits that are set, from the lowest.
#[inline(always)]
pub(super) fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < 8).then_some(lowest & 7)
    })
}

/// The reach bit of a slider that moves by `step`.
#[inline(always)]
pub(super) fn line_of(step: Index0x88) -> u8 {
    attacks(0, step) & attack_mask::SLIDING
}

#[cfg(test)]
mod tests {
    use super::super::geometry::KING_STEPS;
    use super::*;

    #[test]
    fn step_bits_are_those_of_the_step_list() {
        assert_eq!((KING_STEPS[5], KING_STEPS[7]), (EAST, WEST));
    }
}
