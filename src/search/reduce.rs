//! Late move reductions: how much less deep a late move is searched at first.

use crate::config::Parameters;
use crate::types::Depth;

const SIZE: usize = 64;

/// Reductions are counted in parts of a ply.
pub(super) const ONE_PLY: i32 = 1024;

/// Reductions by depth and number of the move, growing with the logarithm of both.
#[derive(Debug)]
pub(super) struct Reductions {
    table: Box<[[i16; SIZE]; SIZE]>,
}

impl Reductions {
    /// The table for the parameters: `base / 100 + ln(depth) * ln(number) / (divisor / 100)` plies.
    pub fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base()) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor().max(1)) / 100.0;
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let plies = base + (depth as f64).ln() * (number as f64).ln() / divisor;
                *reduction = (plies.max(0.0) * f64::from(ONE_PLY)) as i16;
            }
        }
        Reductions { table }
    }

    /// In parts of a ply ([`ONE_PLY`]), for the move with this number, 1 the first.
    #[inline]
    pub fn get(&self, depth: Depth, number: usize) -> i32 {
        let row = depth.clamp(0, SIZE as Depth - 1) as usize;
        i32::from(self.table[row][number.min(SIZE - 1)])
    }
}

/// What the reduction of a late move depends on besides depth and number.
pub(super) struct Late {
    /// From the table.
    pub base: i32,
    /// The position is or was on a principal variation.
    pub on_pv: bool,
    pub pv_node: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub is_quiet: bool,
    pub is_killer: bool,
    pub gives_check: bool,
    pub table_move_is_noisy: bool,
    /// Children of the node that have cut so far.
    pub child_cuts: u16,
    /// What histories think of it.
    pub merit: i32,
}

impl Late {
    /// The least reduction in plies: -1, a ply more than others have, where the window is open or histories think
    /// highly of the move.
    #[inline]
    pub fn least(&self, parameters: &Parameters) -> Depth {
        -Depth::from(self.pv_node || self.merit > parameters.extension_history_score())
    }

    /// Whole plies, perhaps fewer than 0.
    #[inline]
    pub fn plies(&self, parameters: &Parameters) -> Depth {
        let mut reduction = self.base;
        let mut add = |condition: bool, parts: i32| reduction += i32::from(condition) * parts;
        add(self.cut_node, parameters.reduction_cut_node());
        add(
            self.table_move_is_noisy,
            parameters.reduction_noisy_table_move(),
        );
        add(!self.improving, parameters.reduction_not_improving());
        add(self.child_cuts > 3, parameters.reduction_cutoff_count());
        add(self.on_pv, -parameters.reduction_on_pv());
        add(self.pv_node, -parameters.reduction_pv_node());
        add(self.is_killer, -parameters.reduction_killer());
        add(self.gives_check, -parameters.reduction_check());
        let share = if self.is_quiet {
            parameters.reduction_history()
        } else {
            parameters.reduction_capture_history()
        };
        reduction -= self.merit * share / 16_384;
        reduction / ONE_PLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_means_more() {
        let reductions = Reductions::new(&Parameters::default());
        for depth in 1..100 {
            for number in 0..250 {
                let reduction = reductions.get(depth, number);
                assert!(reduction >= 0);
                assert!(reductions.get(depth, number + 1) >= reduction);
            }
        }
        assert!(reductions.get(12, 30) > reductions.get(12, 4));
        assert!(reductions.get(20, 30) > reductions.get(6, 30));
    }

    #[test]
    fn what_histories_like_is_reduced_less() {
        let parameters = Parameters::default();
        let late = |merit| Late {
            base: 3 * ONE_PLY,
            on_pv: false,
            pv_node: false,
            cut_node: false,
            improving: true,
            is_quiet: true,
            is_killer: false,
            gives_check: false,
            table_move_is_noisy: false,
            child_cuts: 0,
            merit,
        };
        let plies = |merit| late(merit).plies(&parameters);
        assert!(plies(30_000) < plies(0) && plies(0) < plies(-30_000));
        assert_eq!(late(0).least(&parameters), 0);
        assert_eq!(late(30_000).least(&parameters), -1);
        let in_open_window = Late {
            pv_node: true,
            ..late(0)
        };
        assert_eq!(in_open_window.least(&parameters), -1);
    }
}
