//! How much of its share a move deserves: hard ones get more, easy ones less.

use std::time::Duration;

use super::TimeBudget;

/// What an iteration has shown about how hard the move is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IterationStats {
    /// So many iterations before it had the same best move.
    pub stable_iterations: u32,
    /// The share of all nodes that were spent on the best move, 0 to 1.
    pub best_move_node_fraction: f64,
    /// By how many centipawns the score is below what was expected of it; negative when it is better.
    pub score_drop: i32,
}

/// By how often the best move has stayed the same.
const BY_STABILITY: [f64; 6] = [1.6, 1.25, 1.05, 0.95, 0.88, 0.82];

impl IterationStats {
    /// Neither hard nor easy: [`IterationStats::time_factor`] is 1.
    pub const AVERAGE: IterationStats = IterationStats {
        stable_iterations: 2,
        best_move_node_fraction: 0.69,
        score_drop: 0,
    };

    /// By how much the soft limit is multiplied, 0.3 to 2.5: less where the best move has been the same for long, has
    /// taken most of the nodes, and keeps its score. (Idea: Stockfish and many others.)
    pub fn time_factor(&self) -> f64 {
        let stable = BY_STABILITY[(self.stable_iterations as usize).min(BY_STABILITY.len() - 1)];
        let contested = 0.55 + 1.3 * (1.0 - self.best_move_node_fraction.clamp(0.0, 1.0));
        let falling = (1.0 + f64::from(self.score_drop) / 120.0).clamp(0.85, 1.5);
        (stable * contested * falling).clamp(0.3, 2.5)
    }
}

impl TimeBudget {
    /// The soft limit after an iteration like this; never beyond the hard one. Where both are equal nothing can be
    /// saved, and nothing is.
    pub fn soft_limit_after(&self, stats: &IterationStats) -> Duration {
        if self.soft >= self.hard {
            return self.hard;
        }
        self.soft.mul_f64(stats.time_factor()).min(self.hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASY: IterationStats = IterationStats {
        stable_iterations: 8,
        best_move_node_fraction: 0.95,
        score_drop: -10,
    };

    const HARD: IterationStats = IterationStats {
        stable_iterations: 0,
        best_move_node_fraction: 0.2,
        score_drop: 60,
    };

    #[test]
    fn hard_moves_get_more_and_easy_ones_less() {
        let budget = TimeBudget {
            soft: Duration::from_millis(1000),
            hard: Duration::from_millis(1800),
        };
        assert!(budget.soft_limit_after(&EASY) < Duration::from_millis(700));
        assert_eq!(budget.soft_limit_after(&HARD), budget.hard);
        let soft = budget
            .soft_limit_after(&IterationStats::AVERAGE)
            .as_millis();
        assert!((990..=1010).contains(&soft), "{soft}");
    }

    #[test]
    fn what_cannot_be_saved_is_used() {
        let whole = TimeBudget {
            soft: Duration::from_millis(970),
            hard: Duration::from_millis(970),
        };
        assert_eq!(whole.soft_limit_after(&EASY), whole.hard);
    }
}
