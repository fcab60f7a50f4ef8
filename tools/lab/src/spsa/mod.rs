//! `gaur-lab spsa`: tunes search parameters by self-play.
//!
//! Simultaneous perturbation stochastic approximation (James Spall, 1992; for engines Joona Kiiski and the fishtest
//! project): each iteration moves every parameter a little up or down at random. A version with these values plays a
//! pair of games against the version with the opposite moves. Then every parameter moves towards the winner's value.

mod settings;
mod state;

use std::io::Write;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use gaur::config::ParameterSpec;
use gaur::tools::{AcceptedOptions, search_setup_with};

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::pairs::GamePair;
use crate::progress::Progress;
use crate::state_file;
use settings::{RATE_TIMES_ROOT, TunedParameter};
use state::State;

pub use settings::SpsaArgs;

/// Number of pairs that are played from the same values before these change. It does not depend on the number of
/// threads, so that the result does not, either.
const BATCH: usize = 8;

/// First stream of random numbers that chooses signs and rounding. The streams below it choose the openings.
const FIRST_STREAM: u64 = 1 << 40;

/// Plays the pairs that are missing and prints the values found.
///
/// # Errors
/// If the build has not the feature `tuning`, a parameter does not exist, the file cannot be used, or the run is
/// interrupted. The values found so far are printed then.
pub fn run_spsa(args: &SpsaArgs, out: &mut impl Write) -> Result<(), LabError> {
    if ParameterSpec::settable().is_empty() {
        return Err(LabError::FixedParameters);
    }
    let tuned = args
        .tune
        .iter()
        .map(|text| TunedParameter::parse(text))
        .collect::<Result<Vec<TunedParameter>, LabError>>()?;
    for (index, one) in tuned.iter().enumerate() {
        if tuned[..index]
            .iter()
            .any(|other| other.parameter.name == one.parameter.name)
        {
            return Err(LabError::TwoChanges(one.parameter.name.to_owned()));
        }
    }
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let _lock = state_file::Lock::new(&args.out)?;
    let mut state = State::resume(&args.out, args, &tuned)?;
    run(args, &tuned, &mut state, &interrupt)?;
    report(args, &tuned, &state, out)
}

/// Prints the values found.
///
/// # Errors
/// If they cannot be written, or pairs are lacking.
fn report(
    args: &SpsaArgs,
    tuned: &[TunedParameter],
    state: &State,
    out: &mut impl Write,
) -> Result<(), LabError> {
    for (tuned, value) in tuned.iter().zip(&state.values) {
        let default = tuned.parameter.default;
        writeln!(
            out,
            "{}={:.0} (from {default})",
            tuned.parameter.name, value
        )?;
    }
    LabError::if_pairs_lack(state.done, args.pairs)
}

/// The gain sequences: step and learning rate of each iteration. The exponents are Spall's.
struct Gains {
    /// Number of iterations of the run.
    iterations: f64,
}

impl Gains {
    /// Returns the step of an iteration, in last steps.
    fn step(&self, iteration: u64) -> f64 {
        (self.iterations / (iteration as f64 + 1.0)).powf(0.101)
    }

    /// Returns the learning rate: the number of last steps by which a point won moves a value that had moved by one
    /// step.
    fn rate(&self, iteration: u64) -> f64 {
        let offset = self.iterations / 10.0;
        let growth = (offset + self.iterations) / (offset + iteration as f64 + 1.0);
        RATE_TIMES_ROOT / self.iterations.sqrt() * growth.powf(0.602)
    }
}

/// Plays the missing pairs and changes the values in `state`.
fn run(
    args: &SpsaArgs,
    tuned: &[TunedParameter],
    state: &mut State,
    interrupt: &Interrupt,
) -> Result<(), LabError> {
    let gains = Gains {
        iterations: args.pairs as f64,
    };
    let mut progress = Progress::new(state.done, args.pairs);
    while state.done < args.pairs {
        let count = (args.pairs - state.done).min(BATCH as u64);
        let batch = (state.done..state.done + count)
            .map(|iteration| {
                let seed = args.pair_args.seed;
                game_pair(seed, tuned, &state.values, &gains, iteration)
            })
            .collect::<Result<Vec<(GamePair, Signs)>, LabError>>()?;
        let (pairs, signs): (Vec<GamePair>, Vec<Signs>) = batch.into_iter().unzip();
        let points = args.pair_args.play(&pairs, interrupt)?;
        if points.len() < pairs.len() {
            break; // the batch is played again next time
        }
        for ((pair, signs), half_points) in pairs.iter().zip(&signs).zip(points) {
            let won = half_points as f64 / 2.0 - 1.0;
            let rate = gains.rate(pair.number) * won / gains.step(pair.number);
            for ((value, tuned), sign) in state.values.iter_mut().zip(tuned).zip(signs) {
                *value = tuned.clamp(*value + rate * tuned.last_step * sign);
            }
            state.done += 1;
            progress.step(|| "pairs,".to_owned());
        }
        state.save(&args.out, tuned)?;
    }
    progress.finish();
    Ok(())
}

