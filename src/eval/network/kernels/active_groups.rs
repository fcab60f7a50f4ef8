//! Products of accumulator values in groups, and the groups that are not all zero: only these change the sums of the
//! first hidden layer.

use super::super::hidden::GROUP;
use super::super::quantisation::{Block, MAX_PRODUCTS};

// Four bytes in the order of the memory, or two 16-bit values, form one integer here and in the vectors.
const _: () = assert!(cfg!(target_endian = "little"));

/// Largest number of groups of products.
pub(super) const MAX_GROUPS: usize = MAX_PRODUCTS / GROUP;

/// Products of all accumulator values, one byte each: every integer is a group of four.
#[repr(C, align(64))]
pub(super) struct Products(pub [i32; MAX_GROUPS]);

/// Bits for each group of products: set if it is not all zero.
pub(super) type GroupBits = [u8; MAX_GROUPS / 8];

/// Sets the bits of the groups from `group` on, a multiple of four.
#[inline(always)]
pub(super) fn set_bits(bits: &mut GroupBits, group: usize, active: u16) {
    let [low, high] = (active << (group % 8)).to_le_bytes();
    let Some(bits) = bits.get_mut(group / 8..) else {
        return;
    };
    for (bits, active) in bits.iter_mut().zip([low, high]) {
        *bits |= active;
    }
}

/// Numbers of the groups of products that are not all zero.
pub(super) struct ActiveGroups {
    /// The numbers, and space for those of another byte of bits.
    groups: [u16; MAX_GROUPS + 8],
    count: usize,
}

impl ActiveGroups {
    /// Returns the numbers of the set bits: bit 0 of the first byte is that of group 0.
    #[inline(always)]
    pub fn new(bits: &[u8]) -> ActiveGroups {
        let mut active = ActiveGroups {
            groups: [0; MAX_GROUPS + 8],
            count: 0,
        };
        for (index, &byte) in bits.iter().enumerate() {
            let set = &SET_BITS[usize::from(byte)];
            // Eight numbers are written at once; the next ones replace those after the count, which is never larger
            // than the number of bits so far.
            let rest = active.groups.get_mut(active.count..);
            if let Some(target) = rest.and_then(|rest| rest.first_chunk_mut::<8>()) {
                for (target, bit) in target.iter_mut().zip(set.bits) {
                    *target = 8 * index as u16 + bit;
                }
            }
            active.count += set.count;
        }
        active
    }

    /// Returns the numbers in ascending order.
    #[inline(always)]
    pub fn get(&self) -> &[u16] {
        &self.groups[..self.count]
    }
}

/// The bits that are set in a byte.
#[derive(Clone, Copy)]
struct SetBits {
    /// Their numbers in ascending order, then zeros.
    bits: [u16; 8],
    count: usize,
}

/// The set bits of each byte. (A lookup instead of a loop over the bits, as in Stockfish.)
static SET_BITS: [SetBits; 256] = {
    let mut table = [SetBits {
        bits: [0; 8],
        count: 0,
    }; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte].bits[table[byte].count] = bit;
                table[byte].count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the two adjacent 16-bit values with this index as one integer, in the order of the memory.
#[inline(always)]
pub(super) fn lane(block: &Block, index: usize) -> i32 {
    let [low, high] = block.vectors()[index];
    i32::from(low as u16) | i32::from(high) << 16
}
