//! Arguments of `gaur-lab spsa` and the tuned parameters.

use std::path::PathBuf;

use gaur::config::{OptionError, ParameterSpec, Parameters};

use crate::LabError;
use crate::pairs::PairArgs;

/// Learning rate of the last iteration times the square root of the number of iterations. The results of pairs are
/// mostly noise, and noise moves a value by about the rate times that root: with this constant by about one step,
/// independent of the length of the run. (`docs/experiments/spsa.md` records runs with smaller rates.)
pub(super) const RATE_TIMES_ROOT: f64 = 0.9;

/// Arguments of `gaur-lab spsa`.
#[derive(Clone, Debug, clap::Args)]
pub struct SpsaArgs {
    /// Parameter to tune, and how far from its value it is tried at the end (default: a twentieth of its range); may
    /// be given several times
    #[arg(long, value_name = "NAME[=STEP]", required = true)]
    pub tune: Vec<String>,
    /// Number of game pairs
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Options that determine how pairs are played
    #[command(flatten)]
    pub pair_args: PairArgs,
    /// File in which the values are saved after every 8 pairs; a stopped run continues from it
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A parameter to be tuned.
pub(super) struct TunedParameter {
    pub parameter: &'static ParameterSpec,
    /// Step up and down in the last iteration.
    pub last_step: f64,
}

impl TunedParameter {
    /// Parses `NAME` or `NAME=STEP`.
    ///
    /// # Errors
    /// If there is no such parameter or the step is not positive.
    pub fn parse(text: &str) -> Result<TunedParameter, LabError> {
        let (name, step) = text
            .split_once('=')
            .map_or((text, None), |(name, step)| (name, Some(step)));
        let parameter = Parameters::TABLE
            .iter()
            .find(|parameter| parameter.name == name)
            .ok_or_else(|| LabError::Tuned(name.to_owned(), OptionError::UnknownName))?;
        let range = f64::from(parameter.max - parameter.min);
        let last_step = match step {
            None => Some((range / 20.0).max(1.0)),
            Some(step) => step.parse().ok().filter(|&step: &f64| step > 0.0),
        };
        let last_step =
            last_step.ok_or_else(|| LabError::Tuned(text.to_owned(), OptionError::BadValue))?;
        Ok(TunedParameter {
            parameter,
            last_step,
        })
    }

    /// Returns the nearest value in the range of the parameter.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.parameter.min), f64::from(self.parameter.max))
    }
}
