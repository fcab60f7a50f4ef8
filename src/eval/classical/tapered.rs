//! A middlegame and an endgame value in one number, added and scaled together.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Two 16-bit values packed into one `i32`: middlegame in the low half, endgame in the high half.
///
/// Sums, differences and multiples are single operations, exact as long as each half stays within
/// an `i16`. A negative low half borrows one from the high half, which [`Tapered::endgame`] pays
/// back. (An old trick; Stockfish made it popular.)
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Tapered = Tapered(0);

    /// The pair of a middlegame and an endgame value.
    #[inline]
    pub const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// What counts with all pieces on the board.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// What counts with few pieces left.
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

    /// That many times; counts on a chessboard are small.
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
    fn halves_do_not_disturb_each_other() {
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
