//! Zobrist keys.

use std::ops::{BitXor, BitXorAssign};

/// A 64-bit Zobrist key of a position or of a part of one. Keys are combined with XOR.
///
/// ```
/// use gaur::types::Key;
///
/// let (rook, king) = (Key(5), Key(9));
/// assert_eq!(rook ^ king ^ king, rook);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;

    #[inline]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}
