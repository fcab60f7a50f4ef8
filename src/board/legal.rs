//! Is this move, wherever it comes from, legal here?
//!
//! For moves that were not generated in this position: from the transposition table, killers, or a damaged line.

use crate::types::{CastlingSide, Move, MoveKind, PieceKind};

use super::generate::is_end_rank;
use super::geometry::{Code, EAST, WEST, attacks, forward, reach, step};
use super::{Board, Checks, piece_code};

impl Board {
    /// Whether a move is legal here, whatever its sixteen bits say.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(&self.checks(), mv)
    }

    /// As [`Board::is_legal`], with [`Board::checks`] of this position at hand.
    #[inline]
    pub fn is_legal_with(&self, checks: &Checks, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from().code(), mv.to().code());
        let cell = self.cell(from);
        if from == to || !cell.is_of(us) || !mv.is_canonical() {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => return self.is_castle_legal(checks, from, to),
            MoveKind::EnPassant => {
                return self.state.en_passant == Some(mv.to())
                    && attacks(from, to) & self.reach_of(cell) != 0
                    && self.is_en_passant_legal(from, to);
            }
            _ => {}
        }
        let target = self.cell(to);
        if mv.is_capture() == target.is_empty() || target.is_of(us) {
            return false;
        }
        match cell.kind() {
            PieceKind::Pawn => {
                self.is_pawn_move(mv, from, to) && self.keeps_king_safe(checks, from, to)
            }
            PieceKind::King => {
                !mv.is_promotion()
                    && mv.kind() != MoveKind::DoublePush
                    && attacks(from, to) & reach::KING != 0
                    && (checks.count == 0 || !self.is_in_shadow(from, to.wrapping_sub(from)))
                    && !self.is_code_attacked(to, !us)
            }
            _ => {
                let hits = attacks(from, to) & self.reach_of(cell);
                hits != 0
                    && !mv.is_promotion()
                    && mv.kind() != MoveKind::DoublePush
                    && (hits & reach::SLIDING == 0 || self.is_clear(from, to))
                    && self.keeps_king_safe(checks, from, to)
            }
        }
    }

    fn is_castle_legal(&self, checks: &Checks, from: Code, to: Code) -> bool {
        let us = self.side_to_move;
        checks.count == 0
            && from == self.list(us)[0]
            && CastlingSide::ALL.into_iter().any(|side| {
                self.castling_rook(us, side).code() == to
                    && self.can_castle(us, side, checks.pinned, 0)
            })
    }

    /// Whether a pawn move other than en passant has the right shape; the target's occupancy fits already.
    fn is_pawn_move(&self, mv: Move, from: Code, to: Code) -> bool {
        let ahead = from.wrapping_add(forward(self.side_to_move));
        if mv.is_promotion() != is_end_rank(to) {
            return false;
        }
        if mv.is_capture() {
            return attacks(from, to) & self.reach_of(self.cell(from)) != 0;
        }
        if mv.kind() == MoveKind::DoublePush {
            let relative_rank = mv.from().rank().relative_to(self.side_to_move).index();
            relative_rank == 1
                && self.cell(ahead).is_empty()
                && to == ahead.wrapping_add(forward(self.side_to_move))
        } else {
            to == ahead
        }
    }

    /// Whether moving a piece other than the king answers a check and leaves no pin.
    #[inline(always)]
    fn keeps_king_safe(&self, checks: &Checks, from: Code, to: Code) -> bool {
        let king = self.list(self.side_to_move)[0];
        if checks.pinned.contains(self.cell(from).number()) {
            // Along its line, either way, and only when no check has to be answered.
            return checks.count == 0 && step(king, from) == step(king, to);
        }
        match checks.count {
            0 => true,
            1 => {
                to == checks.checker
                    || (step(king, to) != 0
                        && step(king, to) == step(king, checks.checker)
                        && step(to, checks.checker) == step(king, to))
            }
            _ => false,
        }
    }

    /// Whether a pawn of the side to move on `from` may take en passant on `to`; any codes, on the board or not.
    pub(super) fn is_en_passant_legal(&self, from: Code, to: Code) -> bool {
        let us = self.side_to_move;
        let pawn = piece_code(us, PieceKind::Pawn);
        if self.cell(from).piece_code() != pawn {
            return false;
        }
        let captured = to.wrapping_sub(forward(us));
        let king = self.list(us)[0];
        let (list, reaches) = (self.list(!us), self.reaches(!us));
        // Walks see the board as it will be: `from` and `captured` empty, `to` full.
        let blocks = |code: Code| {
            code == to || (code != from && code != captured && !self.cell(code).is_empty())
        };
        let attacks_king = |number: usize| {
            let slider = list[number];
            let hits = attacks(slider, king) & reaches[number];
            if hits & reach::SLIDING == 0 {
                hits != 0
            } else {
                !span(king, slider).any(blocks)
            }
        };
        let pawn_checks = || {
            let behind = king.wrapping_sub(forward(!us));
            let enemy = piece_code(!us, PieceKind::Pawn);
            [EAST, WEST]
                .map(|side| behind.wrapping_add(side))
                .into_iter()
                .any(|code| code != captured && self.cell(code).piece_code() == enemy)
        };
        !self.non_pawns(!us).into_iter().any(attacks_king) && !pawn_checks()
    }
}

/// The codes strictly between two codes on one line; none where there is no line.
pub(super) fn span(from: Code, to: Code) -> impl Iterator<Item = Code> {
    let step = step(from, to);
    let first = if step == 0 {
        to
    } else {
        from.wrapping_add(step)
    };
    std::iter::successors(Some(first), move |code| Some(code.wrapping_add(step)))
        .take_while(move |&code| code != to)
}
