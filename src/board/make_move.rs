//! What a move changes, and how it is taken back.

use crate::types::{
    CastlingRights, CastlingSide, Color, Key, Move, MoveKind, Piece, PieceKind, Square,
};

use super::effect::captured_index;
use super::geometry::{EAST, Index0x88, WEST, forward};
use super::king::castling_targets;
use super::mailbox::{all_of, piece_code};
use super::{Board, MailboxEntry, State, attack_mask_of};

/// What [`Board::unmake`] needs and the move itself does not tell.
#[must_use = "without it the move cannot be taken back"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    key: Key,
    state: State,
    captured: MailboxEntry,
}

impl std::fmt::Debug for MailboxEntry {
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
        let (us, from, to) = (
            self.side_to_move,
            mv.from().index_0x88(),
            mv.to().index_0x88(),
        );
        let mut undo = self.pass_turn();
        self.update_castling_rights(from, to);
        undo.captured = self.entry(to);
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
    pub fn approximate_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        let (mover, taken) = (self.entry(from).piece_code(), self.entry(to).piece_code());
        let moved = self.zobrist.piece(mover, from) ^ self.zobrist.piece(mover, to);
        self.keys.position ^ self.zobrist.black() ^ moved ^ self.zobrist.piece(taken, to)
    }

    /// Takes back the last move made, with the [`Undo`] that making it gave.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        if !mv.is_plain() {
            return self.unmake_special(mv, undo);
        }
        self.move_piece_back(
            !self.side_to_move,
            mv.to().index_0x88(),
            mv.from().index_0x88(),
        );
        if mv.is_capture() {
            self.put_back(mv.to().index_0x88(), undo.captured);
        }
        self.unpass_turn(&undo);
    }

    /// Makes castling, promotions and en passant.
    #[inline(never)]
    fn make_special(&mut self, mv: Move) -> Undo {
        let (us, from, to) = (
            self.side_to_move,
            mv.from().index_0x88(),
            mv.to().index_0x88(),
        );
        let mut undo = self.pass_turn();
        self.update_castling_rights(from, to);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(us, mv.castling_side());
            self.move_pair(us, (from, king_to), (to, rook_to));
            return undo;
        }
        if mv.is_capture() {
            undo.captured = self.take_piece(captured_index(us, mv, to));
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
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(us, mv.castling_side());
            self.move_pair(us, (king_to, from), (rook_to, to));
        } else {
            if mv.is_promotion() {
                self.change_kind(to, PieceKind::Pawn);
            }
            self.move_piece_back(us, to, from);
            if mv.is_capture() {
                self.put_back(captured_index(us, mv, to), undo.captured);
            }
        }
        // Last, because some helpers above serve both ways and change the key of the position.
        self.unpass_turn(&undo);
    }

    /// Passes the move to the other side; not in check. The half-move clock goes on.
    #[inline]
    pub fn make_null_move(&mut self) -> Undo {
        self.pass_turn()
    }

    /// Takes back [`Board::make_null_move`].
    #[inline]
    pub fn unmake_null_move(&mut self, undo: Undo) {
        self.unpass_turn(&undo);
    }

    /// What every move does: the other side is to move, the clocks go on, en passant is over.
    #[inline(always)]
    fn pass_turn(&mut self) -> Undo {
        let undo = Undo {
            key: self.keys.position,
            state: self.state,
            captured: MailboxEntry::EMPTY,
        };
        self.keys.position ^= self.zobrist.black();
        if let Some(square) = self.state.en_passant.take() {
            self.keys.position ^= self.zobrist.en_passant(square.index_0x88());
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
    fn update_castling_rights(&mut self, from: Index0x88, to: Index0x88) {
        let touched = |index: Index0x88| self.rights_of[(index & 127) as usize];
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
        let (entry, index) = (MailboxEntry::new(piece, number), square.index_0x88());
        self.set_entry(index, entry);
        self.squares[piece.color.index()][number] = index;
        self.attack_masks[piece.color.index()][number] = attack_mask_of(piece);
        self.sets[entry.piece_code()].insert(number);
        self.sets[all_of(piece.color)].insert(number);
        self.keys.toggle(
            entry.piece_code(),
            self.zobrist.piece(entry.piece_code(), index),
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
        let (us, to) = (self.side_to_move, square.index_0x88());
        let behind = to.wrapping_sub(forward(us));
        let start = to.wrapping_add(forward(us));
        let right_rank = square.rank().relative_to(us).index() == 5;
        let just_pushed = right_rank
            && self.entry(to).is_empty()
            && self.entry(start).is_empty()
            && self.entry(behind).piece_code() == piece_code(!us, PieceKind::Pawn);
        if just_pushed {
            self.open_en_passant(us, to);
        }
    }

    /// Notes the square a double push has passed, if the side now to move can legally take there: a position that
    /// offers no such capture is the same position as without the square.
    #[inline(always)]
    fn open_en_passant(&mut self, us: Color, to: Index0x88) {
        let behind = to.wrapping_sub(forward(us));
        let pawn = piece_code(us, PieceKind::Pawn);
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if self.entry(from).piece_code() == pawn {
                self.open_en_passant_for(from, to);
            }
        }
    }

    #[inline(never)]
    fn open_en_passant_for(&mut self, from: Index0x88, to: Index0x88) {
        if self.state.en_passant.is_none() && self.is_en_passant_legal(from, to) {
            self.state.en_passant = Some(Square::from_index_0x88(to));
            self.keys.position ^= self.zobrist.en_passant(to);
        }
    }

    #[inline(always)]
    fn move_piece(&mut self, us: Color, from: Index0x88, to: Index0x88) {
        let entry = self.entry(from);
        let clock = self.state.halfmove_clock;
        self.state.halfmove_clock = if entry.is_pawn() { 0 } else { clock };
        let key = self.relocate(us, entry, from, to);
        self.keys.toggle(entry.piece_code(), key);
    }

    #[inline(always)]
    fn move_piece_back(&mut self, us: Color, to: Index0x88, from: Index0x88) {
        let entry = self.entry(to);
        let key = self.relocate(us, entry, to, from);
        self.keys.toggle_piece(entry.piece_code(), key);
    }

    /// Moves a piece in entries and list; returns what its keys change by.
    #[inline(always)]
    fn relocate(&mut self, us: Color, entry: MailboxEntry, from: Index0x88, to: Index0x88) -> Key {
        self.set_entry(from, MailboxEntry::EMPTY);
        self.set_entry(to, entry);
        self.squares[us.index()][entry.number()] = to;
        let piece_code = entry.piece_code();
        self.zobrist.piece(piece_code, from) ^ self.zobrist.piece(piece_code, to)
    }

    #[inline(always)]
    fn take_piece(&mut self, index: Index0x88) -> MailboxEntry {
        let entry = self.entry(index);
        debug_assert!(!entry.is_empty());
        self.state.halfmove_clock = 0;
        self.set_entry(index, MailboxEntry::EMPTY);
        self.sets[entry.piece_code()].remove(entry.number());
        self.sets[all_of(entry.color())].remove(entry.number());
        let key = self.zobrist.piece(entry.piece_code(), index);
        self.keys.toggle(entry.piece_code(), key);
        entry
    }

    /// Undoes [`Board::take_piece`]; list and reach still know the piece.
    #[inline(always)]
    fn put_back(&mut self, index: Index0x88, entry: MailboxEntry) {
        debug_assert!(!entry.is_empty());
        self.set_entry(index, entry);
        self.sets[entry.piece_code()].insert(entry.number());
        self.sets[all_of(entry.color())].insert(entry.number());
        let key = self.zobrist.piece(entry.piece_code(), index);
        self.keys.toggle_piece(entry.piece_code(), key);
    }

    /// Makes the piece on a square another kind; it keeps its number.
    fn change_kind(&mut self, index: Index0x88, kind: PieceKind) {
        let before = self.entry(index);
        let piece = Piece::new(before.color(), kind);
        let after = MailboxEntry::new(piece, before.number());
        self.set_entry(index, after);
        self.attack_masks[piece.color.index()][after.number()] = attack_mask_of(piece);
        self.sets[before.piece_code()].remove(before.number());
        self.sets[after.piece_code()].insert(after.number());
        for piece_code in [before.piece_code(), after.piece_code()] {
            let key = self.zobrist.piece(piece_code, index);
            self.keys.toggle(piece_code, key);
        }
    }

    /// Moves king and rook at once: in Fischer Random each may land where the other stood.
    fn move_pair(&mut self, us: Color, king: (Index0x88, Index0x88), rook: (Index0x88, Index0x88)) {
        let moves = [king, rook].map(|(from, to)| (self.entry(from), from, to));
        for (_, from, _) in moves {
            self.set_entry(from, MailboxEntry::EMPTY);
        }
        for (entry, from, to) in moves {
            self.set_entry(to, entry);
            self.squares[us.index()][entry.number()] = to;
            let piece_code = entry.piece_code();
            let key = self.zobrist.piece(piece_code, from) ^ self.zobrist.piece(piece_code, to);
            self.keys.toggle(piece_code, key);
        }
    }
}
