//! Products of accumulator values in groups.

use super::super::quantisation::Block;

// Four bytes in the order of the memory, or two 16-bit values, form one integer here and in the vectors.
const _: () = assert!(cfg!(target_endian = "little"));

/// Products of the values of two accumulators of `B` blocks, one byte each: every integer is a group of four.
#[repr(C, align(64))]
pub(super) struct Products<const B: usize>(pub [[i32; 8]; B]);

/// Returns the two adjacent 16-bit values with this index as one integer, in the order of the memory.
#[inline(always)]
pub(super) fn lane(block: &Block, index: usize) -> i32 {
    let [low, high] = block.vectors()[index];
    i32::from(low as u16) | i32::from(high) << 16
}
