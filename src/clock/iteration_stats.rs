//! Statistics of an iteration, from which the soft limit is adjusted: difficult moves get more time, easy ones less.

use std::time::Duration;

use super::TimeBudget;

/// Statistics of an iteration that show how difficult the choice of a move is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IterationStats {
    /// Number of previous iterations in a row with the same best move.
    pub stable_iterations: u32,
    /// Fraction of all nodes spent on the best move, 0 to 1.
    pub best_move_node_fraction: f64,
    /// Expected score minus score, in centipawns.
    pub score_drop: i32,
}

/// Factors by number of iterations with the same best move.
const BY_STABILITY: [f64; 6] = [1.6, 1.25, 1.05, 0.95, 0.88, 0.82];

impl IterationStats {
    /// Statistics of an average iteration, with a [`IterationStats::time_factor`] of 1.
    pub const AVERAGE: IterationStats = IterationStats {
        stable_iterations: 2,
        best_move_node_fraction: 0.69,
        score_drop: 0,
    };

    /// Returns the factor of the soft limit, 0.3 to 2.5.
    ///
    /// It is lower if the best move has not changed for long, took most of the nodes and keeps its score. (Idea:
    /// Stockfish and many others.)
    ///
    /// ```
    /// use gaur::clock::IterationStats;
    ///
    /// let unstable = IterationStats { stable_iterations: 0, ..IterationStats::AVERAGE };
    /// assert!(unstable.time_factor() > 1.1);
    /// ```
    pub fn time_factor(&self) -> f64 {
        let stable = BY_STABILITY[(self.stable_iterations as usize).min(BY_STABILITY.len() - 1)];
        let unclear = 0.55 + 1.3 * (1.0 - self.best_move_node_fraction.clamp(0.0, 1.0));
        let falling = (1.0 + f64::from(self.score_drop) / 120.0).clamp(0.85, 1.5);
        (stable * unclear * falling).clamp(0.3, 2.5)
    }
}

impl TimeBudget {
    /// Returns the soft limit after an iteration with these statistics, at most the hard limit. If both limits are
    /// equal, time cannot be saved for later moves, and the result is that limit.
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

    const DIFFICULT: IterationStats = IterationStats {
        stable_iterations: 0,
        best_move_node_fraction: 0.2,
        score_drop: 60,
    };

    #[test]
    fn difficult_moves_get_more_time_than_easy_ones() {
        let budget = TimeBudget {
            soft: Duration::from_millis(1000),
            hard: Duration::from_millis(1800),
        };
        assert!(budget.soft_limit_after(&EASY) < Duration::from_millis(700));
        assert_eq!(budget.soft_limit_after(&DIFFICULT), budget.hard);
        let soft = budget
            .soft_limit_after(&IterationStats::AVERAGE)
            .as_millis();
        assert!((990..=1010).contains(&soft), "{soft}");
    }

    #[test]
    fn equal_limits_are_used_up() {
        let whole = TimeBudget {
            soft: Duration::from_millis(970),
            hard: Duration::from_millis(970),
        };
        assert_eq!(whole.soft_limit_after(&EASY), whole.hard);
    }
}
