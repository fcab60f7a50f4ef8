//! Statistics of an iteration, from which the soft limit is adjusted: difficult moves get more time, easy ones less.

use std::time::Duration;

use crate::config::Parameters;

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

/// Smallest factor of the soft limit. The default parameters do not reach it.
const LEAST_FACTOR: f64 = 0.3;

/// Returns a parameter in percent as a factor.
fn factor(percent: i32) -> f64 {
    f64::from(percent) / 100.0
}

impl IterationStats {
    /// Statistics of an average iteration, with a [`IterationStats::time_factor`] of 1.
    pub const AVERAGE: IterationStats = IterationStats {
        stable_iterations: 2,
        best_move_node_fraction: 0.69,
        score_drop: 0,
    };

    /// Returns the factor of the soft limit, by default 0.38 to 2.5.
    ///
    /// It is lower if the best move has not changed for long, took most of the nodes and keeps its score. (Idea:
    /// Stockfish and many others.)
    ///
    /// ```
    /// use gaur::clock::IterationStats;
    /// use gaur::config::Parameters;
    ///
    /// let unstable = IterationStats { stable_iterations: 0, ..IterationStats::AVERAGE };
    /// assert!(unstable.time_factor(&Parameters::default()) > 1.1);
    /// ```
    pub fn time_factor(&self, parameters: &Parameters) -> f64 {
        let stable = factor(match self.stable_iterations {
            0 => parameters.time_stable_0(),
            1 => parameters.time_stable_1(),
            2 => parameters.time_stable_2(),
            3 => parameters.time_stable_3(),
            4 => parameters.time_stable_4(),
            _ => parameters.time_stable_5(),
        });
        let elsewhere = 1.0 - self.best_move_node_fraction.clamp(0.0, 1.0);
        let unclear = factor(parameters.time_nodes_base())
            + factor(parameters.time_nodes_slope()) * elsewhere;
        let drop = f64::from(self.score_drop) / f64::from(parameters.time_drop());
        let (least, most) = (parameters.time_drop_min(), parameters.time_drop_max());
        let falling = (1.0 + drop).clamp(factor(least), factor(most));
        let largest = factor(parameters.time_factor_max());
        (stable * unclear * falling).clamp(LEAST_FACTOR, largest)
    }
}

impl TimeBudget {
    /// Returns the soft limit after an iteration with these statistics, at most the hard limit. If both limits are
    /// equal, time cannot be saved for later moves, and the result is that limit.
    pub fn soft_limit_after(&self, stats: &IterationStats, parameters: &Parameters) -> Duration {
        if self.soft >= self.hard {
            return self.hard;
        }
        self.soft
            .mul_f64(stats.time_factor(parameters))
            .min(self.hard)
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
        assert!(
            budget.soft_limit_after(&EASY, &Parameters::default()) < Duration::from_millis(700)
        );
        assert_eq!(
            budget.soft_limit_after(&DIFFICULT, &Parameters::default()),
            budget.hard
        );
        let soft = budget
            .soft_limit_after(&IterationStats::AVERAGE, &Parameters::default())
            .as_millis();
        assert!((990..=1010).contains(&soft), "{soft}");
    }

    #[test]
    fn equal_limits_are_used_up() {
        let whole = TimeBudget {
            soft: Duration::from_millis(970),
            hard: Duration::from_millis(970),
        };
        assert_eq!(
            whole.soft_limit_after(&EASY, &Parameters::default()),
            whole.hard
        );
    }
}
