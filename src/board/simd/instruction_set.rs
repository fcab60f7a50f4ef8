//! Detection of the instruction set of the vectorised board functions.

#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as has;
#[cfg(not(target_arch = "x86_64"))]
use std::convert::Infallible;

/// Proof that this processor has the instructions that the vectorised functions need.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Simd(());

/// Proof of an instruction set that this processor does not have. It cannot be constructed.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Simd(Infallible);

#[cfg(target_arch = "x86_64")]
impl Simd {
    /// Returns proof if this processor supports the instruction set.
    pub fn detect() -> Option<Simd> {
        let is_there =
            has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") && has!("avx512vbmi2");
        is_there.then_some(Simd(()))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Simd {
    /// Returns `None`.
    pub fn detect() -> Option<Simd> {
        None
    }

    /// Shows that code with a value of this type is never executed.
    pub(super) fn never(self) -> ! {
        match self.0 {}
    }
}
