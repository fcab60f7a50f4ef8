//! Time: what the controls mean, whose clock shows what, and how much a move may cost.

mod budget;
mod clocks;
mod control;
mod effort;
#[cfg(test)]
mod games;
mod heard;
mod lag;

pub use budget::{TimeBudget, allot};
pub use clocks::{Clock, Clocks};
pub use control::TimeControl;
pub use effort::Effort;
pub use heard::{Heard, Takeback, WhenTakenBack};
pub use lag::Lag;
