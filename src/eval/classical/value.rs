//! The number type of weights and sums: packed integers in games, numbers that record their operations in the tuner.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::danger;
use super::tapered::Tapered;

/// A weight or a sum of weights. All terms are generic over this type.
pub trait Value:
    Copy
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<usize, Output = Self>
{
    /// Zero in both phases.
    const ZERO: Self;

    /// Set if a value remains valid after the evaluation that computed it, so that a table may store it.
    const IS_CACHEABLE: bool;

    /// Returns the middlegame and the endgame value.
    fn value(self) -> Tapered;

    /// Returns the value of danger to a king, [`danger::value`]: the only nonlinear operation in a sum of terms.
    fn danger(units: Self, per_cover: Self, cover: Self) -> Self;
}

impl Value for Tapered {
    const ZERO: Tapered = Tapered::ZERO;
    const IS_CACHEABLE: bool = true;

    #[inline(always)]
    fn value(self) -> Tapered {
        self
    }

    #[inline]
    fn danger(units: Tapered, per_cover: Tapered, cover: Tapered) -> Tapered {
        danger::value(units, per_cover, cover)
    }
}
