//! What the command line can do besides playing: counting, measuring, solving.

mod bench;
mod error;
pub mod eval;
mod latency;
mod perft;
mod solver;
mod suite;

#[cfg(test)]
mod perft_suites;

pub use bench::{BenchArgs, run_bench};
pub use error::ToolError;
pub use latency::{LatencyArgs, run_latency};
pub use perft::{PerftArgs, perft, run_perft};
pub use solver::Solver;
pub use suite::{EpdArgs, SuiteEntry, Tally, read_suite, run_epd, run_suite};
