//! What the terms are summed up in: packed numbers in play, [`Traced`](super::tape::Traced) numbers for the tuner.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::danger;
use super::tapered::Tapered;

/// A weight or a sum of weights. The terms are written once for all kinds of it.
pub(super) trait Value:
    Copy
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<usize, Output = Self>
{
    /// Nothing.
    const ZERO: Self;

    /// Whether a value means something beyond the evaluation that made it, so that a table may keep it.
    const CACHEABLE: bool;

    /// The number it stands for.
    fn value(self) -> Tapered;

    /// Danger to a king as a value against it: [`danger::value`], the one step on the way to the sum that is more
    /// than adding up.
    fn danger(units: Self, per_cover: Self, cover: Self) -> Self;
}

impl Value for Tapered {
    const ZERO: Tapered = Tapered::ZERO;
    const CACHEABLE: bool = true;

    #[inline(always)]
    fn value(self) -> Tapered {
        self
    }

    #[inline]
    fn danger(units: Tapered, per_cover: Tapered, cover: Tapered) -> Tapered {
        danger::value(units, per_cover, cover)
    }
}
