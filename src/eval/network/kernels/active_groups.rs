//! Groups of products that are not all zero: only these change the sums of the first hidden layer.

use super::super::hidden::GROUP;
use super::super::quantisation::{Block, MAX_PRODUCTS};

/// Groups of products in a block, which holds two products in each of its values.
pub(super) const GROUPS_PER_BLOCK: usize = size_of::<Block>() / GROUP;

/// Blocks of products of the widest accumulators.
pub(super) const MAX_PRODUCT_BLOCKS: usize = MAX_PRODUCTS / size_of::<Block>();

/// Words of bits with one bit for each group of products.
pub(super) const MASK_WORDS: usize = MAX_PRODUCT_BLOCKS * GROUPS_PER_BLOCK / 64;

const _: () = assert!(MASK_WORDS * 64 * GROUP == MAX_PRODUCTS);

/// Numbers of the groups of products that are not all zero.
pub(super) struct ActiveGroups {
    groups: [u16; MASK_WORDS * 64],
    count: usize,
}

impl ActiveGroups {
    /// Returns the numbers of the set bits: bit 0 of the first word is that of group 0.
    #[inline(always)]
    pub fn new(words: &[u64; MASK_WORDS]) -> ActiveGroups {
        let mut active = ActiveGroups {
            groups: [0; MASK_WORDS * 64],
            count: 0,
        };
        for (index, &word) in words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                // The count is always below the size of the array, whose entries are as many as bits.
                if let Some(group) = active.groups.get_mut(active.count) {
                    *group = (64 * index) as u16 + word.trailing_zeros() as u16;
                }
                active.count += 1;
                word &= word - 1;
            }
        }
        active
    }

    /// Returns the numbers in ascending order.
    #[inline(always)]
    pub fn get(&self) -> &[u16] {
        &self.groups[..self.count]
    }
}

/// Returns the two adjacent 16-bit values with this index as one integer, in the order of the memory.
#[inline(always)]
pub(super) fn lane(block: &Block, index: usize) -> i32 {
    let [low, high] = block.vectors()[index];
    i32::from(low as u16) | i32::from(high) << 16
}
