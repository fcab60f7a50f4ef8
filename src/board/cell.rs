//! What a cell of the 0x88 array holds: nothing, or a piece with its number in its side's list.

use crate::types::{Color, Piece, PieceKind};

use super::geometry::reach;

/// One byte: bits 0-3 the piece's number, bit 4 its colour, bits 5-7 its kind + 1; 0 for an empty square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell(pub u8);

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

impl Cell {
    pub const EMPTY: Cell = Cell(0);

    #[inline(always)]
    pub const fn new(piece: Piece, number: usize) -> Cell {
        Cell((piece.kind as u8 + 1) << 5 | (piece.color as u8) << 4 | (number as u8 & 15))
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Colour and number together, 0-31: the index of the piece lists.
    #[inline(always)]
    pub const fn slot(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The piece's number in its side's list.
    #[inline(always)]
    pub const fn number(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Kind and colour together, 2-13: the index of per-piece tables.
    #[inline(always)]
    pub const fn piece_code(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// Kind of a full cell.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        KINDS[(self.0 >> 5) as usize]
    }

    /// Colour of a full cell.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 & 16 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Whether it holds a piece of `color`.
    #[inline(always)]
    pub const fn is_of(self, color: Color) -> bool {
        self.0 != 0 && (self.0 >> 4 & 1) == color as u8
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

/// Kind and colour as in [`Cell::piece_code`].
#[inline(always)]
pub(super) const fn piece_code(color: Color, kind: PieceKind) -> usize {
    (kind as usize + 1) << 1 | color as usize
}

/// The [`reach`] bits of a piece.
pub(super) const fn reach_of(piece: Piece) -> u8 {
    match (piece.kind, piece.color) {
        (PieceKind::Pawn, Color::White) => reach::WHITE_PAWN,
        (PieceKind::Pawn, Color::Black) => reach::BLACK_PAWN,
        (PieceKind::Knight, _) => reach::KNIGHT,
        (PieceKind::Bishop, _) => reach::DIAGONAL,
        (PieceKind::Rook, _) => reach::STRAIGHT,
        (PieceKind::Queen, _) => reach::DIAGONAL | reach::STRAIGHT,
        (PieceKind::King, _) => reach::KING,
    }
}
