//! A move in sixteen bits.
//!
//! | bits | meaning |
//! |---|---|
//! | 0-7 without 3 and 7 | 0x88 code of the square left |
//! | 8-15 without 11 and 15 | 0x88 code of the square reached; for castling the square of the own rook |
//! | 3, 7, 11, 15 | [`MoveKind`], from its lowest bit |
//!
//! The bits that a 0x88 code of a square never uses hold the kind: a move is put together and taken apart without
//! converting squares, which is a good part of the work of making one.
//!
//! Castling is king-takes-own-rook, so that Fischer Random needs no special case; only `notation` knows
//! `e1g1` and `O-O`.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{CastlingSide, PieceKind, Square};

/// No position has more legal moves: 218 in a game, and at most so many (fifteen queens on an open board with 27 each,
/// the king with 8) in what somebody may set up.
pub const MAX_LEGAL_MOVES: usize = 413;

/// Room in a list of moves: for all of a position, and for those of a piece that are written at once.
pub const MOVE_LIST_CAPACITY: usize = 448;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MOVE_LIST_CAPACITY>;

/// What a move does besides going from one square to another.
///
/// No kind has number 0, so that no move is 0; bit 2 says capture, bit 3 promotion, and bit 1 without bit 3 that one
/// piece just goes to the target: one mask finds quiet moves and ordinary captures, nearly all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// Neither capture nor promotion nor any of the special moves.
    Quiet = 2,
    /// A pawn's first move over two squares.
    DoublePush = 3,
    /// King takes own rook: the target is the rook's square.
    Castle = 1,
    /// A capture on the target square.
    Capture = 6,
    /// A pawn captures a pawn that has just passed it.
    EnPassant = 5,
    /// Promotion to a knight without capture; the three that follow likewise.
    PromoteKnight = 8,
    /// To a bishop.
    PromoteBishop = 9,
    /// To a rook.
    PromoteRook = 10,
    /// To a queen.
    PromoteQueen = 11,
    /// Promotion to a knight with capture; the three that follow likewise.
    CapturePromoteKnight = 12,
    /// To a bishop.
    CapturePromoteBishop = 13,
    /// To a rook.
    CapturePromoteRook = 14,
    /// To a queen.
    CapturePromoteQueen = 15,
}

/// The bits that hold the kind.
const KIND_MASK: u16 = 0x8888;
const CAPTURE_BIT: u16 = MoveKind::scattered(4);
const PROMOTION_BIT: u16 = MoveKind::scattered(8);

/// Number to kind; the numbers no move has (0, 4, 7) read as quiet.
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

/// A move, as small as it gets; `Option<Move>` has the same size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move between two different squares.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index_0x88() as u16 | (to.index_0x88() as u16) << 8 | kind.bits();
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // Does not happen, as no kind is 0; a value instead of a panic keeps moves free of side effects, so that
            // counting them costs nothing.
            None => Move(NonZeroU16::MIN),
        }
    }

    /// The sixteen bits, never 0, for the transposition table.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// A move from its bits; `None` for 0. Any other number is some move, perhaps an absurd one: ask
    /// the board whether it is legal.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The square left.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index_0x88(self.bits() as u8 & 0x77)
    }

    /// The square reached; for castling the square of the own rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index_0x88((self.bits() >> 8) as u8 & 0x77)
    }

    /// The indices of `from` and `to`, 0 (a1) to 63 (h8), both worked out at once.
    #[inline]
    pub const fn indices(self) -> (usize, usize) {
        let codes = self.bits() as usize & 0x7777;
        // In each byte the rank comes one bit lower; the bit that leaves it is 0.
        let both = (codes + (codes & 0x0707)) >> 1;
        (both & 63, both >> 8)
    }

    /// `from` and `to` as one number below 4096, the index of butterfly tables.
    #[inline]
    pub const fn from_to(self) -> usize {
        let (from, to) = self.indices();
        from | to << 6
    }

    /// What else it does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        // Gathers the four bits: each meets one of the factor's bits so that they end side by side.
        let spread = (self.bits() & KIND_MASK) as u32 >> 3;
        KINDS[((spread * 0x1248) >> 12 & 15) as usize]
    }

    /// Whether it is of this kind, for one that is known when compiling; false for numbers no kind has.
    #[inline]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.bits() & KIND_MASK == kind.bits()
    }

    /// Whether one piece just goes to the target, perhaps taking what stands there: all moves but castling, promotions
    /// and en passant.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.bits() & MoveKind::scattered(0b1010) == MoveKind::scattered(0b0010)
    }

    /// Whether the four kind bits are those of a [`MoveKind`]; false for the numbers no kind has.
    #[inline]
    pub const fn is_canonical(self) -> bool {
        self.is(self.kind())
    }

    /// Whether it takes something, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE_BIT != 0
    }

    /// Whether a pawn becomes something else.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() & PROMOTION_BIT != 0
    }

    /// Whether it is a capture or a promotion.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.bits() & (CAPTURE_BIT | PROMOTION_BIT) != 0
    }

    /// Whether it is castling.
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

    /// What a pawn becomes by this move.
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
    /// Its part of [`Move::bits`].
    #[inline]
    pub const fn bits(self) -> u16 {
        MoveKind::scattered(self as u16)
    }

    /// A kind's number with its bits where a move keeps them.
    #[inline]
    const fn scattered(number: u16) -> u16 {
        (number & 1) << 3 | (number & 2) << 6 | (number & 4) << 9 | (number & 8) << 12
    }

    /// The promotion to `kind`, with or without capture; a king or pawn is no promotion and gives a queen.
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

/// For messages and tests: the inner form, castling as king takes rook.
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
    fn fields_come_back() {
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
    fn any_bits_are_some_move() {
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
    fn kinds_say_what_they_are() {
        let (from, to) = (Square::from_index(52), Square::from_index(61));
        let mv = Move::new(from, to, MoveKind::CapturePromoteRook);
        assert!(mv.is_capture() && mv.is_promotion() && mv.is_noisy() && !mv.is_castle());
        assert_eq!(mv.promotion(), Some(PieceKind::Rook));
        assert!(Move::new(from, to, MoveKind::EnPassant).is_capture());
        assert!(!Move::new(from, to, MoveKind::Castle).is_noisy());
    }
}
