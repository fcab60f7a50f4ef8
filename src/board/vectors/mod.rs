//! Work on the board that some processors do with vectors instead of loops. The loops remain for all others, and tests
//! compare the two.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use super::Board;

#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512 as Vectors;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use none::Vectors;

static ARE_ALLOWED: AtomicBool = AtomicBool::new(true);

/// If this processor has them and nobody wants loops.
#[inline]
pub(super) fn vectors() -> Option<Vectors> {
    if ARE_ALLOWED.load(Ordering::Relaxed) {
        Vectors::get()
    } else {
        None
    }
}

impl Board {
    /// Has all boards use vectors where the processor has them (as they do from the start), or loops alone; what they
    /// find is the same.
    pub fn allow_vectors(allowed: bool) {
        ARE_ALLOWED.store(allowed, Ordering::Relaxed);
    }
}
