//! The heart: where pieces stand, what they attack, how a move changes that.
//!
//! A true 0x88 board: an array of entries by index, `index & 0x88` for "off the board", and for each side a list of up to
//! sixteen pieces whose numbers never change while they live (the king's is 0). Cells off the board hold walls, for all
//! codes that a byte can be, so that a step over the edge ends at a wall without being looked for. A entry knows its
//! piece's number and the list knows the number's square, so that both questions cost one load. The array and the
//! arithmetic on codes stay inside this room; everybody else asks in squares.

mod attacks;
mod check_info;
mod consistency;
mod cuckoo;
mod effect;
mod generate;
mod geometry;
mod king;
mod legal;
mod mailbox;
mod make_move;
mod move_sink;
mod pseudo_attackers;
mod see;
mod setup;
mod simd;
#[cfg(test)]
mod tests;
mod zobrist;

use crate::types::{CastlingRights, CastlingSide, Color, Key, Piece, PieceKind, PieceSet, Square};

use geometry::{
    DIAGONAL_STEPS, Index0x88, KING_STEPS, KNIGHT_STEPS, STRAIGHT_STEPS, attack_mask, attacks,
    forward, is_off_board, step,
};
use mailbox::{MailboxEntry, all_of, attack_mask_of, piece_code};
use simd::Simd;
use zobrist::{Keys, Zobrist};

pub use check_info::CheckInfo;
pub use effect::{MoveEffect, PlacedPiece};
pub use generate::MoveFilter;
pub use make_move::Undo;
pub use move_sink::{MoveCounter, MoveSink};
pub use see::see_value;
pub use setup::{Setup, SetupError};

/// A legal position without its history.
#[derive(Clone)]
pub struct Board {
    /// By 0x88 index.
    mailbox: [MailboxEntry; 256],
    /// Where a side's pieces stand, by colour and number; stale for dead pieces.
    squares: [[Index0x88; 16]; 2],
    /// What a side's pieces attack like, by colour and number; stale for dead pieces.
    attack_masks: [[u8; 16]; 2],
    /// Living piece numbers, by `MailboxEntry::piece_code`; where that would be a piece of no kind, all of the colour.
    sets: [PieceSet; 16],
    /// Castling rights that a move from or to a index ends.
    rights_of: [CastlingRights; 128],
    /// Start squares of the castling rooks, by colour and castling side.
    castling_rooks: [[Square; 2]; 2],
    side_to_move: Color,
    /// Half-moves made since move 1 of White.
    plies: u32,
    state: State,
    keys: Keys,
    zobrist: &'static Zobrist,
    /// The instruction set for vectorised code; `None`: scalar code.
    simd: Option<Simd>,
}

/// What a move changes beyond recovery; [`Undo`] keeps the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    halfmove_clock: u32,
    rights: CastlingRights,
    en_passant: Option<Square>,
}

impl Board {
    /// A board without pieces, on which [`Board::from_setup`] builds.
    fn bare(side_to_move: Color) -> Board {
        let zobrist = Zobrist::get();
        let mut board = Board {
            mailbox: empty_mailbox(),
            squares: [[0; 16]; 2],
            attack_masks: [[0; 16]; 2],
            sets: [PieceSet::EMPTY; 16],
            rights_of: [CastlingRights::NONE; 128],
            castling_rooks: [[Square::from_index(0); 2]; 2],
            side_to_move,
            plies: 0,
            state: State {
                halfmove_clock: 0,
                rights: CastlingRights::NONE,
                en_passant: None,
            },
            keys: Keys::default(),
            zobrist,
            simd: Simd::detect(),
        };
        if side_to_move == Color::Black {
            board.keys.position ^= zobrist.black();
        }
        board
    }

    /// The position in which games of chess begin.
    pub fn standard() -> Board {
        match Board::from_setup(&Setup::standard()) {
            Ok(board) => board,
            Err(error) => unreachable!("the standard position: {error}"),
        }
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.entry(square.index_0x88()).piece()
    }

    /// What stands on a square as a number below 16, 0 for nothing: for tables by coloured piece.
    #[inline]
    pub fn piece_code(&self, square: Square) -> usize {
        self.entry(square.index_0x88()).piece_code()
    }

