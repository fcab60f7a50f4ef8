//! Time management: time controls, clocks, lag and the time per move.

mod budget;
mod clock_reports;
mod clocks;
mod control;
mod human_time;
mod iteration_stats;
mod lag;
mod lateness;
#[cfg(test)]
mod parameters_tests;
#[cfg(test)]
mod simulated_delays_tests;
#[cfg(test)]
mod simulated_games_tests;

pub use budget::{Delays, TimeBudget, allocate_time};
pub use clock_reports::{ClockReports, Takeback, TakebackTimes};
pub use clocks::{Clock, Clocks};
pub use control::TimeControl;
pub use human_time::{Choice, human_time, longest_human_time};
pub use iteration_stats::IterationStats;
pub use lag::{LagEstimate, LagSample};
pub use lateness::Lateness;
