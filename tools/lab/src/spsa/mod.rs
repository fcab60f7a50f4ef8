//! `gaur-lab spsa`: tunes parameters of the search by self-play.
//!
//! Simultaneous perturbation stochastic approximation (James Spall, 1992; for engines Joona Kiiski and the fishtest
//! project): in each iteration all parameters are moved a little up or down at random, both versions play a pair of
//! games, and every parameter goes a step towards the side that won.

mod state;

use std::io::Write;
use std::path::PathBuf;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use gaur::config::{ParameterSpec, Parameters};

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::trials::{Rules, Trial};
use gaur::tools::{AcceptedOptions, search_setup_with};
use state::State;

/// Pairs played from the same values; then all their results count at once. Independent of the number of threads, so
/// that this number changes nothing.
const BATCH: usize = 8;

/// The openings come from the streams below this one, signs and chances from those above.
const FIRST_STREAM: u64 = 1 << 40;

/// What `gaur-lab spsa` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct SpsaArgs {
    /// A parameter to tune, with its last step up and down (default: a twentieth of its range); may be given several
    /// times
    #[arg(long, value_name = "NAME[=STEP]", required = true)]
    pub tune: Vec<String>,
    /// Game pairs in all
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// How the pairs are played
    #[command(flatten)]
    pub rules: Rules,
    /// Where values are kept after each batch; a run that was stopped goes on from there
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Plays the pairs that are left and prints the values found.
///
/// # Errors
/// In a build without the feature `tuning`, with a parameter that does not exist, or if the file cannot be used.
pub fn run_spsa(args: &SpsaArgs, out: &mut impl Write) -> Result<(), LabError> {
    if ParameterSpec::settable().is_empty() {
        return Err(LabError::FixedParameters);
    }
    let tuned = args
        .tune
        .iter()
        .map(|text| Tuned::parse(text))
        .collect::<Result<Vec<Tuned>, LabError>>()?;
    for (index, one) in tuned.iter().enumerate() {
        if tuned[..index]
            .iter()
            .any(|other| other.parameter.name == one.parameter.name)
        {
            return Err(LabError::TwoChanges(one.parameter.name.to_owned()));
        }
    }
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let mut state = State::resume(&args.out, args, &tuned)?;
    run(args, &tuned, &mut state, &interrupt)?;
    for (tuned, value) in tuned.iter().zip(&state.values) {
        let default = tuned.parameter.default;
        writeln!(
            out,
            "{}={:.0} (from {default})",
            tuned.parameter.name, value
        )?;
    }
    Ok(())
}

/// A parameter that is tuned.
struct Tuned {
    parameter: &'static ParameterSpec,
    /// How far up and down it is moved in the end.
    last_step: f64,
}

impl Tuned {
    fn parse(text: &str) -> Result<Tuned, LabError> {
        let (name, step) = text
            .split_once('=')
            .map_or((text, None), |(name, step)| (name, Some(step)));
        let parameter = Parameters::TABLE
            .iter()
            .find(|parameter| parameter.name == name)
            .ok_or_else(|| {
                LabError::Tuned(name.to_owned(), gaur::config::OptionError::UnknownName)
            })?;
        let range = f64::from(parameter.max - parameter.min);
        let last_step = match step {
            None => Some((range / 20.0).max(1.0)),
            Some(step) => step.parse().ok().filter(|&step: &f64| step > 0.0),
        };
        let last_step = last_step
            .ok_or_else(|| LabError::Tuned(text.to_owned(), gaur::config::OptionError::BadValue))?;
        Ok(Tuned {
            parameter,
            last_step,
        })
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.parameter.min), f64::from(self.parameter.max))
    }
}

/// How far values are moved, and how fast they follow, in each iteration. The exponents are Spall's.
struct Gains {
    iterations: f64,
}

/// The learning rate of the last iteration times the square root of the number of iterations. The results of pairs are
/// mostly chance, and chance moves a value by about the rate times that root: with this number by a step or so, however
/// long the run is. (`docs/experiments/spsa.md` describes runs with less.)
const RATE_TIMES_ROOT: f64 = 0.9;

impl Gains {
    /// By how many last steps values are moved up and down.
    fn step(&self, iteration: u64) -> f64 {
        (self.iterations / (iteration as f64 + 1.0)).powf(0.101)
    }

