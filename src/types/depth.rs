//! How much is still to be searched, and how far from the root we are.

use std::ops::{Add, Sub};

/// What is still to be searched, in plies. Plain arithmetic, because formulas work on it all the time.
pub type Depth = i32;

/// The deepest iteration.
pub const MAX_DEPTH: Depth = 127;

/// The largest distance from the root; every per-ply table has room for it and some padding.
pub const MAX_PLY: usize = 192;

/// Distance from the root in half-moves, 0 to [`MAX_PLY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u16);

impl Ply {
    /// The root itself.
    pub const ROOT: Ply = Ply(0);

    /// As an index of per-ply tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// One half-move further from the root.
    #[inline]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }
}

impl Add<u16> for Ply {
    type Output = Ply;

    #[inline]
    fn add(self, plies: u16) -> Ply {
        Ply(self.0 + plies)
    }
}

impl Sub<u16> for Ply {
    type Output = Ply;

    #[inline]
    fn sub(self, plies: u16) -> Ply {
        Ply(self.0.saturating_sub(plies))
    }
}
