//! Moves in sixteen bits.
//!
//! | bits | meaning |
//! |---|---|
//! | 0-7 without 3 and 7 | 0x88 index of the start square |
//! | 8-15 without 11 and 15 | 0x88 index of the target square; for castling, the square of the own rook |
//! | 3, 7, 11, 15 | [`MoveKind`], from its lowest bit |
//!
//! A 0x88 index of a square never uses bits 3 and 7, so that the kind fits there. Creating and reading a move needs no
//! conversion of squares.
//!
//! Castling is "king takes own rook", so that Fischer Random needs no special case. Only `notation` reads and writes
//! `e1g1` and `O-O`.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{CastlingSide, PieceKind, Square};

/// Upper limit of the number of legal moves of a position.
///
/// Positions from games have at most 218. The limit for any setup is 15 queens with 27 moves each and a king with 8.
pub const MAX_LEGAL_MOVES: usize = 413;

/// Capacity of a move list: all moves of a position, and the unused part of one SIMD register written after them.
pub const MOVE_LIST_CAPACITY: usize = 448;

/// A list of the moves of one position.
pub type MoveList = ArrayVec<Move, MOVE_LIST_CAPACITY>;

/// The kind of a move.
///
/// No kind is 0, so that no move is 0. Bit 2 marks captures and bit 3 promotions. Bit 1 without bit 3 marks plain
/// moves, which only move one piece to the target: one mask recognises them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A move that is no capture, promotion, double push or castling.
    Quiet = 2,
    /// A pawn's move over two squares.
    DoublePush = 3,
    /// Castling; the target is the square of the own rook.
    Castle = 1,
    /// A capture on the target square, without promotion.
    Capture = 6,
    /// A capture en passant.
    EnPassant = 5,
    /// Promotion to a knight without capture.
    PromoteKnight = 8,
    /// Promotion to a bishop without capture.
    PromoteBishop = 9,
    /// Promotion to a rook without capture.
    PromoteRook = 10,
    /// Promotion to a queen without capture.
    PromoteQueen = 11,
    /// Promotion to a knight with a capture.
    CapturePromoteKnight = 12,
    /// Promotion to a bishop with a capture.
    CapturePromoteBishop = 13,
    /// Promotion to a rook with a capture.
    CapturePromoteRook = 14,
    /// Promotion to a queen with a capture.
    CapturePromoteQueen = 15,
}

/// Bits of a move that hold the kind.
const KIND_MASK: u16 = 0x8888;
const CAPTURE_BIT: u16 = MoveKind::scattered(4);
const PROMOTION_BIT: u16 = MoveKind::scattered(8);

/// Move kinds by number. The unused numbers 0, 4 and 7 are read as quiet moves.
const KINDS: [MoveKind; 16] = [
    MoveKind::Quiet,
    MoveKind::Castle,
    MoveKind::Quiet,
    MoveKind::DoublePush,
    MoveKind::Quiet,
    MoveKind::EnPassant,
    MoveKind::Capture,
    MoveKind::Quiet,
    MoveKind::PromoteKnight,
    MoveKind::PromoteBishop,
    MoveKind::PromoteRook,
    MoveKind::PromoteQueen,
    MoveKind::CapturePromoteKnight,
    MoveKind::CapturePromoteBishop,
    MoveKind::CapturePromoteRook,
    MoveKind::CapturePromoteQueen,
];

