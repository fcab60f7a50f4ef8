//! Board representation: pieces, attacks, legal moves, making and unmaking moves.
//!
//! The board is a mailbox with 0x88 indices and one piece list per side. An index with `index & 0x88 != 0` is off the
//! board. The mailbox has an entry for every value of a byte. Entries off the board hold a sentinel, so that rays and
//! steps end there without a test of the index.
//!
//! A side has at most 16 pieces. Each has a number from 0 to 15 that it keeps until it is captured; the king has number
//! 0. A mailbox entry contains the number of its piece, and the piece list contains the index of each number. Both
//! lookups need one load.
//!
//! Other modules use [`Square`]; the mailbox and 0x88 indices are private to this module.

mod attack_map;
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

use geometry::{Index0x88, is_off_board};
use mailbox::{MailboxEntry, all_of, attack_mask_of, piece_code};
use simd::Simd;
use zobrist::{Keys, Zobrist};

pub use attack_map::AttackMap;
pub use check_info::CheckInfo;
pub use effect::{MoveEffect, PlacedPiece};
pub use generate::MoveFilter;
pub use make_move::Undo;
pub use move_sink::{MoveCounter, MoveSink};
pub use see::see_value;
pub use setup::{MAX_PIECES, Setup, SetupError};

/// A legal position without its history.
///
/// ```
/// use gaur::board::Board;
///
/// let mut board = Board::standard();
/// let mv = board.legal_moves()[0];
/// let undo = board.make(mv);
/// board.unmake(mv, undo);
/// assert_eq!(board, Board::standard());
/// ```
#[derive(Clone)]
pub struct Board {
    /// Mailbox by 0x88 index.
    mailbox: [MailboxEntry; 256],
    /// 0x88 indices of the pieces by colour and number; outdated for captured pieces.
    squares: [[Index0x88; 16]; 2],
    /// Attack-type masks of the pieces by colour and number; outdated for captured pieces.
    attack_masks: [[u8; 16]; 2],
    /// Piece numbers by [`piece_code`]; under [`all_of`] those of all pieces of a colour.
    sets: [PieceSet; 16],
    /// Castling rights that a move from or to a 0x88 index ends.
    rights_lost_at: [CastlingRights; 128],
    /// Start squares of the castling rooks, by colour and castling side.
    castling_rooks: [[Square; 2]; 2],
    side_to_move: Color,
    /// Half-moves since White's move 1.
    plies: u32,
    state: State,
    keys: Keys,
    zobrist: &'static Zobrist,
    /// Instruction set of the vectorised functions; `None` selects scalar code.
    simd: Option<Simd>,
}

/// The part of the position that a move cannot be undone without. [`Undo`] keeps the previous value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    halfmove_clock: u32,
    rights: CastlingRights,
    en_passant: Option<Square>,
}

impl Board {
    /// Creates a board without pieces, for [`Board::from_setup`].
    fn empty(side_to_move: Color) -> Board {
        let zobrist = Zobrist::get();
        let mut board = Board {
            mailbox: empty_mailbox(),
            squares: [[0; 16]; 2],
            attack_masks: [[0; 16]; 2],
            sets: [PieceSet::EMPTY; 16],
            rights_lost_at: [CastlingRights::NONE; 128],
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

    /// Returns the side to move.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Color;
    ///
    /// assert_eq!(Board::standard().side_to_move(), Color::White);
    /// ```
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the piece on a square.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Piece, PieceKind, Square};
    ///
    /// let board = Board::standard();
    /// let queen = Piece::new(Color::White, PieceKind::Queen);
    /// assert_eq!(board.piece_on(Square::from_name("d1").unwrap()), Some(queen));
    /// assert_eq!(board.piece_on(Square::from_name("d4").unwrap()), None);
    /// ```
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.entry(square.index_0x88()).piece()
    }

    /// Returns the kind and colour of the piece on a square as a number below 16, or 0 for an empty square. It is the
    /// index of tables by piece.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Square;
    ///
    /// let board = Board::standard();
    /// let number = |name| board.piece_code(Square::from_name(name).unwrap());
    /// assert_eq!(number("e4"), 0);
    /// assert_ne!(number("a1"), number("a8"));
    /// ```
    #[inline]
    pub fn piece_code(&self, square: Square) -> usize {
        self.entry(square.index_0x88()).piece_code()
    }

