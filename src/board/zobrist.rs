//! Zobrist keys, from a generator with a fixed seed, so that every build counts the same nodes.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::types::{Color, Key, PieceKind};

use super::geometry::Index0x88;
use super::mailbox::piece_code;

/// Any number would do; changing it changes every key and with them the bench.
const SEED: u64 = 0x0088_6175_7220_0088;

/// The random numbers that keys are made of. Aligned, so that the eight keys of a rank are one cache line.
#[repr(C, align(64))]
pub(super) struct Zobrist {
    /// By `MailboxEntry::piece_code` and 0x88 index.
    pieces: [[Key; 128]; 16],
    /// By `CastlingRights::index`; the four rights are independent, so that sets combine by xor.
    castling: [Key; 16],
    /// By file of the en passant square.
    en_passant: [Key; 8],
    /// Black to move.
    black: Key,
}

static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(Zobrist::generate);

impl Zobrist {
    /// The one table, made at first use; boards keep the reference.
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

/// Whether a number is the piece_code of a piece, see `mailbox::piece_code`.
fn is_piece(piece_code: usize) -> bool {
    matches!(piece_code, 1..=6 | 9..=14)
}

/// The keys of a board, kept up to date by every change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// Everything: pieces, side to move, castling rights, en passant.
    pub position: Key,
    /// The pieces of one colour and kind, by `MailboxEntry::piece_code`. The keys of pawns, of minor pieces and so on are
    /// put together from these when somebody asks, so that a move changes only one of them.
    pieces: [Key; 16],
}

impl Keys {
    /// Adds or removes what one piece contributes.
    #[inline(always)]
    pub fn toggle(&mut self, piece_code: usize, key: Key) {
        self.position ^= key;
        self.toggle_piece(piece_code, key);
    }

    /// As [`Keys::toggle`], but leaves the key of the position alone: for taking back, which restores it at once.
    #[inline(always)]
    pub fn toggle_piece(&mut self, piece_code: usize, key: Key) {
        self.pieces[piece_code & 15] ^= key;
    }

    /// The key of the pieces of one colour and of some kinds.
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
    fn keys_are_frozen() {
        // Bench and every stored key depend on these numbers.
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