/// Direction of each parameter in the first player: 1 for up, -1 for down.
type Signs = Vec<f64>;

/// Returns the pair of an iteration: one player with values moved up or down at random, one with the opposite moves.
fn game_pair(
    seed: u64,
    tuned: &[TunedParameter],
    values: &[f64],
    gains: &Gains,
    iteration: u64,
) -> Result<(GamePair, Signs), LabError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(FIRST_STREAM + iteration);
    let signs: Signs = tuned
        .iter()
        .map(|_| {
            if random.next_u32() & 1 == 0 {
                1.0
            } else {
                -1.0
            }
        })
        .collect();
    // Values are rounded at random, with the same random number for both players, so that the mean difference between
    // them is that of the unrounded values.
    let rounding: Vec<f64> = tuned
        .iter()
        .map(|_| f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0))
        .collect();
    let player = |direction: f64| {
        let settings: Vec<String> = tuned
            .iter()
            .zip(values)
            .zip(signs.iter().zip(&rounding))
            .map(|((tuned, value), (sign, rounding))| {
                let step = tuned.last_step * gains.step(iteration);
                let moved = tuned.clamp(value + direction * sign * step);
                format!("{}={:.0}", tuned.parameter.name, (moved + rounding).floor())
            })
            .collect();
        search_setup_with(&settings, AcceptedOptions::SearchSetup)
    };
    let pair = GamePair {
        number: iteration,
        players: [player(1.0)?, player(-1.0)?],
    };
    Ok((pair, signs))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::pairs::PairArgs;

    fn arguments(pairs: u64, threads: u64, out: PathBuf) -> SpsaArgs {
        SpsaArgs {
            tune: vec!["reduction_base=20".into(), "futility_base".into()],
            pairs,
            pair_args: PairArgs {
                nodes: 50,
                threads,
                seed: 3,
            },
            out,
        }
    }

    #[test]
    fn gains_of_the_last_iteration_are_step_one_and_the_rate() {
        let gains = Gains { iterations: 900.0 };
        assert!((gains.step(899) - 1.0).abs() < 1e-9);
        assert!((gains.rate(899) - 0.03).abs() < 1e-9);
        assert!(gains.step(0) > 1.5 && gains.rate(0) > 0.1);
    }

    #[test]
    fn a_run_is_reproduced_with_other_threads_and_interruptions() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        let mut out = Vec::new();
        let outcome = run_spsa(&arguments(24, 1, whole.clone()), &mut out);
        if ParameterSpec::settable().is_empty() {
            assert!(matches!(outcome, Err(LabError::FixedParameters)));
            return;
        }
        outcome.unwrap();
        assert!(String::from_utf8_lossy(&out).contains("reduction_base="));
        // The same run with two threads, interrupted after the first batch.
        let args = arguments(24, 2, parts.clone());
        let tuned: Vec<TunedParameter> = (args
            .tune
            .iter()
            .map(|text| TunedParameter::parse(text).unwrap()))
        .collect();
        let mut state = State::resume(&parts, &args, &tuned).unwrap();
        let gains = Gains { iterations: 24.0 };
        let pairs: Vec<GamePair> = (0..8)
            .map(|iteration| {
                game_pair(3, &tuned, &state.values, &gains, iteration)
                    .unwrap()
                    .0
            })
            .collect();
        let points = args.pair_args.play(&pairs, &Interrupt::default()).unwrap();
        assert_eq!(points.len(), 8);
        let interrupt = Interrupt::default();
        interrupt.set();
        run(&args, &tuned, &mut state, &interrupt).unwrap();
        let error = report(&args, &tuned, &state, &mut Vec::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "interrupted after 0 of 24 pairs; the same command continues the run"
        );
        run(&args, &tuned, &mut state, &Interrupt::default()).unwrap();
        assert_eq!(
            std::fs::read_to_string(&whole).unwrap(),
            std::fs::read_to_string(&parts).unwrap()
        );
        let lock = state_file::Lock::new(&whole).unwrap();
        let error = run_spsa(&arguments(24, 1, whole.clone()), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("another process"), "{error}");
        drop(lock);
        let other = SpsaArgs {
            pair_args: PairArgs {
                nodes: 60,
                threads: 1,
                seed: 3,
            },
            ..arguments(24, 1, whole)
        };
        assert!(matches!(
            run_spsa(&other, &mut Vec::new()),
            Err(LabError::BadState { .. })
        ));
    }

    #[test]
    fn parameters_are_checked() {
        assert!(TunedParameter::parse("no_such_thing").is_err());
        assert!(TunedParameter::parse("reduction_base=-3").is_err());
        assert_eq!(
            TunedParameter::parse("reduction_base=30")
                .map(|tuned| tuned.last_step)
                .ok(),
            Some(30.0)
        );
    }
}
