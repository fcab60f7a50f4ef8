//! `gaur-lab tune`: fits the weights of the classical evaluation to games by logistic regression.

mod coefficients;
#[cfg(test)]
mod coefficients_tests;
mod model;
mod optimiser;
mod rewrite;
mod samples;
mod tape;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use gaur::eval::Weights;

use crate::LabError;
use crate::game_input::game_files;
use crate::interrupt::Interrupt;
use crate::state_file;
use model::{Data, WeightPairs};
use optimiser::Optimiser;
use samples::read_samples;

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

/// Reads the games, tunes the weights, and prints the losses of each epoch.
///
/// # Errors
/// If a file cannot be read or written, or holds no usable position.
pub fn run_tune(args: &TuneArgs, out: &mut impl Write) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let start: WeightPairs = Weights::DEFAULT.to_pairs();
    let samples = read_samples(
        &game_files(&args.files)?,
        args.validation,
        args.seed,
        &interrupt,
    )?;
    writeln!(
        out,
        "{} games, {} positions; {} for training, {} for validation",
        samples.games,
        samples.positions,
        samples.training.len(),
        samples.validation.len()
    )?;
    if samples.training.is_empty() || samples.validation.is_empty() {
        return Err(LabError::TooFewGames);
    }
    let threads = args.threads as usize;
    let score_scale = model::fit_score_scale(&samples.training);
    let training = Data::new(samples.training, args.lambda, score_scale, threads);
    let validation = Data::new(samples.validation, args.lambda, score_scale, threads);
    let scale = training.fit_scale(&start);
    writeln!(
        out,
        "scale of the sigmoid: {score_scale:.1} cp for the scores of the search, {scale:.1} cp for the evaluation"
    )?;
    let losses = |pairs: &WeightPairs| (training.loss(pairs, scale), validation.loss(pairs, scale));
    let (before, validation_before) = losses(&start);
    writeln!(
        out,
        "epoch   0: training loss {before:.6}, validation loss {validation_before:.6}"
    )?;

    let mut optimiser = Optimiser::new(args, &start, training.len());
    let mut best = (start.clone(), validation_before);
    let mut since_best = 0;
    for epoch in 1..=args.epochs {
        let rate = args.rate * 0.1_f64.powf((epoch - 1) as f64 / args.epochs as f64);
        optimiser.epoch(&training, scale, rate, || interrupt.is_set());
        let rounded = round(optimiser.weights());
        let (loss, validation_loss) = losses(&rounded);
        writeln!(
            out,
            "epoch {epoch:3}: training loss {loss:.6}, validation loss {validation_loss:.6}"
        )?;
        out.flush()?;
        since_best += 1;
        if validation_loss < best.1 {
            best = (rounded, validation_loss);
            since_best = 0;
            write_weights(args, &best.0)?;
        }
        if interrupt.is_set() || since_best >= args.patience {
            break;
        }
    }
    let (after, validation_after) = losses(&best.0);
    writeln!(
        out,
        "training loss {before:.6} -> {after:.6}, validation loss {validation_before:.6} -> {validation_after:.6}"
    )?;
    Ok(())
}

/// Returns the weights rounded to centipawns, as the engine uses them.
fn round(pairs: &WeightPairs) -> WeightPairs {
    pairs.iter().map(|pair| pair.map(f64::round)).collect()
}

/// Replaces the weights in the source file, if there is one.
fn write_weights(args: &TuneArgs, pairs: &WeightPairs) -> Result<(), LabError> {
    let Some(path) = &args.write else {
        return Ok(());
    };
    let unreadable = |error| LabError::Unreadable {
        path: path.clone(),
        error,
    };
    let source = fs::read_to_string(path).map_err(unreadable)?;
    let source = rewrite::rewrite(&source, pairs).map_err(|reason| LabError::BadLine {
        path: path.clone(),
        number: 1,
        reason,
    })?;
    state_file::replace(path, &source)
}
