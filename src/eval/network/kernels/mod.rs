//! The loops over long rows that take nearly all of the network's time, for each instruction set that has something
//! to give. All give the same numbers to the last bit: sums of integers do not depend on their order, and the file
//! format sees to it that none overflows.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512vnni;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;

use super::net::Row;

/// What an accumulator's value is clipped to: 1.0 in its fixed point.
pub(super) const ONE: i16 = 255;

/// The loops for one instruction set.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    /// `source` with one row added and one removed.
    pub plain: fn(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 1]),
    /// `source` with one row added and two removed.
    pub capture: fn(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 2]),
    /// `source` with any rows added and removed.
    pub update: fn(target: &mut Row, source: &Row, added: &[&Row], removed: &[&Row]),
    /// The sum of `clip(x)² · weight` over both sides' rows.
    pub forward: fn(sides: [&Row; 2], weights: &[Row; 2]) -> i32,
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Whatever the compiler makes of plain code.
    Scalar,
    /// SSE 4.1.
    #[cfg(target_arch = "x86_64")]
    Sse41,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 F and BW.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// The same with VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// NEON.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Isa {
    /// All that this processor has, the fastest last.
    pub fn available() -> Vec<Isa> {
        let mut found = vec![Isa::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx512 = has!("avx512f") && has!("avx512bw");
            for (isa, is_there) in [
                (Isa::Sse41, has!("sse4.1")),
                (Isa::Avx2, has!("avx2")),
                (Isa::Avx512, avx512),
                (Isa::Avx512Vnni, avx512 && has!("avx512vnni")),
            ] {
                if is_there {
                    found.push(isa);
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            found.push(Isa::Neon);
        }
        found
    }

    /// Its name for users.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Isa::Sse41 => "sse41",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Vnni => "avx512vnni",
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => "neon",
        }
    }

    /// The fastest that this processor has.
    pub fn best() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Scalar)
    }

    /// Its loops; those of plain code where this processor has not got it.
    pub(super) fn kernels(self) -> Kernels {
        if !Isa::available().contains(&self) {
            return scalar::KERNELS;
        }
        match self {
            Isa::Scalar => scalar::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse41 => sse41::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Vnni => avx512vnni::KERNELS,
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => neon::KERNELS,
        }
    }
}

#[cfg(test)]
mod tests;
