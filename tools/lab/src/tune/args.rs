//! Arguments of `gaur-lab tune`.

use std::path::PathBuf;

/// Arguments of `gaur-lab tune`.
#[derive(Clone, Debug, clap::Args)]
pub struct TuneArgs {
    /// Game files or folders with such files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Rust source file of the weights, src/eval/classical/weights.rs. Every epoch that finds better weights replaces
    /// those in the file
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Largest number of epochs, which are passes over all positions
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: usize,
    /// Number of epochs without a lower validation loss after which the tuning ends
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub patience: usize,
    /// Weight of the result of the game in the target, 0 to 1; the score of the search has the rest
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub lambda: f64,
    /// Learning rate of the first epoch, in centipawns per step; it decreases to a tenth
    #[arg(long, value_name = "CP", default_value_t = 0.5, value_parser = positive)]
    pub rate: f64,
    /// Number of positions per step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    pub batch: usize,
    /// Strength of the regularisation: each weight is drawn to its old value as by this number of positions
    #[arg(long, value_name = "N", default_value_t = 3000.0)]
    pub anchor: f64,
    /// Share of the games used for validation, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub validation: f64,
    /// Seed of the order of the positions and of the choice of validation games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub threads: u64,
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// Parses a number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}
