//! Detection of the instruction sets that have vectorised board functions.

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected as has;
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as has;

use arrayvec::ArrayVec;

/// Proof that this processor has SSE 4.1.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Sse41(());

/// Proof that this processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Avx2(());

/// Proof that this processor has AVX-512 F, BW, VBMI and VBMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Avx512(());

/// Proof that this processor has NEON.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Neon(());

/// An instruction set that this processor has, with vectorised board functions for it.
///
/// On other architectures no value of this type exists.
#[derive(Clone, Copy, Debug)]
pub(in crate::board) enum Simd {
    #[cfg(target_arch = "x86_64")]
    Sse41(Sse41),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Simd {
    /// Returns the instruction sets that this processor supports, the fastest last.
    pub fn available() -> ArrayVec<Simd, 3> {
        let mut available = ArrayVec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx512 =
                has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") && has!("avx512vbmi2");
            available.extend(has!("sse4.1").then_some(Simd::Sse41(Sse41(()))));
            available.extend(has!("avx2").then_some(Simd::Avx2(Avx2(()))));
            available.extend(has_avx512.then_some(Simd::Avx512(Avx512(()))));
        }
        #[cfg(target_arch = "aarch64")]
        available.extend(has!("neon").then_some(Simd::Neon(Neon(()))));
        available
    }

    /// Returns the fastest instruction set that this processor supports.
    pub fn detect() -> Option<Simd> {
        Simd::available().last().copied()
    }

    /// Returns the name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Simd::Sse41(_) => "sse41",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512(_) => "avx512vbmi2",
            #[cfg(target_arch = "aarch64")]
            Simd::Neon(_) => "neon",
        }
    }
}
