//! Legality test for moves that were not generated in the current position: table moves, killers and stored lines.

use crate::types::{CastlingSide, Move, MoveKind, PieceKind};

use super::generate::is_end_rank;
use super::geometry::{EAST, Index0x88, WEST, attack_mask, attacks, forward, step};
use super::{Board, CheckInfo, piece_code};

impl Board {
    /// Returns `true` if a move of any bits is legal in this position.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let board = Board::standard();
    /// assert!(board.is_legal(Move::new(square("g1"), square("f3"), MoveKind::Quiet)));
    /// assert!(!board.is_legal(Move::new(square("g1"), square("e2"), MoveKind::Capture)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(&self.check_info(), mv)
    }

    /// Returns `true` if a move of any bits is legal. `check_info` must be [`Board::check_info`] of this position.
    #[inline]
    pub fn is_legal_with(&self, check_info: &CheckInfo, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        let entry = self.entry(from);
        if from == to || !entry.is_of(us) || !mv.is_canonical() {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => return self.is_castle_legal(check_info, from, to),
            MoveKind::EnPassant => {
                return self.state.en_passant == Some(mv.to())
                    && attacks(from, to) & self.attack_mask_of(entry) != 0
                    && self.is_en_passant_legal(from, to);
            }
            _ => {}
        }
        let target = self.entry(to);
        if mv.is_capture() == target.is_empty() || target.is_of(us) {
            return false;
        }
        match entry.kind() {
            PieceKind::Pawn => {
                self.is_pawn_move(mv, from, to) && self.keeps_king_safe(check_info, from, to)
            }
            PieceKind::King => {
                !mv.is_promotion()
                    && mv.kind() != MoveKind::DoublePush
                    && attacks(from, to) & attack_mask::KING != 0
                    && (check_info.count == 0
                        || !self.is_on_checker_ray(from, to.wrapping_sub(from)))
                    && !self.is_index_attacked(to, !us)
            }
            _ => {
                let hits = attacks(from, to) & self.attack_mask_of(entry);
                hits != 0
                    && !mv.is_promotion()
                    && mv.kind() != MoveKind::DoublePush
                    && (hits & attack_mask::SLIDING == 0 || self.is_clear(from, to))
                    && self.keeps_king_safe(check_info, from, to)
            }
        }
    }

    fn is_castle_legal(&self, check_info: &CheckInfo, from: Index0x88, to: Index0x88) -> bool {
        let us = self.side_to_move;
        check_info.count == 0
            && from == self.list(us)[0]
            && CastlingSide::ALL.into_iter().any(|side| {
                self.castling_rook(us, side).index_0x88() == to
                    && self.can_castle(us, side, check_info.pinned, 0)
            })
    }

    /// Returns `true` if a pawn can move like this; not for en passant. The caller has compared the capture with the
    /// target.
    fn is_pawn_move(&self, mv: Move, from: Index0x88, to: Index0x88) -> bool {
        let ahead = from.wrapping_add(forward(self.side_to_move));
        if mv.is_promotion() != is_end_rank(to) {
            return false;
        }
        if mv.is_capture() {
            return attacks(from, to) & self.attack_mask_of(self.entry(from)) != 0;
        }
        if mv.kind() == MoveKind::DoublePush {
            let relative_rank = mv.from().rank().relative_to(self.side_to_move).index();
            relative_rank == 1
                && self.entry(ahead).is_empty()
                && to == ahead.wrapping_add(forward(self.side_to_move))
        } else {
            to == ahead
        }
    }

    /// Returns `true` if the king is safe after the move of another piece: the move ends a check and leaves no pin.
    #[inline(always)]
    fn keeps_king_safe(&self, check_info: &CheckInfo, from: Index0x88, to: Index0x88) -> bool {
        let king = self.list(self.side_to_move)[0];
        if check_info.pinned.contains(self.entry(from).number()) {
            // Along the line of the pin in either direction, and not in check.
            return check_info.count == 0 && step(king, from) == step(king, to);
        }
        match check_info.count {
            0 => true,
            1 => {
                to == check_info.checker
                    || (step(king, to) != 0
                        && step(king, to) == step(king, check_info.checker)
                        && step(to, check_info.checker) == step(king, to))
            }
            _ => false,
        }
    }

    /// Returns `true` if a pawn of the side to move on `from` can legally capture en passant on `to`. Both indices may
    /// be off the board.
    pub(super) fn is_en_passant_legal(&self, from: Index0x88, to: Index0x88) -> bool {
        let us = self.side_to_move;
        let pawn = piece_code(us, PieceKind::Pawn);
        if self.entry(from).piece_code() != pawn {
            return false;
        }
        let captured = to.wrapping_sub(forward(us));
        let king = self.list(us)[0];
        let (list, masks) = (self.list(!us), self.attack_masks(!us));
        // The board after the capture: `from` and `captured` are empty, `to` is occupied.
        let blocks = |index: Index0x88| {
            index == to || (index != from && index != captured && !self.entry(index).is_empty())
        };
        let attacks_king = |number: usize| {
            let slider = list[number];
            let hits = attacks(slider, king) & masks[number];
            if hits & attack_mask::SLIDING == 0 {
                hits != 0
            } else {
                !indices_between(king, slider).any(blocks)
            }
        };
        let pawn_checks = || {
            let behind = king.wrapping_sub(forward(!us));
            let enemy = piece_code(!us, PieceKind::Pawn);
            [EAST, WEST]
                .map(|side| behind.wrapping_add(side))
                .into_iter()
                .any(|index| index != captured && self.entry(index).piece_code() == enemy)
        };
        !self.non_pawns(!us).into_iter().any(attacks_king) && !pawn_checks()
    }
}

/// Iterates over the indices strictly between two indices on one line; none if they are on no common line.
pub(super) fn indices_between(from: Index0x88, to: Index0x88) -> impl Iterator<Item = Index0x88> {
    let step = step(from, to);
    let first = if step == 0 {
        to
    } else {
        from.wrapping_add(step)
    };
    std::iter::successors(Some(first), move |index| Some(index.wrapping_add(step)))
        .take_while(move |&index| index != to)
}