    /// How many last steps a point won moves a value that was moved by one step.
    fn rate(&self, iteration: u64) -> f64 {
        let offset = self.iterations / 10.0;
        let growth = (offset + self.iterations) / (offset + iteration as f64 + 1.0);
        RATE_TIMES_ROOT / self.iterations.sqrt() * growth.powf(0.602)
    }
}

fn run(
    args: &SpsaArgs,
    tuned: &[Tuned],
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
            .map(|iteration| trial(args.rules.seed, tuned, &state.values, &gains, iteration))
            .collect::<Result<Vec<(Trial, Signs)>, LabError>>()?;
        let (trials, signs): (Vec<Trial>, Vec<Signs>) = batch.into_iter().unzip();
        let Some(points) = args.rules.play(&trials, interrupt) else {
            break; // the batch is played again next time
        };
        for ((trial, signs), half_points) in trials.iter().zip(&signs).zip(points) {
            let won = half_points as f64 / 2.0 - 1.0;
            let rate = gains.rate(trial.number) * won / gains.step(trial.number);
            for ((value, tuned), sign) in state.values.iter_mut().zip(tuned).zip(signs) {
                *value = tuned.clamp(*value + rate * tuned.last_step * sign);
            }
            state.done += 1;
            progress.step(|| "pairs,".to_owned());
        }
        state.save(&args.out, args, tuned)?;
    }
    progress.finish();
    Ok(())
}

/// Up or down, by parameter.
type Signs = Vec<f64>;

/// The pair of an iteration: values moved up or down by chance, and the other way round.
fn trial(
    seed: u64,
    tuned: &[Tuned],
    values: &[f64],
    gains: &Gains,
    iteration: u64,
) -> Result<(Trial, Signs), LabError> {
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
    // Parts of a unit count by chance, the same for both, so that they differ by what the steps differ.
    let chances: Vec<f64> = tuned
        .iter()
        .map(|_| f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0))
        .collect();
    let player = |direction: f64| {
        let settings: Vec<String> = tuned
            .iter()
            .zip(values)
            .zip(signs.iter().zip(&chances))
            .map(|((tuned, value), (sign, chance))| {
                let step = tuned.last_step * gains.step(iteration);
                let moved = tuned.clamp(value + direction * sign * step);
                format!("{}={:.0}", tuned.parameter.name, (moved + chance).floor())
            })
            .collect();
        search_setup_with(&settings, AcceptedOptions::SearchSetup)
    };
    let trial = Trial {
        number: iteration,
        players: [player(1.0)?, player(-1.0)?],
    };
    Ok((trial, signs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(pairs: u64, threads: u64, out: PathBuf) -> SpsaArgs {
        SpsaArgs {
            tune: vec!["reduction_base=20".into(), "futility_base".into()],
            pairs,
            rules: Rules {
                nodes: 50,
                threads,
                seed: 3,
            },
            out,
        }
    }

    #[test]
    fn gains_end_where_they_should() {
        let gains = Gains { iterations: 900.0 };
        assert!((gains.step(899) - 1.0).abs() < 1e-9);
        assert!((gains.rate(899) - 0.03).abs() < 1e-9);
        assert!(gains.step(0) > 1.5 && gains.rate(0) > 0.1);
    }

    #[test]
    fn a_run_is_reproduced_however_it_came_about() {
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
        // The same gains, but two threads, and interrupted after the first batch.
        let args = arguments(24, 2, parts.clone());
        let tuned: Vec<Tuned> =
            (args.tune.iter().map(|text| Tuned::parse(text).unwrap())).collect();
        let mut state = State::resume(&parts, &args, &tuned).unwrap();
        let gains = Gains { iterations: 24.0 };
        let trials: Vec<Trial> = (0..8)
            .map(|iteration| {
                trial(3, &tuned, &state.values, &gains, iteration)
                    .unwrap()
                    .0
            })
            .collect();
        let points = args.rules.play(&trials, &Interrupt::default()).unwrap();
        assert_eq!(points.len(), 8);
        run(&args, &tuned, &mut state, &Interrupt::default()).unwrap();
        assert_eq!(
            std::fs::read_to_string(&whole).unwrap(),
            std::fs::read_to_string(&parts).unwrap()
        );
        let other = SpsaArgs {
            rules: Rules {
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
        assert!(Tuned::parse("no_such_thing").is_err());
        assert!(Tuned::parse("reduction_base=-3").is_err());
        assert_eq!(
            Tuned::parse("reduction_base=30")
                .map(|tuned| tuned.last_step)
                .ok(),
            Some(30.0)
        );
    }
}
