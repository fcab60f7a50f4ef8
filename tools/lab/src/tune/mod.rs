//! `gaur-lab tune`: the weights of the classical evaluation, fitted to games by logistic regression.

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
use model::{Data, Pairs};
use optimiser::Optimiser;
use samples::read_samples;

/// What `gaur-lab tune` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct TuneArgs {
    /// Game files or folders with such files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Rust source whose weights are replaced by the best found, after every epoch that finds better ones:
    /// src/eval/classical/weights.rs
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Passes over the positions at most
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: usize,
    /// Ends after so many epochs without a lower loss on the games held back
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub patience: usize,
    /// How much of the target is the result of the game, the rest being what the search said: 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub lambda: f64,
    /// Step of the first epochs, in centipawns; it shrinks to a tenth
    #[arg(long, value_name = "CP", default_value_t = 0.5, value_parser = positive)]
    pub rate: f64,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    pub batch: usize,
    /// Each weight is held where it was as if so many positions had spoken for it
    #[arg(long, value_name = "N", default_value_t = 3000.0)]
    pub anchor: f64,
    /// Share of the games held back to see whether what is learned is true of others
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub validation: f64,
    /// Of the order of positions and the choice of games held back
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Positions at once
    #[arg(long, value_name = "T", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub threads: u64,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1 is wanted".to_owned()),
    }
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number above 0 is wanted".to_owned()),
    }
}

/// Reads games, tunes, and says epoch by epoch how it goes.
///
/// # Errors
/// If a file cannot be read or written, or holds no usable position.
pub fn run_tune(args: &TuneArgs, out: &mut impl Write) -> Result<(), LabError> {
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let start: Pairs = Weights::DEFAULT.to_pairs();
    let samples = read_samples(
        &game_files(&args.files)?,
        args.validation,
        args.seed,
        &interrupt,
    )?;
    writeln!(
        out,
        "{} games, {} positions; used {} to learn from, {} to check",
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
        "scale of the sigmoid: {score_scale:.1} cp for scores of the search, {scale:.1} cp for the evaluation"
    )?;
    let losses = |pairs: &Pairs| (training.loss(pairs, scale), validation.loss(pairs, scale));
    let (before, before_checked) = losses(&start);
    writeln!(
        out,
        "epoch   0: loss {before:.6}, of games held back {before_checked:.6}"
    )?;

    let mut optimiser = Optimiser::new(args, &start, training.len());
    let mut best = (start.clone(), before_checked);
    let mut since_best = 0;
    for epoch in 1..=args.epochs {
        let rate = args.rate * 0.1_f64.powf((epoch - 1) as f64 / args.epochs as f64);
        optimiser.epoch(&training, scale, rate, || interrupt.is_set());
        let rounded = round(optimiser.weights());
        let (loss, checked) = losses(&rounded);
        writeln!(
            out,
            "epoch {epoch:3}: loss {loss:.6}, of games held back {checked:.6}"
        )?;
        out.flush()?;
        since_best += 1;
        if checked < best.1 {
            best = (rounded, checked);
            since_best = 0;
            write_weights(args, &best.0)?;
        }
        if interrupt.is_set() || since_best >= args.patience {
            break;
        }
    }
    let (after, after_checked) = losses(&best.0);
    writeln!(
        out,
        "loss {before:.6} -> {after:.6}, of games held back {before_checked:.6} -> {after_checked:.6}"
    )?;
    Ok(())
}

/// As the engine will have them.
fn round(pairs: &Pairs) -> Pairs {
    pairs.iter().map(|pair| pair.map(f64::round)).collect()
}

fn write_weights(args: &TuneArgs, pairs: &Pairs) -> Result<(), LabError> {
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