    /// Where the king of `color` stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index_0x88(self.list(color)[0])
    }

    /// Where the pieces of one colour and kind stand, in no particular order.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> impl Iterator<Item = Square> + use<'_> {
        let list = self.list(color);
        self.set(color, kind)
            .map(move |number| Square::from_index_0x88(list[number]))
    }

    /// How many pieces of one colour and kind there are.
    #[inline]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        self.set(color, kind).len()
    }

    /// Whether `color` has a piece besides king and pawns.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        self.non_pawns(color).has_several()
    }

    /// Whether a side has nothing but its king.
    #[inline]
    pub fn has_bare_king(&self) -> bool {
        Color::ALL.iter().any(|&color| self.alive(color).len() == 1)
    }

    /// How many pieces both sides have in all, kings included.
    #[inline]
    pub fn occupancy(&self) -> usize {
        self.alive(Color::White).len() + self.alive(Color::Black).len()
    }

    /// Castlings still allowed by what has moved.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state.rights
    }

    /// Where the rook of a castling right starts; meaningful only while the right exists.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Square {
        self.castling_rooks[color.index()][side.index()]
    }

    /// The square on which a pawn can legally take en passant now.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock.min(u32::from(u16::MAX)) as u16
    }

    /// 1 for the first move of a game, raised after each move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        (self.plies / 2 + 1).min(u32::from(u16::MAX)) as u16
    }

    /// The key of the position: pieces, side to move, castling rights, en passant.
    #[inline]
    pub fn key(&self) -> Key {
        self.keys.position
    }

    /// The key of the pawns of both sides.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        let of = |color| self.keys.of(color, &[PieceKind::Pawn]);
        of(Color::White) ^ of(Color::Black)
    }

    /// The key of the knights and bishops of both sides.
    #[inline]
    pub fn minor_key(&self) -> Key {
        let minor = [PieceKind::Knight, PieceKind::Bishop];
        self.keys.of(Color::White, &minor) ^ self.keys.of(Color::Black, &minor)
    }

    /// The key of all pieces of `color` but its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.keys.of(color, &PieceKind::ALL[1..])
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move;
        self.is_index_attacked(self.king(us).index_0x88(), !us)
    }

    /// Whether a piece of `by` attacks the square.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.is_index_attacked(square.index_0x88(), by)
    }

    /// Calls `visit` for each square that the piece on `square` attacks, with what stands there: each step of a ray
    /// up to and including the first piece of either colour; for a pawn its two capture squares.
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
        let pawn_steps = [
            ahead.wrapping_add(geometry::EAST),
            ahead.wrapping_add(geometry::WEST),
        ];
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

    #[inline(always)]
    fn entry(&self, index: Index0x88) -> MailboxEntry {
        self.mailbox[index as usize]
    }

    #[inline(always)]
    fn set_entry(&mut self, index: Index0x88, entry: MailboxEntry) {
        debug_assert!(!is_off_board(index));
        self.mailbox[index as usize] = entry;
    }

    #[inline(always)]
    fn set(&self, color: Color, kind: PieceKind) -> PieceSet {
        self.sets[piece_code(color, kind) & 15]
    }

    /// All living pieces of a side.
    #[inline(always)]
    fn alive(&self, color: Color) -> PieceSet {
        self.sets[all_of(color)]
    }

    /// All living pieces of a side but its pawns.
    #[inline(always)]
    fn non_pawns(&self, color: Color) -> PieceSet {
        self.alive(color) & !self.set(color, PieceKind::Pawn)
    }

    /// The squares of a side's pieces by number.
    #[inline(always)]
    fn list(&self, color: Color) -> &[Index0x88; 16] {
        &self.squares[color.index()]
    }

    /// What a side's pieces attack like, by number.
    #[inline(always)]
    fn attack_masks(&self, color: Color) -> &[u8; 16] {
        &self.attack_masks[color.index()]
    }

    /// What the piece in a full entry attacks like.
    #[inline(always)]
    fn attack_mask_of(&self, entry: MailboxEntry) -> u8 {
        self.attack_masks(entry.color())[entry.number()]
    }

    /// Whether all squares strictly between two codes on one line are empty.
    #[inline(always)]
    fn is_clear(&self, from: Index0x88, to: Index0x88) -> bool {
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

    #[inline(always)]
    fn is_attacked_by_pawn(&self, target: Index0x88, by: Color) -> bool {
        let behind = target.wrapping_sub(forward(by));
        let pawn = piece_code(by, PieceKind::Pawn);
        let is_pawn = |index: Index0x88| self.entry(index).piece_code() == pawn;
        is_pawn(behind.wrapping_add(geometry::EAST)) || is_pawn(behind.wrapping_add(geometry::WEST))
    }

    #[inline(always)]
    fn is_index_attacked(&self, target: Index0x88, by: Color) -> bool {
        for number in self.pseudo_attackers(target, by) {
            let from = self.list(by)[number];
            if attacks(from, target) & attack_mask::SLIDING == 0 || self.is_clear(target, from) {
                return true;
            }
        }
        false
    }
}

/// No piece, and walls around.
const fn empty_mailbox() -> [MailboxEntry; 256] {
    let mut entries = [MailboxEntry::EMPTY; 256];
    let mut index = 0;
    while index < 256 {
        if is_off_board(index as Index0x88) {
            entries[index] = MailboxEntry::SENTINEL;
        }
        index += 1;
    }
    entries
}

impl PartialEq for Board {
    /// Equal to the last byte that matters: piece numbers too, but not what dead pieces left behind.
    fn eq(&self, other: &Board) -> bool {
        let living = |board: &Board| {
            Color::ALL.map(|color| {
                board
                    .alive(color)
                    .map(|n| (board.list(color)[n], board.attack_masks(color)[n]))
                    .collect::<Vec<_>>()
            })
        };
        self.mailbox == other.mailbox
            && self.sets == other.sets
            && living(self) == living(other)
            && self.rights_of == other.rights_of
            && self.castling_rooks == other.castling_rooks
            && self.side_to_move == other.side_to_move
            && self.plies == other.plies
            && self.state == other.state
            && self.keys == other.keys
    }
}

impl Eq for Board {}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rank in crate::types::Rank::all().rev() {
            for file in crate::types::File::all() {
                let piece = self.piece_on(Square::new(file, rank));
                write!(f, "{}", piece.map_or('.', Piece::fen_letter))?;
            }
            f.write_str("/")?;
        }
        write!(
            f,
            " {:?} {:?} {:?}",
            self.side_to_move, self.state.rights, self.state.en_passant
        )
    }
}
