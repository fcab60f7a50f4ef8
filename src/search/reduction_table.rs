//! Table of the base reductions by depth and move count, for late move reductions.

use crate::config::Parameters;
use crate::types::Depth;

/// Number of depths and of move counts in the table; larger ones have the reduction of the last.
const SIZE: usize = 64;

/// Units of a reduction per ply.
pub(super) const ONE_PLY: i32 = 1024;

/// The base reductions, which grow with the logarithms of depth and move count.
#[derive(Debug)]
pub(super) struct ReductionTable {
    reductions: Box<[[i16; SIZE]; SIZE]>,
}

impl ReductionTable {
    /// Computes the table: `base / 100 + ln(depth) * ln(move count) / (divisor / 100)` plies, at least 0.
    pub fn new(parameters: &Parameters) -> ReductionTable {
        let base = f64::from(parameters.reduction_base()) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor().max(1)) / 100.0;
        let mut reductions = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (move_count, reduction) in row.iter_mut().enumerate().skip(1) {
                let plies = base + (depth as f64).ln() * (move_count as f64).ln() / divisor;
                *reduction = (plies.max(0.0) * f64::from(ONE_PLY)) as i16;
            }
        }
        ReductionTable { reductions }
    }

    /// Returns the base reduction in units of 1/[`ONE_PLY`] ply; `move_count` is 1 for the first move.
    #[inline]
    pub fn get(&self, depth: Depth, move_count: usize) -> i32 {
        let row = depth.clamp(0, SIZE as Depth - 1) as usize;
        i32::from(self.reductions[row][move_count.min(SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_move_count() {
        let table = ReductionTable::new(&Parameters::default());
        for depth in 1..100 {
            for move_count in 0..250 {
                let reduction = table.get(depth, move_count);
                assert!(reduction >= 0);
                assert!(table.get(depth, move_count + 1) >= reduction);
            }
        }
        assert!(table.get(12, 30) > table.get(12, 4));
        assert!(table.get(20, 30) > table.get(6, 30));
    }
}
