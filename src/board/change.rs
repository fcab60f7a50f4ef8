//! What a move changes, and how it is taken back.

use crate::types::{CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceKind, Square};

use super::cell::piece_code;
use super::generate::castling_targets;
use super::geometry::{Code, EAST, WEST, forward, off_board};
use super::zobrist::Keys;
use super::{Board, Cell, reach_of};

/// What [`Board::unmake`] needs and the move itself does not tell.
#[must_use = "without it the move cannot be taken back"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    keys: Keys,
    captured: Cell,
    rights: CastlingRights,
    en_passant: Option<Square>,
    halfmove_clock: u16,
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#04x}", self.0)
    }
}

impl Undo {
    /// What the move captured.
    pub fn captured(&self) -> Option<Piece> {
        self.captured.piece()
    }
}

impl Board {
    /// Makes a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let (us, from, to) = (self.side_to_move, mv.from().code(), mv.to().code());
        let mut undo = Undo {
            keys: self.keys,
            captured: Cell::EMPTY,
            rights: self.rights,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
        };
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(square) = self.en_passant.take() {
            self.keys.state ^= self.zobrist.en_passant(square.code());
        }
        let kind = mv.kind();
        if kind == MoveKind::Castle {
            self.castle(us, from, to);
        } else {
            if mv.is_capture() {
                let captured_on = if kind == MoveKind::EnPassant {
                    to.wrapping_sub(forward(us))
                } else {
                    to
                };
                undo.captured = self.take_piece(captured_on);
                self.halfmove_clock = 0;
            }
            let moved = self.move_piece(from, to);
            if moved.kind() == PieceKind::Pawn {
                self.halfmove_clock = 0;
                if let Some(promotion) = mv.promotion() {
                    self.change_kind(to, promotion);
                }
            }
        }
        if !self.rights.is_empty() {
            let kept = self.rights_kept[(from & 127) as usize]
                .intersect(self.rights_kept[(to & 127) as usize]);
            self.change_rights(self.rights.intersect(kept));
        }
        self.side_to_move = !us;
        self.keys.state ^= self.zobrist.black();
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        if kind == MoveKind::DoublePush {
            self.open_en_passant(to.wrapping_sub(forward(us)));
        }
        undo
    }

    /// Takes back the last move made, with the [`Undo`] that making it gave.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        let us = !self.side_to_move;
        let (from, to) = (mv.from().code(), mv.to().code());
        self.side_to_move = us;
        self.fullmove_number -= us as u16;
        self.rights = undo.rights;
        self.en_passant = undo.en_passant;
        self.halfmove_clock = undo.halfmove_clock;
        if mv.is_castle() {
            self.uncastle(us, from, to);
        } else {
            let cell = self.cell(to);
            self.set_cell(to, Cell::EMPTY);
            self.set_cell(from, cell);
            self.squares[cell.slot()] = from;
            if mv.is_promotion() {
                self.change_kind(from, PieceKind::Pawn);
            }
            if !undo.captured.is_empty() {
                let code = if mv.kind() == MoveKind::EnPassant {
                    to.wrapping_sub(forward(us))
                } else {
                    to
                };
                self.set_cell(code, undo.captured);
                self.sets[undo.captured.color().index()][undo.captured.kind().index()]
                    .insert(undo.captured.number());
            }
        }
        // Last, because the helpers above that serve both ways toggle keys.
        self.keys = undo.keys;
    }

    /// Passes the move to the other side; not in check. The half-move clock goes on.
    #[inline]
    pub fn make_null(&mut self) -> Undo {
        let undo = Undo {
            keys: self.keys,
            captured: Cell::EMPTY,
            rights: self.rights,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
        };
        if let Some(square) = self.en_passant.take() {
            self.keys.state ^= self.zobrist.en_passant(square.code());
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.side_to_move = !self.side_to_move;
        self.keys.state ^= self.zobrist.black();
        undo
    }

    /// Takes back [`Board::make_null`].
    #[inline]
    pub fn unmake_null(&mut self, undo: Undo) {
        self.side_to_move = !self.side_to_move;
        self.en_passant = undo.en_passant;
        self.halfmove_clock = undo.halfmove_clock;
        self.keys = undo.keys;
    }

    /// Puts a new piece on an empty square, with the lowest free number; there must be one.
    pub(super) fn add_piece(&mut self, square: Square, piece: Piece) {
        let number = (!self.alive(piece.color)).first().unwrap_or(15);
        let (cell, code) = (Cell::new(piece, number), square.code());
        self.set_cell(code, cell);
        self.squares[cell.slot()] = code;
        self.reach[cell.slot()] = reach_of(piece);
        self.sets[piece.color.index()][piece.kind.index()].insert(number);
        self.keys.toggle(
            cell.piece_code(),
            self.zobrist.piece(cell.piece_code(), code),
        );
    }

    /// Notes where the rook of a castling right starts.
    pub(super) fn set_castling_rook(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.castling_rooks[color.index()][side.index()] = rook;
    }

    #[inline(always)]
    pub(super) fn change_rights(&mut self, rights: CastlingRights) {
        self.keys.state ^= self.zobrist.castling(
            self.rights
                .without(rights)
                .union(rights.without(self.rights))
                .index(),
        );
        self.rights = rights;
    }

    /// Notes an en passant square that a FEN names, if a double push can just have passed it and a pawn may take.
    pub(super) fn set_en_passant_if_possible(&mut self, square: Square) {
        let (us, to) = (self.side_to_move, square.code());
        let behind = to.wrapping_sub(forward(us));
        let start = to.wrapping_add(forward(us));
        let right_rank = square.rank().relative_to(us).index() == 5;
        let just_pushed = right_rank
            && self.cell(to).is_empty()
            && self.cell(start).is_empty()
            && self.cell(behind).piece_code() == piece_code(!us, PieceKind::Pawn);
        if just_pushed {
            self.open_en_passant(to);
        }
    }

    /// Notes the square a double push has passed, if the side now to move can legally take there: a position that
    /// offers no such capture is the same position as without the square.
    #[inline(always)]
    fn open_en_passant(&mut self, to: Code) {
        let behind = to.wrapping_sub(forward(self.side_to_move));
        let pawn = piece_code(self.side_to_move, PieceKind::Pawn);
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if !off_board(from)
                && self.cell(from).piece_code() == pawn
                && self.is_en_passant_legal(from, to)
            {
                self.en_passant = Some(Square::from_code(to));
                self.keys.state ^= self.zobrist.en_passant(to);
                return;
            }
        }
    }

    #[inline(always)]
    fn move_piece(&mut self, from: Code, to: Code) -> Cell {
        let cell = self.cell(from);
        self.set_cell(from, Cell::EMPTY);
        self.set_cell(to, cell);
        self.squares[cell.slot()] = to;
        let code = cell.piece_code();
        self.keys.toggle(
            code,
            self.zobrist.piece(code, from) ^ self.zobrist.piece(code, to),
        );
        cell
    }

    #[inline(always)]
    fn take_piece(&mut self, code: Code) -> Cell {
        let cell = self.cell(code);
        self.set_cell(code, Cell::EMPTY);
        self.sets[cell.color().index()][cell.kind().index()].remove(cell.number());
        self.keys.toggle(
            cell.piece_code(),
            self.zobrist.piece(cell.piece_code(), code),
        );
        cell
    }

    /// Makes the piece on a square another kind; it keeps its number.
    fn change_kind(&mut self, code: Code, kind: PieceKind) {
        let before = self.cell(code);
        let piece = Piece::new(before.color(), kind);
        let after = Cell::new(piece, before.number());
        self.set_cell(code, after);
        self.reach[after.slot()] = reach_of(piece);
        let sets = &mut self.sets[piece.color.index()];
        sets[before.kind().index()].remove(before.number());
        sets[kind.index()].insert(after.number());
        self.keys.toggle(
            before.piece_code(),
            self.zobrist.piece(before.piece_code(), code),
        );
        self.keys.toggle(
            after.piece_code(),
            self.zobrist.piece(after.piece_code(), code),
        );
    }

    fn castle(&mut self, us: Color, king: Code, rook: Code) {
        let (king_to, rook_to) = castling_targets(us, castling_side(king, rook));
        self.move_pair((king, king_to), (rook, rook_to));
        let zobrist = self.zobrist;
        for (kind, from, to) in [
            (PieceKind::King, king, king_to),
            (PieceKind::Rook, rook, rook_to),
        ] {
            let code = piece_code(us, kind);
            self.keys
                .toggle(code, zobrist.piece(code, from) ^ zobrist.piece(code, to));
        }
    }

    fn uncastle(&mut self, us: Color, king: Code, rook: Code) {
        let (king_to, rook_to) = castling_targets(us, castling_side(king, rook));
        self.move_pair((king_to, king), (rook_to, rook));
    }

    /// Moves king and rook at once: in Fischer Random each may land where the other stood.
    fn move_pair(&mut self, king: (Code, Code), rook: (Code, Code)) {
        let (king_cell, rook_cell) = (self.cell(king.0), self.cell(rook.0));
        self.set_cell(king.0, Cell::EMPTY);
        self.set_cell(rook.0, Cell::EMPTY);
        self.set_cell(king.1, king_cell);
        self.set_cell(rook.1, rook_cell);
        self.squares[king_cell.slot()] = king.1;
        self.squares[rook_cell.slot()] = rook.1;
    }
}

/// The side a castling move goes to.
#[inline(always)]
fn castling_side(king: Code, rook: Code) -> CastlingSide {
    if rook > king {
        CastlingSide::HSide
    } else {
        CastlingSide::ASide
    }
}
