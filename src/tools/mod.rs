//! Commands of the command line: analyse positions, and measure speed, search and response times.

mod bench;
mod error;
mod eval;
mod latency;
mod perft;
mod settings;
mod solver;
mod suite;

#[cfg(test)]
mod perft_suites;

pub use bench::{BenchArgs, run_bench};
pub use error::ToolError;
pub use eval::{EvalArgs, run_eval};
pub use latency::{LatencyArgs, run_latency};
pub use perft::{PerftArgs, perft, run_perft};
pub use settings::{AcceptedOptions, config_with, search_setup_with};
pub use solver::Solver;
pub use suite::{EpdArgs, SuiteEntry, SuiteResult, read_suite, run_epd, run_suite};
