//! Tests of the parameters of time management: the values that the defaults give, and the effect of other values.

use std::time::Duration;

use crate::config::Parameters;
#[cfg(feature = "tuning")]
use crate::config::{Config, ParameterSpec};

use super::{Delays, IterationStats, TimeBudget, TimeControl, allocate_time};

fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A clock in a game. All times are in milliseconds.
struct Case {
    /// Moves to the next period and moves per period.
    moves: Option<u32>,
    increment: u64,
    remaining: u64,
    /// Time on the opponent's clock.
    opponent: u64,
    /// Mean delays of network and machine, and the largest delay of the machine.
    delays: [u64; 3],
    /// Soft and hard limit with the default parameters, in nanoseconds.
    limits: [u64; 2],
}

/// Creates a [`Case`].
const fn case(
    moves: Option<u32>,
    [increment, remaining, opponent]: [u64; 3],
    delays: [u64; 3],
    limits: [u64; 2],
) -> Case {
    Case {
        moves,
        increment,
        remaining,
        opponent,
        delays,
        limits,
    }
}

const CASES: [Case; 14] = [
    case(
        None,
        [1_000, 60_000, 0],
        [0, 0, 0],
        [3_463_556_250, 17_991_000_000],
    ),
    case(
        None,
        [1_000, 60_000, 60_000],
        [0, 0, 0],
        [3_148_687_500, 17_991_000_000],
    ),
    case(
        None,
        [1_000, 60_000, 150_000],
        [0, 0, 0],
        [2_833_818_750, 16_193_250_000],
    ),
    case(
        None,
        [20, 1_234, 1_234],
        [0, 0, 0],
        [63_175_000, 361_000_000],
    ),
    case(
        None,
        [0, 60_000, 60_000],
        [0, 0, 0],
        [1_728_125_000, 9_995_000_000],
    ),
    case(
        None,
        [10, 3_333, 3_333],
        [0, 0, 0],
        [146_256_250, 835_750_000],
    ),
    case(None, [2, 777, 777], [0, 0, 0], [6_496_875, 130_500_000]),
    case(None, [2, 120, 120], [0, 4, 12], [75_250, 1_720_000]),
    case(None, [20, 411, 411], [0, 4, 12], [23_843_750, 113_100_000]),
    case(
        None,
        [2_000, 7_777, 7_777],
        [600, 0, 0],
        [942_681_250, 1_964_100_000],
    ),
    case(
        Some(40),
        [0, 300_000, 300_000],
        [0, 0, 0],
        [5_249_475_000, 29_997_000_000],
    ),
    case(
        Some(60),
        [500, 81_111, 81_111],
        [0, 0, 0],
        [1_444_931_250, 8_256_750_000],
    ),
    case(
        Some(1),
        [0, 10_000, 10_000],
        [0, 4, 12],
        [6_959_400_000, 7_972_800_000],
    ),
    case(
        Some(2),
        [100, 9_876, 9_876],
        [0, 0, 0],
        [3_498_600_000, 5_415_300_000],
    ),
];

/// Statistics of an iteration (iterations with the same best move, fraction of the nodes, drop of the score), and their
/// factor with the default parameters.
const FACTORS: [((u32, f64, i32), f64); 11] = [
    ((0, 0.2, 60), 2.5),
    ((0, 0.0, 300), 2.5),
    ((0, 0.9, 0), 1.088),
    ((1, 0.5, 0), 1.5),
    ((2, 0.69, 0), 1.00065),
    ((3, 0.8, -10), 0.705375),
    ((4, 0.9, -100), 0.50864),
    ((5, 0.95, 7), 0.5337175),
    ((5, 0.95, 400), 0.75645),
    ((99, 1.0, -500), 0.38335),
    ((2, 0.33, 33), 1.90236375),
];

impl Case {
    fn budget(&self, parameters: &Parameters) -> TimeBudget {
        let control = TimeControl::Game {
            moves: self.moves,
            base: millis(self.remaining),
            increment: millis(self.increment),
        };
        let [network, local, largest] = self.delays.map(millis);
        allocate_time(
            &control,
            millis(self.remaining),
            self.moves,
            millis(self.opponent),
            millis(30),
            Delays {
                network,
                local,
                largest,
            },
            parameters,
        )
    }
}

fn stats(
    (stable_iterations, best_move_node_fraction, score_drop): (u32, f64, i32),
) -> IterationStats {
    IterationStats {
        stable_iterations,
        best_move_node_fraction,
        score_drop,
    }
}

#[test]
fn defaults_give_these_limits() {
    for case in &CASES {
        let budget = case.budget(&Parameters::default());
        let limits = [budget.soft, budget.hard].map(|limit| limit.as_nanos());
        let remaining = case.remaining;
        assert_eq!(limits, case.limits.map(u128::from), "{remaining} ms left");
    }
}

#[test]
fn defaults_give_these_factors() {
    for (values, expected) in FACTORS {
        let factor = stats(values).time_factor(&Parameters::default());
        assert!((factor - expected).abs() < 1e-12, "{values:?}: {factor}");
    }
}

/// Returns the limits of all cases, and their soft limits after each iteration.
#[cfg(feature = "tuning")]
fn all_limits(parameters: &Parameters) -> Vec<Duration> {
    let budgets = CASES.iter().map(|case| case.budget(parameters));
    let limits = |budget: TimeBudget| {
        let after = FACTORS.map(|(values, _)| budget.soft_limit_after(&stats(values), parameters));
        [budget.soft, budget.hard].into_iter().chain(after)
    };
    budgets.flat_map(limits).collect()
}

#[cfg(feature = "tuning")]
#[test]
fn every_parameter_changes_the_limits_and_keeps_the_reserves() {
    let unchanged = all_limits(&Parameters::default());
    let mut tried = 0;
    let of_time = |spec: &&ParameterSpec| spec.needs_clock() && !spec.is_switch();
    for spec in Parameters::TABLE.iter().filter(of_time) {
        for value in [spec.min, spec.max] {
            let name = spec.name;
            let mut config = Config::default();
            config
                .set(name, Some(&value.to_string()))
                .expect("a parameter");
            let parameters = &config.search.parameters;
            assert_ne!(all_limits(parameters), unchanged, "{name}={value}");
            for case in &CASES {
                let TimeBudget { soft, hard } = case.budget(parameters);
                let [network, local, largest] = case.delays;
                let reserve = millis((network + local).max(largest));
                assert!(soft <= hard, "{name}={value}");
                assert!(hard + reserve < millis(case.remaining), "{name}={value}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 30, "only {tried} values");
}
