//! Work on the board that some processors do with vectors instead of loops. The loops remain for all others, and tests
//! compare the two.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512 as Vectors;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use none::Vectors;
