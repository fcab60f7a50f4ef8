//! Late move reductions: how much less deep a late move is searched at first.

use crate::config::Parameters;
use crate::types::Depth;

const SIZE: usize = 64;

/// Reductions by depth and number of moves tried before, growing with the logarithm of both.
#[derive(Debug)]
pub(super) struct Reductions {
    table: Box<[[i8; SIZE]; SIZE]>,
}

impl Reductions {
    /// The table for the parameters: `base / 100 + ln(depth) * ln(moves) / (divisor / 100)`, rounded down.
    pub fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base()) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor().max(1)) / 100.0;
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (moves, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction =
                    (base + (depth as f64).ln() * (moves as f64).ln() / divisor).max(0.0) as i8;
            }
        }
        Reductions { table }
    }

    /// Plies to take off a move when `moves` were tried before it; at least one ply is left.
    #[inline]
    pub fn get(&self, depth: Depth, moves: usize) -> Depth {
        let row = depth.clamp(0, SIZE as Depth - 1) as usize;
        Depth::from(self.table[row][moves.min(SIZE - 1)]).clamp(0, (depth - 2).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_means_more_and_never_everything() {
        let reductions = Reductions::new(&Parameters::default());
        for depth in 1..100 {
            for moves in 0..250 {
                let reduction = reductions.get(depth, moves);
                assert!(reduction >= 0 && (reduction == 0 || depth - 1 - reduction >= 1));
                assert!(reductions.get(depth, moves + 1) >= reduction);
            }
        }
        assert!(reductions.get(12, 30) > reductions.get(12, 4));
        assert!(reductions.get(20, 30) > reductions.get(6, 30));
    }
}
