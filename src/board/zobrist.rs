//! Zobrist keys. The random generator has a fixed seed, so that every build has the same keys and bench number.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::types::{Color, Key, PieceKind};

use super::geometry::Index0x88;
use super::mailbox::piece_code;

/// An arbitrary number. A change of it changes every key and the bench number.
const SEED: u64 = 0x0088_6175_7220_0088;

/// The random numbers of which keys consist. They are aligned, so that the eight keys of a rank share a cache line.
#[repr(C, align(64))]
pub(super) struct Zobrist {
    /// Keys of pieces by [`piece_code`] and 0x88 index.
    pieces: [[Key; 128]; 16],
    /// Keys of castling rights by `CastlingRights::index`. The key of a set is the XOR of the keys of its rights.
    castling: [Key; 16],
    /// Keys of en passant squares by file.
    en_passant: [Key; 8],
    /// Key of Black to move.
    black: Key,
}

static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(Zobrist::generate);

impl Zobrist {
    /// Returns the table, which is created at the first call.
    pub fn get() -> &'static Zobrist {
        &ZOBRIST
    }

    fn generate() -> Zobrist {
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let mut next = || Key(random.next_u64());
        let mut zobrist = Zobrist {
            pieces: [[Key(0); 128]; 16],
            castling: [Key(0); 16],
            en_passant: [Key(0); 8],
            black: next(),
        };
        for (_, squares) in
            (zobrist.pieces.iter_mut().enumerate()).filter(|&(piece_code, _)| is_piece(piece_code))
        {
            for index in (0..128).filter(|index| index & 0x88 == 0) {
                squares[index] = next();
            }
        }
        let rights = [next(), next(), next(), next()];
        for (set, key) in zobrist.castling.iter_mut().enumerate() {
            for (bit, &right) in rights.iter().enumerate() {
                if set >> bit & 1 != 0 {
                    *key ^= right;
                }
            }
        }
        for key in &mut zobrist.en_passant {
            *key = next();
        }
        zobrist
    }

    #[inline(always)]
    pub fn piece(&self, piece_code: usize, index: Index0x88) -> Key {
        self.pieces[piece_code & 15][(index & 127) as usize]
    }

    #[inline(always)]
    pub fn castling(&self, rights: usize) -> Key {
        self.castling[rights & 15]
    }

    #[inline(always)]
    pub fn en_passant(&self, index: Index0x88) -> Key {
        self.en_passant[(index & 7) as usize]
    }

    #[inline(always)]
    pub fn black(&self) -> Key {
        self.black
    }
}

/// Returns `true` if a number is the [`piece_code`](fn@piece_code) of a piece.
fn is_piece(piece_code: usize) -> bool {
    matches!(piece_code, 1..=6 | 9..=14)
}

/// The keys of a board, updated with every change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// Key of the position: pieces, side to move, castling rights and en passant.
    pub position: Key,
    /// Keys of the pieces of one colour and kind, by [`piece_code`]. The keys of pawns, of minor pieces and others are
    /// combined from them on demand, so that a move changes only one of them.
    pieces: [Key; 16],
}

impl Keys {
    /// Adds or removes the key of one piece.
    #[inline(always)]
    pub fn toggle(&mut self, piece_code: usize, key: Key) {
        self.position ^= key;
        self.toggle_piece(piece_code, key);
    }

    /// Adds or removes the key of one piece, except in the key of the position. Unmaking a move restores that key from
    /// its [`Undo`](super::Undo).
    #[inline(always)]
    pub fn toggle_piece(&mut self, piece_code: usize, key: Key) {
        self.pieces[piece_code & 15] ^= key;
    }

    /// Returns the key of the pieces of one colour and some kinds.
    #[inline(always)]
    pub fn of(&self, color: Color, kinds: &[PieceKind]) -> Key {
        kinds.iter().fold(Key::default(), |key, &kind| {
            key ^ self.pieces[piece_code(color, kind) & 15]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_change() {
        // The bench number and stored keys depend on these numbers.
        let zobrist = Zobrist::get();
        let mut sum = zobrist.black.0;
        for (index, key) in zobrist.pieces.iter().flatten().enumerate() {
            sum = sum.rotate_left(7).wrapping_add(key.0 ^ index as u64);
        }
        for key in zobrist.castling.iter().chain(&zobrist.en_passant) {
            sum = sum.rotate_left(7).wrapping_add(key.0);
        }
        assert_eq!(sum, 0xfd20_93d4_79f5_9978, "checksum {sum:#x}");
    }

    #[test]
    fn keys_differ() {
        let zobrist = Zobrist::get();
        let mut keys: Vec<u64> = zobrist
            .pieces
            .iter()
            .flatten()
            .map(|key| key.0)
            .filter(|&key| key != 0)
            .collect();
        keys.extend(
            zobrist.castling[1..]
                .iter()
                .chain(&zobrist.en_passant)
                .map(|key| key.0),
        );
        keys.push(zobrist.black.0);
        assert_eq!(keys.len(), 12 * 64 + 15 + 8 + 1);
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 12 * 64 + 15 + 8 + 1);
    }
}
