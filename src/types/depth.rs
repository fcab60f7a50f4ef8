//! Remaining search depth and distance from the root.

use std::ops::{Add, Sub};

/// Remaining search depth in plies. It can be negative. An integer, because many formulas calculate with it.
pub type Depth = i32;

/// Depth of the deepest iteration.
pub const MAX_DEPTH: Depth = 127;

/// Largest distance from the root in half-moves. Every table by ply has at least this many entries.
pub const MAX_PLY: usize = 192;

/// Distance from the root in half-moves, 0 to [`MAX_PLY`].
///
/// ```
/// use gaur::types::Ply;
///
/// assert_eq!(Ply::ROOT.next() + 2, Ply(3));
/// assert_eq!(Ply(1) - 2, Ply::ROOT);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u16);

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);

    /// Returns the index in tables by ply.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the ply of the children of this node.
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
