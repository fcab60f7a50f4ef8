//! Instruction sets, and the choice among those that the processor supports.

use super::kernel_set::Kernels;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, avx512vnni, sse41};

/// Instruction set that computes the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Code without explicit SIMD instructions.
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
    /// AVX-512 F, BW and VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// NEON.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Isa {
    /// Returns the instruction sets that this processor supports, the fastest last.
    pub fn available() -> Vec<Isa> {
        let mut available = vec![Isa::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx512 = has!("avx512f") && has!("avx512bw");
            for (isa, is_supported) in [
                (Isa::Sse41, has!("sse4.1")),
                (Isa::Avx2, has!("avx2")),
                (Isa::Avx512, avx512),
                (Isa::Avx512Vnni, avx512 && has!("avx512vnni")),
            ] {
                if is_supported {
                    available.push(isa);
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            available.push(Isa::Neon);
        }
        available
    }

    /// Returns the name shown to users and accepted by `gaur bench --isa`.
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

    /// Returns the fastest instruction set that this processor supports.
    pub fn best() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Scalar)
    }

    /// Returns the inner loops of this instruction set, or the scalar ones if the processor does not support it.
    pub(in crate::eval::network) fn kernels(self) -> Kernels {
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
