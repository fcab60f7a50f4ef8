//! What the command line can do besides playing: counting, measuring, solving.

mod error;
pub mod eval;
mod perft;
mod suite;

#[cfg(test)]
mod perft_suites;

pub use error::ToolError;
pub use perft::{PerftArgs, perft, run_perft};
pub use suite::{EpdArgs, SuiteEntry, Tally, read_suite, run_epd, run_suite};
