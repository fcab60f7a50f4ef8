//! Inner loops of the network for each instruction set.
//!
//! They take most of the network's time. Every instruction set computes identical results: integer sums do not depend
//! on their order, and the limits of the file format rule out overflow of results. While an accumulator is updated, its
//! values may wrap around and back again.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512vnni;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod hidden_vector;
mod isa;
mod kernel_set;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod products;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;

pub use isa::Isa;
pub(super) use kernel_set::{KernelVisitor, Kernels};
