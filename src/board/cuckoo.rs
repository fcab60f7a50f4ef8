//! Detection of the reversible move between two positions from the difference of their keys.
//!
//! A cuckoo hash table contains the 3,668 moves of knights, bishops, rooks, queens and kings on an empty board, by the
//! difference that they make to the key. (Marcel van Kervinck's algorithm for upcoming repetitions, as described in the
//! Chess Programming Wiki.)

use std::sync::LazyLock;

use crate::types::{Color, Key, Piece, PieceKind, Square};

use super::Board;
use super::geometry::{Index0x88, attack_mask, attacks};
use super::mailbox::{attack_mask_of, piece_code};
use super::zobrist::Zobrist;

/// Number of entries of the table; a power of two.
const SIZE: usize = 8192;

/// A move and the difference that it makes to the key of a position.
#[derive(Clone, Copy)]
struct Entry {
    difference: Key,
    squares: (Index0x88, Index0x88),
}

/// An unused entry. Its difference is never looked up, because a move always changes the key.
const EMPTY: Entry = Entry {
    difference: Key(0),
    squares: (0, 0),
};

/// The table of all reversible moves.
static MOVES: LazyLock<Box<[Entry; SIZE]>> = LazyLock::new(|| {
    let mut table = Box::new([EMPTY; SIZE]);
    for entry in reversible_moves() {
        insert(&mut table, entry);
    }
    table
});

/// Returns the two slots of a difference.
#[inline(always)]
fn slots(difference: Key) -> [usize; 2] {
    [difference.0, difference.0 >> 16].map(|bits| bits as usize % SIZE)
}

fn insert(table: &mut [Entry; SIZE], mut entry: Entry) {
    let mut slot = slots(entry.difference)[0];
    loop {
        std::mem::swap(&mut table[slot], &mut entry);
        if entry.difference == EMPTY.difference {
            return;
        }
        // The replaced entry moves to its other slot.
        let [first, second] = slots(entry.difference);
        slot = if slot == first { second } else { first };
    }
}

fn reversible_moves() -> impl Iterator<Item = Entry> {
    let pieces = Color::ALL.into_iter().flat_map(|color| {
        PieceKind::ALL[1..]
            .iter()
            .map(move |&kind| Piece::new(color, kind))
    });
    pieces.flat_map(|piece| {
        let pairs = Square::all()
            .flat_map(|a| Square::all().map(move |b| (a.index_0x88(), b.index_0x88())));
        pairs
            .filter(move |&(a, b)| a < b && attacks(a, b) & attack_mask_of(piece) != 0)
            .map(move |squares| {
                let (zobrist, number) = (Zobrist::get(), piece_code(piece.color, piece.kind));
                let moved = zobrist.piece(number, squares.0) ^ zobrist.piece(number, squares.1);
                Entry {
                    difference: moved ^ zobrist.black(),
                    squares,
                }
            })
    })
}

impl Board {
    /// Returns `true` if the side to move can reach the position with this key by one reversible move of a piece. In
    /// that position, the other side is to move. Checks and pins are not considered.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// let mut board = Board::standard();
    /// let start = board.key();
    /// for name in ["g1f3", "g8f6", "f3g1"] {
    ///     let mv = board.legal_moves().into_iter().find(|mv| format!("{mv:?}") == name);
    ///     let _ = board.make(mv.unwrap());
    /// }
    /// assert!(board.can_move_to(start));
    /// ```
    pub fn can_move_to(&self, key: Key) -> bool {
        let difference = key ^ self.key();
        let entry = slots(difference)
            .map(|slot| MOVES[slot])
            .into_iter()
            .find(|entry| entry.difference == difference);
        let Some(Entry {
            squares: (a, b), ..
        }) = entry
        else {
            return false;
        };
        let mover = if self.entry(a).is_empty() { b } else { a };
        self.entry(mover).is_of(self.side_to_move())
            && (attacks(a, b) & attack_mask::SLIDING == 0 || self.is_clear(a, b))
    }

    /// Returns the difference of two keys that differ only in the side to move.
    #[inline]
    pub fn turn_key(&self) -> Key {
        self.zobrist.black()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;

    #[test]
    fn every_reversible_move_is_found() {
        assert_eq!(reversible_moves().count(), 3668);
        let found = reversible_moves().filter(|entry| {
            slots(entry.difference)
                .iter()
                .any(|&slot| MOVES[slot].difference == entry.difference)
        });
        assert_eq!(found.count(), 3668);
    }

    /// Returns the board after these moves, and the keys of all positions up to it.
    fn play(mut board: Board, moves: &str) -> (Board, Vec<Key>) {
        let mut keys = vec![board.key()];
        for text in moves.split(' ') {
            let legal = board.legal_moves();
            let mv = legal.into_iter().find(|mv| format!("{mv:?}") == text);
            let _ = board.make(mv.expect("legal"));
            keys.push(board.key());
        }
        (board, keys)
    }

    #[test]
    fn a_move_back_is_detected() {
        let (board, keys) = play(Board::standard(), "g1f3 g8f6 f3g1");
        assert!(board.can_move_to(keys[0]), "the knight goes back");
        assert!(
            !board.can_move_to(keys[1]),
            "the same side would be to move"
        );
        assert!(!board.can_move_to(keys[2]));
    }

    #[test]
    fn pieces_do_not_move_through_others() {
        let put = |setup: &mut Setup, name: &str, color, kind| {
            let square = Square::from_name(name).expect("a square");
            setup.set(square, Some(Piece::new(color, kind)));
        };
        let mut setup = Setup::empty();
        setup.side_to_move = Color::Black;
        put(&mut setup, "h1", Color::White, PieceKind::King);
        put(&mut setup, "a1", Color::White, PieceKind::Rook);
        put(&mut setup, "g8", Color::Black, PieceKind::King);
        let round = "g8h8 a1b1 h8g8 b1b3 g8h8 b3a3 h8g8";
        let (board, keys) = play(Board::from_setup(&setup).expect("legal"), round);
        assert!(board.can_move_to(keys[0]), "back down the file");
        put(&mut setup, "a2", Color::White, PieceKind::Knight);
        let (board, keys) = play(Board::from_setup(&setup).expect("legal"), round);
        assert!(!board.can_move_to(keys[0]), "the knight blocks the file");
    }
}
