//! What a entry of the 0x88 array holds: nothing, or a piece with its number in its side's list.

use crate::types::{Color, Piece, PieceKind};

use super::geometry::attack_mask;

/// One byte: bits 0-3 the piece's number, bits 4-6 its kind + 1, bit 7 its colour; 0 for an empty square, 1 for what is
/// off the board.
///
/// Read as a signed number an own piece, an empty square and an enemy piece differ in sign: one comparison tells them
/// apart, and that comparison is what move generation does most.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct MailboxEntry(pub u8);

const KINDS: [PieceKind; 8] = [
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Queen,
    PieceKind::King,
    PieceKind::King,
];

impl MailboxEntry {
    pub const EMPTY: MailboxEntry = MailboxEntry(0);
    /// Off the board: neither empty nor anybody's, so that rays and pawns end there without asking for the edge.
    pub const SENTINEL: MailboxEntry = MailboxEntry(1);

    #[inline(always)]
    pub const fn new(piece: Piece, number: usize) -> MailboxEntry {
        MailboxEntry((piece_code(piece.color, piece.kind) as u8) << 4 | (number as u8 & 15))
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The piece's number in its side's list.
    #[inline(always)]
    pub const fn number(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Kind and colour together, see [`piece_code`]: the index of per-piece tables. 0 for an empty entry and a wall.
    #[inline(always)]
    pub const fn piece_code(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// Kind of a full entry.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        KINDS[(self.0 >> 4 & 7) as usize]
    }

    /// Whether it holds a pawn of either colour.
    #[inline(always)]
    pub const fn is_pawn(self) -> bool {
        self.0 & 0x70 == 0x10
    }

    /// Colour of a full entry.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 & 0x80 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Whether it holds a piece of `color`.
    #[inline(always)]
    pub const fn is_of(self, color: Color) -> bool {
        match color {
            Color::White => self.0 as i8 >= 0x10,
            Color::Black => (self.0 as i8) < 0,
        }
    }

    #[inline(always)]
    pub const fn piece(self) -> Option<Piece> {
        if self.is_empty() {
            None
        } else {
            Some(Piece::new(self.color(), self.kind()))
        }
    }
}

/// Kind and colour as in [`MailboxEntry::piece_code`]: 1 to 6 for White's pawn to king, 9 to 14 for Black's.
#[inline(always)]
pub(super) const fn piece_code(color: Color, kind: PieceKind) -> usize {
    (color as usize) << 3 | (kind as usize + 1)
}

/// In the place of a [`piece_code`]: all pieces of a colour.
#[inline(always)]
pub(super) const fn all_of(color: Color) -> usize {
    (color as usize) << 3
}

/// The [`attack_mask`] bits of a piece.
pub(super) const fn attack_mask_of(piece: Piece) -> u8 {
    match (piece.kind, piece.color) {
        (PieceKind::Pawn, Color::White) => attack_mask::WHITE_PAWN,
        (PieceKind::Pawn, Color::Black) => attack_mask::BLACK_PAWN,
        (PieceKind::Knight, _) => attack_mask::KNIGHT,
        (PieceKind::Bishop, _) => attack_mask::DIAGONAL,
        (PieceKind::Rook, _) => attack_mask::STRAIGHT,
        (PieceKind::Queen, _) => attack_mask::DIAGONAL | attack_mask::STRAIGHT,
        (PieceKind::King, _) => attack_mask::KING,
    }
}