/// A move in 16 bits. `Option<Move>` has the same size.
///
/// ```
/// use gaur::types::{Move, MoveKind, Square};
///
/// let square = |name| Square::from_name(name).unwrap();
/// let mv = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
/// assert_eq!((mv.from(), mv.to()), (square("e2"), square("e4")));
/// assert!(!mv.is_noisy());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// Creates a move between two different squares.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index_0x88() as u16 | (to.index_0x88() as u16) << 8 | kind.bits();
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // Impossible, because no kind is 0. A value instead of a panic keeps this function free of side effects, so
            // that the compiler removes it where moves are only counted.
            None => Move(NonZeroU16::MIN),
        }
    }

    /// Returns the bits of the move, which are never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Creates a move from its bits, or returns `None` for 0.
    ///
    /// The result can be an impossible move; test it with [`Board::is_legal`](crate::board::Board::is_legal).
    ///
    /// ```
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let mv = Move::new(Square::from_index(0), Square::from_index(8), MoveKind::Quiet);
    /// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    /// assert_eq!(Move::from_bits(0), None);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// Returns the start square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index_0x88(self.bits() as u8 & 0x77)
    }

    /// Returns the target square; for castling, the square of the own rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index_0x88((self.bits() >> 8) as u8 & 0x77)
    }

    /// Returns the indices of `from` and `to`, 0 (a1) to 63 (h8), computed together.
    ///
    /// ```
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let mv = Move::new(Square::from_index(1), Square::from_index(18), MoveKind::Quiet);
    /// assert_eq!(mv.indices(), (1, 18));
    /// assert_eq!(mv.from_to(), 1 | 18 << 6);
    /// ```
    #[inline]
    pub const fn indices(self) -> (usize, usize) {
        let indices = self.bits() as usize & 0x7777;
        // In each byte, this moves the rank down by one bit; the bit shifted out is 0.
        let both = (indices + (indices & 0x0707)) >> 1;
        (both & 63, both >> 8)
    }

    /// Returns `from` and `to` combined into an index below 4096, for butterfly tables.
    #[inline]
    pub const fn from_to(self) -> usize {
        let (from, to) = self.indices();
        from | to << 6
    }

    /// Returns the kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        // The multiplication gathers the four bits side by side.
        let spread = (self.bits() & KIND_MASK) as u32 >> 3;
        KINDS[((spread * 0x1248) >> 12 & 15) as usize]
    }

    /// Returns `true` if the move is of `kind`; always `false` for bits that are no kind.
    #[inline]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.bits() & KIND_MASK == kind.bits()
    }

    /// Returns `true` for all moves except castling, promotions and en passant: one piece moves to the target, and a
    /// captured piece is on the target.
    ///
    /// ```
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let mv = |kind| Move::new(Square::from_index(0), Square::from_index(8), kind);
    /// assert!(mv(MoveKind::Capture).is_plain());
    /// assert!(!mv(MoveKind::EnPassant).is_plain());
    /// ```
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.bits() & MoveKind::scattered(0b1010) == MoveKind::scattered(0b0010)
    }

    /// Returns `true` if the four kind bits are those of a [`MoveKind`].
    #[inline]
    pub const fn is_canonical(self) -> bool {
        self.is(self.kind())
    }

    /// Returns `true` for captures, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE_BIT != 0
    }

    /// Returns `true` for promotions.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() & PROMOTION_BIT != 0
    }

    /// Returns `true` for captures and promotions.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.bits() & (CAPTURE_BIT | PROMOTION_BIT) != 0
    }

    /// Returns `true` for castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.is(MoveKind::Castle)
    }

    /// Returns the side of a castling move. Meaningless for other moves.
    ///
    /// ```
    /// use gaur::types::{CastlingSide, Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let castling = Move::new(square("e1"), square("a1"), MoveKind::Castle);
    /// assert_eq!(castling.castling_side(), CastlingSide::ASide);
    /// ```
    #[inline]
    pub const fn castling_side(self) -> CastlingSide {
        // King and rook are on the same rank, so that their indices compare as their files do.
        if self.to().index_0x88() > self.from().index_0x88() {
            CastlingSide::HSide
        } else {
            CastlingSide::ASide
        }
    }

    /// Returns the kind to which a pawn promotes.
    ///
    /// ```
    /// use gaur::types::{Move, MoveKind, PieceKind, Square};
    ///
    /// let kind = MoveKind::promotion(PieceKind::Rook, false);
    /// let mv = Move::new(Square::from_index(48), Square::from_index(56), kind);
    /// assert_eq!(mv.promotion(), Some(PieceKind::Rook));
    /// ```
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::PromoteKnight | MoveKind::CapturePromoteKnight => Some(PieceKind::Knight),
            MoveKind::PromoteBishop | MoveKind::CapturePromoteBishop => Some(PieceKind::Bishop),
            MoveKind::PromoteRook | MoveKind::CapturePromoteRook => Some(PieceKind::Rook),
            MoveKind::PromoteQueen | MoveKind::CapturePromoteQueen => Some(PieceKind::Queen),
            _ => None,
        }
    }
}

impl MoveKind {
    /// Returns the bits of the kind within [`Move::bits`].
    #[inline]
    pub const fn bits(self) -> u16 {
        MoveKind::scattered(self as u16)
    }

    /// Returns the bits of a kind's number at their positions within a move.
    #[inline]
    const fn scattered(number: u16) -> u16 {
        (number & 1) << 3 | (number & 2) << 6 | (number & 4) << 9 | (number & 8) << 12
    }

    /// Returns the promotion to `kind`, with or without a capture. King and pawn are replaced by the queen.
    ///
    /// ```
    /// use gaur::types::{MoveKind, PieceKind};
    ///
    /// assert_eq!(MoveKind::promotion(PieceKind::Queen, true), MoveKind::CapturePromoteQueen);
    /// ```
    #[inline]
    pub const fn promotion(kind: PieceKind, capture: bool) -> MoveKind {
        match (kind, capture) {
            (PieceKind::Knight, false) => MoveKind::PromoteKnight,
            (PieceKind::Bishop, false) => MoveKind::PromoteBishop,
            (PieceKind::Rook, false) => MoveKind::PromoteRook,
            (_, false) => MoveKind::PromoteQueen,
            (PieceKind::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceKind::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceKind::Rook, true) => MoveKind::CapturePromoteRook,
            (_, true) => MoveKind::CapturePromoteQueen,
        }
    }
}

/// Writes the coordinates of the move for messages and tests, castling as "king takes rook".
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive_encoding() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                for kind in KINDS {
                    let mv = Move::new(from, to, kind);
                    assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                }
            }
        }
    }

    #[test]
    fn any_bits_but_zero_are_a_move() {
        for bits in 1..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else {
                panic!("{bits} is not 0");
            };
            let again = Move::new(mv.from(), mv.to(), mv.kind());
            assert_eq!(mv.is_canonical(), again == mv);
            assert_eq!(mv.indices(), (mv.from().index(), mv.to().index()));
            assert_eq!(mv.from_to(), mv.from().index() | mv.to().index() << 6);
        }
    }

    #[test]
    fn kind_predicates_agree_with_the_kind() {
        let (from, to) = (Square::from_index(52), Square::from_index(61));
        let mv = Move::new(from, to, MoveKind::CapturePromoteRook);
        assert!(mv.is_capture() && mv.is_promotion() && mv.is_noisy() && !mv.is_castle());
        assert_eq!(mv.promotion(), Some(PieceKind::Rook));
        assert!(Move::new(from, to, MoveKind::EnPassant).is_capture());
        assert!(!Move::new(from, to, MoveKind::Castle).is_noisy());
    }
}
