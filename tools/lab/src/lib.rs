//! The tools of Gaur's developers: training games, tuning, and test games between settings.
//!
//! The tools use the public interface of the engine's library only. The program `gaur-lab` is their command line.
//! Each module imports only modules above it in this list.

mod digits;
mod interrupt;
mod progress;
mod warning;

mod new_file;

pub mod sample_file;

pub mod game_file;

mod error;

mod state_file;

mod game_input;

mod adjudication;

mod data;

mod features;

mod datagen;

mod harvest;

mod tune;

mod pairs;

mod duel;

mod spsa;

mod ablate;

mod book;

pub use ablate::{AblateArgs, run_ablate};
pub use book::{BookArgs, run_book};
pub use data::{Conditions, DataCommand, SampleArgs, run_data};
pub use datagen::{DatagenArgs, run_datagen};
pub use duel::{DuelArgs, run_duel};
pub use error::LabError;
pub use features::run_features;
pub use harvest::{HarvestArgs, run_harvest};
pub use spsa::{SpsaArgs, run_spsa};
pub use tune::{TuneArgs, run_tune};
