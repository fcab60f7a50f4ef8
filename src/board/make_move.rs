//! Making and unmaking moves.

use crate::types::{
    CastlingRights, CastlingSide, Color, Key, Move, MoveKind, Piece, PieceKind, Square,
};

use super::effect::captured_index;
use super::geometry::{EAST, Index0x88, WEST, forward};
use super::king::castling_targets;
use super::mailbox::{all_of, piece_code};
use super::{Board, MailboxEntry, State, attack_mask_of};

/// The information that [`Board::unmake`] needs in addition to the move.
#[must_use = "the move cannot be unmade without it"]
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
    /// Returns the captured piece.
    pub fn captured(&self) -> Option<Piece> {
        self.captured.piece()
    }
}

impl Board {
    /// Makes a legal move.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mut board = Board::standard();
    /// let mv = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
    /// let undo = board.make(mv);
    /// assert_eq!(board.side_to_move(), Color::Black);
    /// assert_eq!(undo.captured(), None);
    /// ```
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
        let mut undo = self.begin_move();
        self.update_castling_rights(from, to);
        undo.captured = self.entry(to);
        if mv.is_capture() {
            self.remove_piece(to);
        }
        self.move_piece(us, from, to);
        if mv.is(MoveKind::DoublePush) {
            self.set_en_passant(!us, to.wrapping_sub(forward(us)));
        }
        undo
    }

    /// Returns the key after a legal move that has not been made yet, for prefetching.
    ///
    /// The key is exact for most moves. It is wrong if castling, castling rights, promotion or en passant are involved.
    #[inline]
    pub fn approximate_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from().index_0x88(), mv.to().index_0x88());
        let (mover, taken) = (self.entry(from).piece_code(), self.entry(to).piece_code());
        let moved = self.zobrist.piece(mover, from) ^ self.zobrist.piece(mover, to);
        self.keys.position ^ self.zobrist.black() ^ moved ^ self.zobrist.piece(taken, to)
    }

    /// Unmakes the last move with the [`Undo`] that [`Board::make`] returned for it.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// let mut board = Board::standard();
    /// for mv in Board::standard().legal_moves() {
    ///     let undo = board.make(mv);
    ///     board.unmake(mv, undo);
    ///     assert_eq!(board, Board::standard());
    /// }
    /// ```
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
            self.restore_piece(mv.to().index_0x88(), undo.captured);
        }
        self.restore_state(&undo);
    }

    /// Makes castling, promotions and en passant.
    #[inline(never)]
    fn make_special(&mut self, mv: Move) -> Undo {
        let (us, from, to) = (
            self.side_to_move,
            mv.from().index_0x88(),
            mv.to().index_0x88(),
        );
        let mut undo = self.begin_move();
        self.update_castling_rights(from, to);
        if mv.is_castle() {
            let (king_to, rook_to) = castling_targets(us, mv.castling_side());
            self.move_pair(us, (from, king_to), (to, rook_to));
            return undo;
        }
        if mv.is_capture() {
            undo.captured = self.remove_piece(captured_index(us, mv, to));
        }
        self.move_piece(us, from, to);
        if let Some(promotion) = mv.promotion() {
            self.change_kind(to, promotion);
        }
        undo
    }

    /// Unmakes castling, promotions and en passant.
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
                self.restore_piece(captured_index(us, mv, to), undo.captured);
            }
        }
        // Last, because functions used above for both directions change the key of the position.
        self.restore_state(&undo);
    }

    /// Makes a null move: only the side to move changes, and the half-move clock counts it. Not allowed in check.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Color;
    ///
    /// let mut board = Board::standard();
    /// let undo = board.make_null_move();
    /// assert_eq!(board.side_to_move(), Color::Black);
    /// board.unmake_null_move(undo);
    /// assert_eq!(board, Board::standard());
    /// ```
    #[inline]
    pub fn make_null_move(&mut self) -> Undo {
        self.begin_move()
    }

    /// Unmakes [`Board::make_null_move`].
    #[inline]
    pub fn unmake_null_move(&mut self, undo: Undo) {
        self.restore_state(&undo);
    }

    /// Makes the changes that all moves have in common: side to move, move counters and en passant square.
    #[inline(always)]
    fn begin_move(&mut self) -> Undo {
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

    /// Undoes [`Board::begin_move`].
    #[inline(always)]
    fn restore_state(&mut self, undo: &Undo) {
        self.side_to_move = !self.side_to_move;
        self.plies -= 1;
        self.state = undo.state;
        self.keys.position = undo.key;
    }

    /// Removes the castling rights that end with a move of the king, or with a move or capture of the rook.
    ///
    /// There is no branch, because the processor would often mispredict it.
    #[inline(always)]
    fn update_castling_rights(&mut self, from: Index0x88, to: Index0x88) {
        let touched = |index: Index0x88| self.rights_lost_at[(index & 127) as usize];
        let lost = self
            .state
            .rights
            .intersect(touched(from).union(touched(to)));
        self.state.rights = self.state.rights.without(lost);
        self.keys.position ^= self.zobrist.castling(lost.index());
    }

    /// Puts a new piece on an empty square. It gets the lowest free number, which must exist.
    pub(super) fn add_piece(&mut self, square: Square, piece: Piece) {
        let number = (!self.all_numbers(piece.color)).first().unwrap_or(15);
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

    /// Sets the start square of the rook of a castling right.
    pub(super) fn set_castling_rook(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.castling_rooks[color.index()][side.index()] = rook;
    }

    /// Adds a castling right that the position does not have yet.
    pub(super) fn add_castling_right(&mut self, right: CastlingRights) {
        self.keys.position ^= self.zobrist.castling(right.index());
        self.state.rights = self.state.rights.union(right);
    }

    /// Sets the en passant square of a FEN if the last move can have been the double push and a pawn can capture.
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
            self.set_en_passant(us, to);
        }
    }

    /// Sets the en passant square after a double push if `us`, now to move, has a legal capture there.
    ///
    /// Without such a capture, the position equals the one without an en passant square, and so must its key.
    #[inline(always)]
    fn set_en_passant(&mut self, us: Color, to: Index0x88) {
        let behind = to.wrapping_sub(forward(us));
        let pawn = piece_code(us, PieceKind::Pawn);
        for from in [behind.wrapping_add(EAST), behind.wrapping_add(WEST)] {
            if self.entry(from).piece_code() == pawn {
                self.set_en_passant_for(from, to);
            }
        }
    }

    #[inline(never)]
    fn set_en_passant_for(&mut self, from: Index0x88, to: Index0x88) {
        if self.state.en_passant.is_none() && self.is_en_passant_legal(from, to) {
            self.state.en_passant = Some(Square::from_index_0x88(to));
            self.keys.position ^= self.zobrist.en_passant(to);
        }
    }

    /// Moves a piece to an empty square, with keys and half-move clock.
    #[inline(always)]
    fn move_piece(&mut self, us: Color, from: Index0x88, to: Index0x88) {
        let entry = self.entry(from);
        let clock = self.state.halfmove_clock;
        self.state.halfmove_clock = if entry.is_pawn() { 0 } else { clock };
        let key = self.relocate(us, entry, from, to);
        self.keys.toggle(entry.piece_code(), key);
    }

    /// Undoes [`Board::move_piece`] except for the key of the position and the clock.
    #[inline(always)]
    fn move_piece_back(&mut self, us: Color, to: Index0x88, from: Index0x88) {
        let entry = self.entry(to);
        let key = self.relocate(us, entry, to, from);
        self.keys.toggle_piece(entry.piece_code(), key);
    }

    /// Moves a piece in mailbox and piece list. Returns the change of its keys.
    #[inline(always)]
    fn relocate(&mut self, us: Color, entry: MailboxEntry, from: Index0x88, to: Index0x88) -> Key {
        self.set_entry(from, MailboxEntry::EMPTY);
        self.set_entry(to, entry);
        self.squares[us.index()][entry.number()] = to;
        let piece_code = entry.piece_code();
        self.zobrist.piece(piece_code, from) ^ self.zobrist.piece(piece_code, to)
    }

    /// Removes a captured piece and returns its entry. The piece list keeps its last values.
    #[inline(always)]
    fn remove_piece(&mut self, index: Index0x88) -> MailboxEntry {
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

    /// Undoes [`Board::remove_piece`] except for the key of the position. The piece list still has the piece.
    #[inline(always)]
    fn restore_piece(&mut self, index: Index0x88, entry: MailboxEntry) {
        debug_assert!(!entry.is_empty());
        self.set_entry(index, entry);
        self.sets[entry.piece_code()].insert(entry.number());
        self.sets[all_of(entry.color())].insert(entry.number());
        let key = self.zobrist.piece(entry.piece_code(), index);
        self.keys.toggle_piece(entry.piece_code(), key);
    }

    /// Replaces the kind of the piece on a square. The piece keeps its number.
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

    /// Moves king and rook together. In Fischer Random, each can move to the other's square.
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
