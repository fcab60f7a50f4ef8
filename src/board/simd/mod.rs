//! Vectorised board functions, with scalar counterparts that work on every processor. Tests compare the two.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod functions;
mod instruction_set;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(test)]
mod tests;

use super::Board;

pub(super) use instruction_set::Simd;

/// Name of the scalar code that works on every processor.
const SCALAR: &str = "scalar";

impl Board {
    /// Selects the code of this board and its clones by the name of an instruction set: scalar code, that of the
    /// name, or the fastest that this processor supports if the board has none of that name.
    ///
    /// A new board uses the fastest code. The results are the same.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// let mut board = Board::standard();
    /// board.select_instruction_set("scalar");
    /// assert_eq!(board.legal_moves(), Board::standard().legal_moves());
    /// ```
    pub fn select_instruction_set(&mut self, name: &str) {
        let available = Simd::available();
        let named = available.iter().find(|simd| simd.name() == name);
        self.simd = match named {
            None if name == SCALAR => None,
            _ => named.or(available.last()).copied(),
        };
    }

    /// Returns the name of the instruction set that new boards use on this processor, as shown to users.
    pub fn instruction_set() -> &'static str {
        Simd::detect().map_or(SCALAR, Simd::name)
    }
}
