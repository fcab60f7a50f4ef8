//! What the command line can do besides playing: counting, measuring, solving, making data.

mod bench;
mod data;
mod datagen;
mod duel;
mod error;
mod eval;
mod games;
mod harvest;
mod interrupt;
mod latency;
mod perft;
mod progress;
mod screen;
mod settings;
mod solver;
mod spsa;
mod state_file;
mod suite;
mod trials;
mod tune;
mod warning;

#[cfg(test)]
mod perft_suites;

pub use bench::{BenchArgs, run_bench};
pub use data::{Conditions, DataCommand, run_data};
pub use datagen::{DatagenArgs, run_datagen};
pub use duel::{DuelArgs, run_duel};
pub use error::ToolError;
pub use eval::{EvalArgs, run_eval};
pub use harvest::{HarvestArgs, run_harvest};
pub use latency::{LatencyArgs, run_latency};
pub use perft::{PerftArgs, perft, run_perft};
pub use screen::{ScreenArgs, run_screen};
pub use settings::{AcceptedOptions, config_with};
pub use solver::Solver;
pub use spsa::{SpsaArgs, run_spsa};
pub use suite::{EpdArgs, SuiteEntry, Tally, read_suite, run_epd, run_suite};
pub use tune::{TuneArgs, run_tune};
