//! Legal moves of the king: steps to squares that are not attacked, and castling.

use crate::types::{CastlingSide, Color, PieceKind, PieceSet};

use super::Board;
use super::geometry::{
    EAST, Index0x88, KING_TARGETS, KING_ZONE_ATTACKS, WEST, attack_mask, attacks, step,
};

impl Board {
    /// Returns the steps of `wanted` that lead the king of `us` to squares that are not attacked.
    ///
    /// Sets of steps have one bit for each of [`KING_STEPS`](super::geometry::KING_STEPS). `IN_CHECK` must be `true` if
    /// the king is in check. One lookup per enemy piece finds the squares next to the king that it attacks on an empty
    /// board ([`KING_ZONE_ATTACKS`]). Lines of sliders are followed only to these.
    #[inline(always)]
    pub(super) fn safe_king_steps<const IN_CHECK: bool>(&self, us: Color, wanted: u8) -> u8 {
        let king = self.list(us)[0];
        let targets = &KING_TARGETS[(king & 127) as usize];
        let enemies = self.list(!us);
        let difference = |number: usize| king.wrapping_sub(enemies[number]) as usize;
        let mut safe = wanted & !KING_ZONE_ATTACKS.king[difference(0)];
        for number in self.set(!us, PieceKind::Knight) {
            safe &= !KING_ZONE_ATTACKS.knight[difference(number)];
        }
        for bit in bits(safe) {
            if self.is_attacked_by_pawn(targets[bit], !us) {
                safe &= !(1 << bit);
            }
        }
        let queens = self.set(!us, PieceKind::Queen);
        for (kind, zone) in [
            (PieceKind::Bishop, &KING_ZONE_ATTACKS.diagonal),
            (PieceKind::Rook, &KING_ZONE_ATTACKS.straight),
        ] {
            for number in self.set(!us, kind) | queens {
                for bit in bits(safe & zone[difference(number)]) {
                    if self.is_clear_for_king::<IN_CHECK>(enemies[number], targets[bit], king) {
                        safe &= !(1 << bit);
                    }
                }
            }
        }
        safe
    }

    /// Returns `true` if all squares between `from` and `to` are empty. A king in check counts as empty, because it
    /// does not protect the squares behind it.
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

    /// Returns `true` if the king would stay on the ray of a checker behind it when it moves by `step`.
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

    /// Returns `true` if castling to `side` is legal for `us`, which is to move and not in check.
    ///
    /// `safe` contains steps of the king whose targets are not attacked, as in [`Board::safe_king_steps`]. It may be
    /// incomplete.
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
        // The paths of king and rook overlap: together they are all indices from the lowest to the highest.
        let first = king.min(rook).min(king_to).min(rook_to);
        let last = king.max(rook).max(king_to).max(rook_to);
        for index in first..=last {
            if !self.entry(index).is_empty() && index != king && index != rook {
                return false;
            }
        }
        // The rook protects the king from an enemy rook on the home rank (Fischer Random only).
        if pinned.contains(self.entry(rook).number()) {
            return false;
        }
        let (step, step_bit) = if king_to > king { (EAST, 5) } else { (WEST, 7) };
        let mut index = king;
        while index != king_to {
            index = index.wrapping_add(step);
            let is_safe = index == king.wrapping_add(step) && safe >> step_bit & 1 != 0;
            if !is_safe && self.is_index_attacked(index, !us) {
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

/// Iterates over the numbers of the set bits, from the lowest.
#[inline(always)]
pub(super) fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < 8).then_some(lowest & 7)
    })
}

/// Returns the attack-type mask of the sliders that move by `step`.
#[inline(always)]
pub(super) fn line_of(step: Index0x88) -> u8 {
    attacks(0, step) & attack_mask::SLIDING
}

#[cfg(test)]
mod tests {
    use super::super::geometry::KING_STEPS;
    use super::*;

    #[test]
    fn castling_uses_the_bits_of_the_steps_along_the_rank() {
        assert_eq!((KING_STEPS[5], KING_STEPS[7]), (EAST, WEST));
    }
}
