//! Time: what the controls mean, whose clock shows what, and how much a move may cost.

mod budget;
mod clock_reports;
mod clocks;
mod control;
mod effort;
#[cfg(test)]
mod games;
mod lag;

pub use budget::{TimeBudget, allot};
pub use clock_reports::{ClockReports, Takeback, WhenTakenBack};
pub use clocks::{Clock, Clocks};
pub use control::TimeControl;
pub use effort::Effort;
pub use lag::Lag;
