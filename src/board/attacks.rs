//! Attack queries: checks, attacked squares, and attacks of a piece.

use crate::types::{Color, Piece, PieceKind, Square};

use super::Board;
use super::geometry::{
    DIAGONAL_STEPS, EAST, Index0x88, KING_STEPS, KNIGHT_STEPS, STRAIGHT_STEPS, WEST, attack_mask,
    attacks, forward, is_off_board, step,
};
use super::mailbox::piece_code;

impl Board {
    /// Returns `true` if the side to move is in check.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert!(!Board::standard().in_check());
    /// ```
    #[inline]
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move;
        self.is_index_attacked(self.king(us).index_0x88(), !us)
    }

    /// Returns `true` if a piece of `by` attacks the square.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Square};
    ///
    /// let f3 = Square::from_name("f3").unwrap();
    /// assert!(Board::standard().is_attacked(f3, Color::White));
    /// assert!(!Board::standard().is_attacked(f3, Color::Black));
    /// ```
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.is_index_attacked(square.index_0x88(), by)
    }

    /// Calls `visit` for each square that the piece on `square` attacks, with the piece there.
    ///
    /// A ray ends with the first piece of either colour. Pawns attack their two capture squares.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Square;
    ///
    /// let mut targets = 0;
    /// Board::standard().for_each_attack(Square::from_name("g1").unwrap(), |_, _| targets += 1);
    /// assert_eq!(targets, 3);
    /// ```
    #[inline]
    pub fn for_each_attack(&self, square: Square, mut visit: impl FnMut(Square, Option<Piece>)) {
        let from = square.index_0x88();
        let entry = self.entry(from);
        if entry.is_empty() {
            return;
        }
        let mut visit_code = |to: Index0x88| {
            let target = self.entry(to);
            visit(Square::from_index_0x88(to), target.piece());
            target.is_empty()
        };
        let slides: &[Index0x88] = match entry.kind() {
            PieceKind::Bishop => &DIAGONAL_STEPS,
            PieceKind::Rook => &STRAIGHT_STEPS,
            PieceKind::Queen => &KING_STEPS,
            PieceKind::Knight | PieceKind::King | PieceKind::Pawn => &[],
        };
        for &step in slides {
            let mut to = from.wrapping_add(step);
            while !is_off_board(to) && visit_code(to) {
                to = to.wrapping_add(step);
            }
        }
        let ahead = forward(entry.color());
        let pawn_steps = [ahead.wrapping_add(EAST), ahead.wrapping_add(WEST)];
        let leaps: &[Index0x88] = match entry.kind() {
            PieceKind::Knight => &KNIGHT_STEPS,
            PieceKind::King => &KING_STEPS,
            PieceKind::Pawn => &pawn_steps,
            PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen => &[],
        };
        for &step in leaps {
            let to = from.wrapping_add(step);
            if !is_off_board(to) {
                visit_code(to);
            }
        }
    }

    /// Returns `true` if all squares strictly between two indices on one line are empty.
    #[inline(always)]
    pub(super) fn is_clear(&self, from: Index0x88, to: Index0x88) -> bool {
        let step = step(from, to);
        let mut index = from.wrapping_add(step);
        while index != to {
            if !self.entry(index).is_empty() {
                return false;
            }
            index = index.wrapping_add(step);
        }
        true
    }

    /// Returns `true` if a pawn of `by` attacks the square.
    #[inline(always)]
    pub(super) fn is_attacked_by_pawn(&self, target: Index0x88, by: Color) -> bool {
        let behind = target.wrapping_sub(forward(by));
        let pawn = piece_code(by, PieceKind::Pawn);
        let is_pawn = |index: Index0x88| self.entry(index).piece_code() == pawn;
        is_pawn(behind.wrapping_add(EAST)) || is_pawn(behind.wrapping_add(WEST))
    }

    /// Returns `true` if a piece of `by` attacks the square with this index.
    #[inline(always)]
    pub(super) fn is_index_attacked(&self, target: Index0x88, by: Color) -> bool {
        for number in self.pseudo_attackers(target, by) {
            let from = self.list(by)[number];
            if attacks(from, target) & attack_mask::SLIDING == 0 || self.is_clear(target, from) {
                return true;
            }
        }
        false
    }
}
