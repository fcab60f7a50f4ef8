//! Which reversible move turns one position into another: told by the difference of their keys alone.
//!
//! All such moves of knights, bishops, rooks, queens and kings on an empty board, 3,668 of them, in a cuckoo hash
//! table. (Marcel van Kervinck's algorithm for upcoming repetitions, as described in the Chess Programming Wiki.)

use std::sync::LazyLock;

use crate::types::{Color, Key, Piece, PieceKind, Square};

use super::Board;
use super::geometry::{Index0x88, attack_mask, attacks};
use super::mailbox::{attack_mask_of, piece_code};
use super::zobrist::Zobrist;

/// Places of the table; a power of two.
const SIZE: usize = 8192;

/// A move by the difference that it makes to a position's key.
#[derive(Clone, Copy)]
struct Entry {
    difference: Key,
    squares: (Index0x88, Index0x88),
}

/// No move: the difference is never looked for, as no two positions one move apart have equal keys.
const EMPTY: Entry = Entry {
    difference: Key(0),
    squares: (0, 0),
};

static MOVES: LazyLock<Box<[Entry; SIZE]>> = LazyLock::new(|| {
    let mut table = Box::new([EMPTY; SIZE]);
    for entry in reversible_moves() {
        insert(&mut table, entry);
    }
    table
});

/// The two places where a difference may be.
#[inline(always)]
fn places(difference: Key) -> [usize; 2] {
    [difference.0, difference.0 >> 16].map(|bits| bits as usize % SIZE)
}

fn insert(table: &mut [Entry; SIZE], mut entry: Entry) {
    let mut place = places(entry.difference)[0];
    loop {
        std::mem::swap(&mut table[place], &mut entry);
        if entry.difference == EMPTY.difference {
            return;
        }
        // Who was thrown out goes to its other place.
        let [first, second] = places(entry.difference);
        place = if place == first { second } else { first };
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
                let (zobrist, code) = (Zobrist::get(), piece_code(piece.color, piece.kind));
                let moved = zobrist.piece(code, squares.0) ^ zobrist.piece(code, squares.1);
                Entry {
                    difference: moved ^ zobrist.black(),
                    squares,
                }
            })
    })
}

impl Board {
    /// Whether the side to move could, by one reversible move of a piece, bring about the position with this key, in
    /// which the other side is to move. Checks and pins are not considered.
    pub fn can_move_to(&self, key: Key) -> bool {
        let difference = key ^ self.key();
        let entry = places(difference)
            .map(|place| MOVES[place])
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

    /// What the key changes by when the turn passes, and nothing else changes.
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
            places(entry.difference)
                .iter()
                .any(|&place| MOVES[place].difference == entry.difference)
        });
        assert_eq!(found.count(), 3668);
    }

    /// A board after these moves, and the keys of all positions on the way.
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
    fn a_move_back_is_seen() {
        let (board, keys) = play(Board::standard(), "g1f3 g8f6 f3g1");
        assert!(board.can_move_to(keys[0]), "the knight goes back");
        assert!(
            !board.can_move_to(keys[1]),
            "the same side would be to move"
        );
        assert!(!board.can_move_to(keys[2]));
    }

    #[test]
    fn nobody_moves_through_others() {
        let place = |setup: &mut Setup, name: &str, color, kind| {
            let square = Square::from_name(name).expect("a square");
            setup.set(square, Some(Piece::new(color, kind)));
        };
        let mut setup = Setup::empty();
        setup.side_to_move = Color::Black;
        place(&mut setup, "h1", Color::White, PieceKind::King);
        place(&mut setup, "a1", Color::White, PieceKind::Rook);
        place(&mut setup, "g8", Color::Black, PieceKind::King);
        let round = "g8h8 a1b1 h8g8 b1b3 g8h8 b3a3 h8g8";
        let (board, keys) = play(Board::from_setup(&setup).expect("legal"), round);
        assert!(board.can_move_to(keys[0]), "back down the file");
        place(&mut setup, "a2", Color::White, PieceKind::Knight);
        let (board, keys) = play(Board::from_setup(&setup).expect("legal"), round);
        assert!(!board.can_move_to(keys[0]), "the knight stands in between");
    }
}
