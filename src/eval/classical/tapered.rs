//! A pair of a middlegame and an endgame value, packed into one integer.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Two 16-bit values packed into one `i32`: middlegame in the low half, endgame in the high half.
///
/// Sums, differences and multiples are single operations. They are exact as long as each half fits into an `i16`. A
/// negative low half borrows one from the high half; [`Tapered::endgame`] corrects this. (Stockfish made this packing
/// popular.)
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// Zero in both phases.
    pub const ZERO: Tapered = Tapered(0);

    /// Packs a middlegame and an endgame value.
    #[inline]
    pub const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// Returns the middlegame value, which counts fully with all pieces on the board.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Returns the endgame value, which counts fully without pieces.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<usize> for Tapered {
    type Output = Tapered;

    /// Multiplies both values by a count, which must be small enough for both products to fit into an `i16`.
    #[inline]
    fn mul(self, times: usize) -> Tapered {
        Tapered(self.0.wrapping_mul(times as i32))
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_keep_the_two_halves_apart() {
        for middlegame in [-9000, -1, 0, 1, 77, 9000] {
            for endgame in [-9000, -1, 0, 1, 77, 9000] {
                let one = Tapered::new(middlegame, endgame);
                let other = Tapered::new(-321, 123);
                let halves = |t: Tapered| (t.middlegame(), t.endgame());
                let (mg, eg) = (i32::from(middlegame), i32::from(endgame));
                assert_eq!(halves(one), (mg, eg));
                assert_eq!(halves(-one), (-mg, -eg));
                assert_eq!(halves(one + other), (mg - 321, eg + 123));
                assert_eq!(halves(one - other), (mg + 321, eg - 123));
                assert_eq!(halves(one * 3), (mg * 3, eg * 3));
            }
        }
    }
}
