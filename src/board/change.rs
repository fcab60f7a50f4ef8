//! What a move changes, and how it is taken back.

use crate::types::{
    CastlingRights, CastlingSide, Color, Key, Move, MoveKind, Piece, PieceKind, Square,
};

use super::cell::{all_of, piece_code};
use super::geometry::{Code, EAST, WEST, forward};
use super::king::castling_targets;
use super::{Board, Cell, State, reach_of};

/// What [`Board::unmake`] needs and the move itself does not tell.
#[must_use = "without it the move cannot be taken back"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    key: Key,
    state: State,
    captured: Cell,
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
        if !mv.is_plain() {
            return self.make_special(mv);
        }
        let (us, from, to) = (self.side_to_move, mv.from().code(), mv.to().code());
        let mut undo = self.pass_turn();
        self.lose_rights(from, to);
        undo.captured = self.cell(to);
        if mv.is_capture() {
            self.take_piece(to);
        }
        self.move_piece(us, from, to);
        if mv.is(MoveKind::DoublePush) {
            self.open_en_passant(!us, to.wrapping_sub(forward(us)));
        }
        undo
    }

    /// The key after a legal move, before it is made: exact for most moves, wrong where castling, its rights, promotion
    /// or en passant come into it. For memory to be fetched early.
    #[inline]
    pub fn guess_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from().code(), mv.to().code());
        let (mover, taken) = (self.cell(from).piece_code(), self.cell(to).piece_code());
        let moved = self.zobrist.piece(mover, from) ^ self.zobrist.piece(mover, to);
        self.keys.position ^ self.zobrist.black() ^ moved ^ self.zobrist.piece(taken, to)
    }

    /// Takes back the last move made, with the [`Undo`] that making it gave.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        if !mv.is_plain() {
            return self.unmake_special(mv, undo);
        }
        self.move_piece_back(!self.side_to_move, mv.to().code(), mv.from().code());
        if mv.is_capture() {
            self.put_back(mv.to().code(), undo.captured);
        }
        self.unpass_turn(&undo);
    }

    /// Makes castling, promotions and en passant.
    #[inline(never)]
    fn make_special(&mut self, mv: Move) -> Undo {
        let (us, from, to) = (self.side_to_move, mv.from().code(), mv.to().code());
        let mut undo = self.pass_turn();
        self.lose_rights(from, to);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(us, castling_side(from, to));
            self.move_pair(us, (from, king_to), (to, rook_to));
            return undo;
        }
        if mv.is_capture() {
            undo.captured = self.take_piece(captured_on(us, mv, to));
        }
        self.move_piece(us, from, to);
        if let Some(promotion) = mv.promotion() {
            self.change_kind(to, promotion);
        }
        undo
    }

    #[inline(never)]
    fn unmake_special(&mut self, mv: Move, undo: Undo) {
        let us = !self.side_to_move;
        let (from, to) = (mv.from().code(), mv.to().code());
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(us, castling_side(from, to));
            self.move_pair(us, (king_to, from), (rook_to, to));
        } else {
            if mv.is_promotion() {
                self.change_kind(to, PieceKind::Pawn);
            }
            self.move_piece_back(us, to, from);
            if mv.is_capture() {
                self.put_back(captured_on(us, mv, to), undo.captured);
            }
        }
        // Last, because some helpers above serve both ways and change the key of the position.
        self.unpass_turn(&undo);
    }

    /// Passes the move to the other side; not in check. The half-move clock goes on.
    #[inline]
    pub fn make_null(&mut self) -> Undo {
        self.pass_turn()
    }

    /// Takes back [`Board::make_null`].
    #[inline]
    pub fn unmake_null(&mut self, undo: Undo) {
        self.unpass_turn(&undo);
    }

    /// What every move does: the other side is to move, the clocks go on, en passant is over.
    #[inline(always)]
    fn pass_turn(&mut self) -> Undo {
        let undo = Undo {
            key: self.keys.position,
            state: self.state,
            captured: Cell::EMPTY,
        };
        self.keys.position ^= self.zobrist.black();
        if let Some(square) = self.state.en_passant.take() {
            self.keys.position ^= self.zobrist.en_passant(square.code());
        }
        self.state.halfmove_clock += 1;
        self.plies += 1;
        self.side_to_move = !self.side_to_move;
        undo
    }

    #[inline(always)]
    fn unpass_turn(&mut self, undo: &Undo) {
        self.side_to_move = !self.side_to_move;
        self.plies -= 1;
        self.state = undo.state;
        self.keys.position = undo.key;
    }

    /// Castling rights go with the king, and with the rook when it moves or is captured. Without a branch: king and
    /// rook moves come too often to be guessed right.
    #[inline(always)]
    fn lose_rights(&mut self, from: Code, to: Code) {
        let touched = |code: Code| self.rights_of[(code & 127) as usize];
        let lost = self
            .state
            .rights
            .intersect(touched(from).union(touched(to)));
        self.state.rights = self.state.rights.without(lost);
        self.keys.position ^= self.zobrist.castling(lost.index());
    }

    /// Puts a new piece on an empty square, with the lowest free number; there must be one.
    pub(super) fn add_piece(&mut self, square: Square, piece: Piece) {
        let number = (!self.alive(piece.color)).first().unwrap_or(15);
        let (cell, code) = (Cell::new(piece, number), square.code());
        self.set_cell(code, cell);
        self.squares[piece.color.index()][number] = code;
        self.reach[piece.color.index()][number] = reach_of(piece);
        self.sets[cell.piece_code()].insert(number);
        self.sets[all_of(piece.color)].insert(number);
        self.keys.toggle(
            cell.piece_code(),
            self.zobrist.piece(cell.piece_code(), code),
        );
    }

    /// Notes where the rook of a castling right starts.
    pub(super) fn set_castling_rook(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.castling_rooks[color.index()][side.index()] = rook;
    }

    /// Adds a castling right that is not there yet.
    pub(super) fn gain_right(&mut self, right: CastlingRights) {
        self.keys.position ^= self.zobrist.castling(right.index());
        self.state.rights = self.state.rights.union(right);
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
            self.open_en_passant(us, to);
        }
    }

    /// Notes the square a double push has passed, if the side now to move can legally take there: a position that
    /// offers no such capture is the same position as without the square.
    #[inline(always)]
    fn open_en_passant(&mut self, us: Color, to: Code) {
        let behind = to.wrapping_sub(forward(us));
        let pawn = piece_code(us, PieceKind::Pawn);
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if self.cell(from).piece_code() == pawn {
                self.open_en_passant_for(from, to);
            }
        }
    }

    #[inline(never)]
    fn open_en_passant_for(&mut self, from: Code, to: Code) {
        if self.state.en_passant.is_none() && self.is_en_passant_legal(from, to) {
            self.state.en_passant = Some(Square::from_code(to));
            self.keys.position ^= self.zobrist.en_passant(to);
        }
    }

    #[inline(always)]
    fn move_piece(&mut self, us: Color, from: Code, to: Code) {
        let cell = self.cell(from);
        let clock = self.state.halfmove_clock;
        self.state.halfmove_clock = if cell.is_pawn() { 0 } else { clock };
        let key = self.relocate(us, cell, from, to);
        self.keys.toggle(cell.piece_code(), key);
    }

    #[inline(always)]
    fn move_piece_back(&mut self, us: Color, to: Code, from: Code) {
        let cell = self.cell(to);
        let key = self.relocate(us, cell, to, from);
        self.keys.toggle_piece(cell.piece_code(), key);
    }

    /// Moves a piece in cells and list; returns what its keys change by.
    #[inline(always)]
    fn relocate(&mut self, us: Color, cell: Cell, from: Code, to: Code) -> Key {
        self.set_cell(from, Cell::EMPTY);
        self.set_cell(to, cell);
        self.squares[us.index()][cell.number()] = to;
        let code = cell.piece_code();
        self.zobrist.piece(code, from) ^ self.zobrist.piece(code, to)
    }

    #[inline(always)]
    fn take_piece(&mut self, code: Code) -> Cell {
        let cell = self.cell(code);
        debug_assert!(!cell.is_empty());
        self.state.halfmove_clock = 0;
        self.set_cell(code, Cell::EMPTY);
        self.sets[cell.piece_code()].remove(cell.number());
        self.sets[all_of(cell.color())].remove(cell.number());
        let key = self.zobrist.piece(cell.piece_code(), code);
        self.keys.toggle(cell.piece_code(), key);
        cell
    }

    /// Undoes [`Board::take_piece`]; list and reach still know the piece.
    #[inline(always)]
    fn put_back(&mut self, code: Code, cell: Cell) {
        debug_assert!(!cell.is_empty());
        self.set_cell(code, cell);
        self.sets[cell.piece_code()].insert(cell.number());
        self.sets[all_of(cell.color())].insert(cell.number());
        let key = self.zobrist.piece(cell.piece_code(), code);
        self.keys.toggle_piece(cell.piece_code(), key);
    }

    /// Makes the piece on a square another kind; it keeps its number.
    fn change_kind(&mut self, code: Code, kind: PieceKind) {
        let before = self.cell(code);
        let piece = Piece::new(before.color(), kind);
        let after = Cell::new(piece, before.number());
        self.set_cell(code, after);
        self.reach[piece.color.index()][after.number()] = reach_of(piece);
        self.sets[before.piece_code()].remove(before.number());
        self.sets[after.piece_code()].insert(after.number());
        for piece_code in [before.piece_code(), after.piece_code()] {
            let key = self.zobrist.piece(piece_code, code);
            self.keys.toggle(piece_code, key);
        }
    }

    /// Moves king and rook at once: in Fischer Random each may land where the other stood.
    fn move_pair(&mut self, us: Color, king: (Code, Code), rook: (Code, Code)) {
        let moves = [king, rook].map(|(from, to)| (self.cell(from), from, to));
        for (_, from, _) in moves {
            self.set_cell(from, Cell::EMPTY);
        }
        for (cell, from, to) in moves {
            self.set_cell(to, cell);
            self.squares[us.index()][cell.number()] = to;
            let code = cell.piece_code();
            let key = self.zobrist.piece(code, from) ^ self.zobrist.piece(code, to);
            self.keys.toggle(code, key);
        }
    }
}

/// Where the piece stands that a capture by `us` takes.
#[inline(always)]
fn captured_on(us: Color, mv: Move, to: Code) -> Code {
    if mv.is(MoveKind::EnPassant) {
        to.wrapping_sub(forward(us))
    } else {
        to
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
