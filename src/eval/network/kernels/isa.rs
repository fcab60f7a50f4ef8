//! Instruction sets, and the choice among those that the processor supports.

use super::super::architecture::Width;
use super::kernel_set::{KernelVisitor, Kernels};
#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
use super::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, avx512vnni::Avx512Vnni, sse41::Sse41};

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

    /// Calls `visitor` with the inner loops of this instruction set for accumulators of this width, or with the scalar
    /// ones if the processor does not support it.
    pub(in crate::eval::network) fn visit<V: KernelVisitor>(
        self,
        width: Width,
        visitor: V,
    ) -> V::Output {
        if !Isa::available().contains(&self) {
            return visit_width::<Scalar, V>(width, visitor);
        }
        match self {
            Isa::Scalar => visit_width::<Scalar, V>(width, visitor),
            #[cfg(target_arch = "x86_64")]
            Isa::Sse41 => visit_width::<Sse41, V>(width, visitor),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => visit_width::<Avx2, V>(width, visitor),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => visit_width::<Avx512, V>(width, visitor),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Vnni => visit_width::<Avx512Vnni, V>(width, visitor),
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => visit_width::<Neon, V>(width, visitor),
        }
    }
}

/// Calls `visitor` with the inner loops `K` for accumulators of this width.
fn visit_width<K: Kernels, V: KernelVisitor>(width: Width, visitor: V) -> V::Output {
    match width {
        Width::N64 => visitor.visit::<K, { Width::N64.blocks() }>(),
        Width::N128 => visitor.visit::<K, { Width::N128.blocks() }>(),
        Width::N256 => visitor.visit::<K, { Width::N256.blocks() }>(),
        Width::N512 => visitor.visit::<K, { Width::N512.blocks() }>(),
        Width::N768 => visitor.visit::<K, { Width::N768.blocks() }>(),
        Width::N1024 => visitor.visit::<K, { Width::N1024.blocks() }>(),
        Width::N1280 => visitor.visit::<K, { Width::N1280.blocks() }>(),
        Width::N1536 => visitor.visit::<K, { Width::N1536.blocks() }>(),
    }
}
