//! Vectorised board functions, with scalar counterparts that work on every processor. Tests compare the two.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod instruction_set;
#[cfg(test)]
mod tests;
#[cfg(not(target_arch = "x86_64"))]
mod unsupported;

use super::Board;

pub(super) use instruction_set::Simd;

impl Board {
    /// Selects scalar code for this board and its clones.
    ///
    /// A new board uses vectorised code if the processor supports it. The results are the same.
    pub fn disable_simd(&mut self) {
        self.simd = None;
    }

    /// Returns the name of the instruction set that new boards use on this processor, as shown to users.
    pub fn instruction_set() -> &'static str {
        match Simd::detect() {
            Some(_) => "avx512vbmi2",
            None => "scalar",
        }
    }
}
