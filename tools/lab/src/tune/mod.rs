//! `gaur-lab tune`: fits the weights of the classical evaluation to games by logistic regression.

mod args;
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

use gaur::eval::Weights;

use crate::LabError;
use crate::game_input::game_files;
use crate::interrupt::Interrupt;
use crate::state_file;
use model::{Data, WeightPairs};
use optimiser::Optimiser;
use samples::read_samples;

pub use args::TuneArgs;

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
