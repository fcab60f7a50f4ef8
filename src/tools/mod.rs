//! Commands of the command line: analyse positions, measure speed, search and response times, edit opening books, and
//! describe the command line itself.

mod bench;
mod book;
mod completions;
mod counted;
mod error;
mod eval;
mod interrupt;
mod latency;
mod man_page;
mod perft;
mod progress_line;
mod settings;
mod solver;
mod suite;
mod version;

#[cfg(test)]
mod perft_suites;

pub use bench::{BenchArgs, run_bench};
pub use book::{BookCommand, run_book};
pub use completions::{CompletionsArgs, run_completions};
pub use error::ToolError;
pub use eval::{EvalArgs, run_eval};
pub use latency::{LatencyArgs, run_latency};
pub use man_page::run_man;
pub use perft::{PerftArgs, perft, run_perft};
pub use settings::{AcceptedOptions, config_with, search_setup_with};
pub use solver::Solver;
pub use suite::{EpdArgs, SuiteEntry, SuiteResult, read_suite, run_epd, run_suite};
pub use version::LONG_VERSION;
