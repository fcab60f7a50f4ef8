//! Entries of the mailbox: an empty square, the sentinel, or a piece with its number.

use crate::types::{Color, Piece, PieceKind};

use super::geometry::attack_mask;

/// An entry of the mailbox.
///
/// | bits | meaning |
/// |---|---|
/// | 0-3 | number of the piece |
/// | 4-6 | kind of the piece + 1 |
/// | 7 | colour of the piece |
///
/// An empty square is 0, the sentinel is 1. As a signed number, Black's pieces are negative and White's are at least
/// 0x10: one comparison separates own pieces, empty squares and enemy pieces. Move generation makes this comparison
/// more often than any other.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct MailboxEntry(pub u8);

/// Piece kinds by bits 4-6. The values 0 and 7 do not occur in pieces.
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
    /// An empty square.
    pub const EMPTY: MailboxEntry = MailboxEntry(0);
    /// An entry off the board: not empty, and of neither colour, so that rays and pawn pushes end there.
    pub const SENTINEL: MailboxEntry = MailboxEntry(1);

    /// Creates the entry of a piece with its number.
    #[inline(always)]
    pub const fn new(piece: Piece, number: usize) -> MailboxEntry {
        MailboxEntry((piece_code(piece.color, piece.kind) as u8) << 4 | (number as u8 & 15))
    }

    /// Returns `true` for an empty square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of the piece in its side's list.
    #[inline(always)]
    pub const fn number(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Returns the [`piece_code`] of the piece; 0 for an empty square and the sentinel.
    #[inline(always)]
    pub const fn piece_code(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// Returns the kind of the piece. Only for occupied squares.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        KINDS[(self.0 >> 4 & 7) as usize]
    }

    /// Returns `true` for a pawn of either colour.
    #[inline(always)]
    pub const fn is_pawn(self) -> bool {
        self.0 & 0x70 == 0x10
    }

    /// Returns the colour of the piece. Only for occupied squares.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 & 0x80 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Returns `true` for a piece of `color`.
    #[inline(always)]
    pub const fn is_of(self, color: Color) -> bool {
        match color {
            Color::White => self.0 as i8 >= 0x10,
            Color::Black => (self.0 as i8) < 0,
        }
    }

    /// Returns the piece of an entry on the board.
    #[inline(always)]
    pub const fn piece(self) -> Option<Piece> {
        if self.is_empty() {
            None
        } else {
            Some(Piece::new(self.color(), self.kind()))
        }
    }
}

/// Returns kind and colour as one number: 1 to 6 for White's pawn to king, 9 to 14 for Black's. It is the index of
/// tables by piece.
#[inline(always)]
pub(super) const fn piece_code(color: Color, kind: PieceKind) -> usize {
    (color as usize) << 3 | (kind as usize + 1)
}

/// Returns the index of all pieces of a colour in tables by [`piece_code`].
#[inline(always)]
pub(super) const fn all_of(color: Color) -> usize {
    (color as usize) << 3
}

/// Returns the [`attack_mask`] of a piece.
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
