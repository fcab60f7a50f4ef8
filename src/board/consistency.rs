//! Consistency check of a board, for tests and debug builds.

use crate::types::{CastlingSide, Color, PieceKind, PieceSet, Square};

use super::Board;
use super::geometry::is_off_board;
use super::mailbox::{MailboxEntry, all_of, attack_mask_of};
use super::zobrist::Keys;

impl Board {
    /// Compares piece lists, sets, castling rights and keys with the mailbox.
    ///
    /// # Errors
    /// A description of the first difference.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().check_consistency(), Ok(()));
    /// ```
    pub fn check_consistency(&self) -> Result<(), &'static str> {
        let mut sets = [PieceSet::EMPTY; 16];
        let mut keys = Keys::default();
        for square in Square::all() {
            let index = square.index_0x88();
            let entry = self.entry(index);
            let Some(piece) = entry.piece() else { continue };
            if self.list(piece.color)[entry.number()] != index {
                return Err("a piece list has the wrong square of a piece");
            }
            if self.attack_masks(piece.color)[entry.number()] != attack_mask_of(piece) {
                return Err("the attack-type mask of a piece is wrong");
            }
            if (entry.number() == 0) != (piece.kind == PieceKind::King) {
                return Err("a number 0 is not the king, or a king has another number");
            }
            sets[entry.piece_code()].insert(entry.number());
            sets[all_of(entry.color())].insert(entry.number());
            keys.toggle(
                entry.piece_code(),
                self.zobrist.piece(entry.piece_code(), index),
            );
        }
        if sets != self.sets {
            return Err("a set of piece numbers is wrong");
        }
        if (0..=255)
            .any(|index: u8| is_off_board(index) != (self.entry(index) == MailboxEntry::SENTINEL))
        {
            return Err("a sentinel is missing or misplaced");
        }
        if self.side_to_move == Color::Black {
            keys.position ^= self.zobrist.black();
        }
        keys.position ^= self.zobrist.castling(self.state.rights.index());
        if let Some(square) = self.state.en_passant {
            keys.position ^= self.zobrist.en_passant(square.index_0x88());
        }
        if keys != self.keys {
            return Err("an incremental key is wrong");
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL
                .into_iter()
                .filter(|&side| self.state.rights.has(color, side))
            {
                let rook = self.piece_on(self.castling_rook(color, side));
                if rook.is_none_or(|piece| piece.kind != PieceKind::Rook || piece.color != color) {
                    return Err("a castling right without its rook");
                }
            }
        }
        Ok(())
    }
}