    /// Returns the square of the king of `color`.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Color;
    ///
    /// assert_eq!(Board::standard().king(Color::Black).to_string(), "e8");
    /// ```
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index_0x88(self.list(color)[0])
    }

    /// Iterates over the squares of the pieces of one colour and kind, in no particular order.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, PieceKind, Rank};
    ///
    /// let board = Board::standard();
    /// let mut rooks = board.pieces(Color::White, PieceKind::Rook);
    /// assert!(rooks.all(|square| square.rank() == Rank::FIRST));
    /// ```
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> impl Iterator<Item = Square> + use<'_> {
        let list = self.list(color);
        self.set(color, kind)
            .map(move |number| Square::from_index_0x88(list[number]))
    }

    /// Returns the number of pieces of one colour and kind.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, PieceKind};
    ///
    /// assert_eq!(Board::standard().count(Color::White, PieceKind::Pawn), 8);
    /// ```
    #[inline]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        self.set(color, kind).len()
    }

    /// Returns `true` if `color` has a piece besides king and pawns.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::Color;
    ///
    /// assert!(Board::standard().has_pieces(Color::White));
    /// ```
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        self.non_pawns(color).has_several()
    }

    /// Returns `true` if a side has only its king.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert!(!Board::standard().has_bare_king());
    /// ```
    #[inline]
    pub fn has_bare_king(&self) -> bool {
        Color::ALL
            .iter()
            .any(|&color| self.all_numbers(color).len() == 1)
    }

    /// Returns the number of pieces of both sides, kings and pawns included.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().occupancy(), 32);
    /// ```
    #[inline]
    pub fn occupancy(&self) -> usize {
        self.all_numbers(Color::White).len() + self.all_numbers(Color::Black).len()
    }

    /// Returns the castling rights of both sides.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::CastlingRights;
    ///
    /// assert_eq!(Board::standard().castling_rights(), CastlingRights::ALL);
    /// ```
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state.rights
    }

    /// Returns the start square of the rook of a castling right. It is meaningless without the right.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{CastlingSide, Color};
    ///
    /// let rook = Board::standard().castling_rook(Color::White, CastlingSide::HSide);
    /// assert_eq!(rook.to_string(), "h1");
    /// ```
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Square {
        self.castling_rooks[color.index()][side.index()]
    }

    /// Returns the target square of a legal capture en passant.
    ///
    /// A double push that allows no such capture sets no square, so that equal positions are recognised as equal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Returns the number of half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock.min(u32::from(u16::MAX)) as u16
    }

    /// Returns the move number: 1 at the start of a game, increased after each move of Black.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().fullmove_number(), 1);
    /// ```
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        (self.plies / 2 + 1).min(u32::from(u16::MAX)) as u16
    }

    /// Returns the Zobrist key of the position: pieces, side to move, castling rights and en passant.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// let (mut board, key) = (Board::standard(), Board::standard().key());
    /// let mv = board.legal_moves()[0];
    /// let undo = board.make(mv);
    /// assert_ne!(board.key(), key);
    /// board.unmake(mv, undo);
    /// assert_eq!(board.key(), key);
    /// ```
    #[inline]
    pub fn key(&self) -> Key {
        self.keys.position
    }

    /// Returns the key of the pawns of both sides.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        let of = |color| self.keys.of(color, &[PieceKind::Pawn]);
        of(Color::White) ^ of(Color::Black)
    }

    /// Returns the key of the knights and bishops of both sides.
    #[inline]
    pub fn minor_key(&self) -> Key {
        let minor = [PieceKind::Knight, PieceKind::Bishop];
        self.keys.of(Color::White, &minor) ^ self.keys.of(Color::Black, &minor)
    }

    /// Returns the key of the king and pieces of `color`, without its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.keys.of(color, &PieceKind::ALL[1..])
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

    /// Returns the numbers of the pieces of one colour and kind.
    #[inline(always)]
    fn set(&self, color: Color, kind: PieceKind) -> PieceSet {
        self.sets[piece_code(color, kind) & 15]
    }

    /// Returns the numbers of all pieces of a side.
    #[inline(always)]
    fn all_numbers(&self, color: Color) -> PieceSet {
        self.sets[all_of(color)]
    }

    /// Returns the numbers of all pieces of a side except pawns.
    #[inline(always)]
    fn non_pawns(&self, color: Color) -> PieceSet {
        self.all_numbers(color) & !self.set(color, PieceKind::Pawn)
    }

    /// Returns the 0x88 indices of a side's pieces by number.
    #[inline(always)]
    fn list(&self, color: Color) -> &[Index0x88; 16] {
        &self.squares[color.index()]
    }

    /// Returns the attack-type masks of a side's pieces by number.
    #[inline(always)]
    fn attack_masks(&self, color: Color) -> &[u8; 16] {
        &self.attack_masks[color.index()]
    }

    /// Returns the attack-type mask of the piece of an occupied entry.
    #[inline(always)]
    fn attack_mask_of(&self, entry: MailboxEntry) -> u8 {
        self.attack_masks(entry.color())[entry.number()]
    }
}

/// Returns a mailbox without pieces: empty squares, and sentinels off the board.
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
    /// Compares everything that affects play, piece numbers included. Outdated list entries do not count.
    fn eq(&self, other: &Board) -> bool {
        let pieces = |board: &Board| {
            Color::ALL.map(|color| {
                board
                    .all_numbers(color)
                    .map(|n| (board.list(color)[n], board.attack_masks(color)[n]))
                    .collect::<Vec<_>>()
            })
        };
        self.mailbox == other.mailbox
            && self.sets == other.sets
            && pieces(self) == pieces(other)
            && self.rights_lost_at == other.rights_lost_at
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
