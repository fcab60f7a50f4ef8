//! Progress of a run, saved in a text file: a line with the settings of the run, one with the number of pairs played,
//! and one for each parameter.

use std::path::Path;

use gaur::config::Parameters;

use super::settings::{RATE_TIMES_ROOT, SpsaArgs, TunedParameter};
use crate::LabError;
use crate::state_file;

/// Progress of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Number of pairs played.
    pub done: u64,
    /// Current value of each parameter.
    pub values: Vec<f64>,
}

impl State {
    /// Returns the state in the file; that of a new run if there is no file.
    ///
    /// # Errors
    /// If the file exists and cannot be read, or belongs to another run.
    pub fn resume(
        path: &Path,
        args: &SpsaArgs,
        tuned: &[TunedParameter],
    ) -> Result<State, LabError> {
        let Some(text) = state_file::read(path)? else {
            let values = tuned.iter().map(|tuned| tuned.parameter.default.into());
            return Ok(State {
                done: 0,
                values: values.collect(),
            });
        };
        parse(&text, args, tuned).map_err(|reason| LabError::BadState {
            path: path.to_owned(),
            reason,
        })
    }

    /// Writes the file. A crash leaves the old or the new contents.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(
        &self,
        path: &Path,
        args: &SpsaArgs,
        tuned: &[TunedParameter],
    ) -> Result<(), LabError> {
        let mut text = format!("{}\ndone {}\n", run_line(args), self.done);
        for (tuned, value) in tuned.iter().zip(&self.values) {
            text += &format!("{} {} {value}\n", tuned.parameter.name, tuned.last_step);
        }
        state_file::replace(path, &text)
    }
}

/// Returns the first line of the file: what must be the same for a run to be continued.
fn run_line(args: &SpsaArgs) -> String {
    format!(
        "pairs {} nodes {} seed {} rate {RATE_TIMES_ROOT}/root",
        args.pairs, args.pair_args.nodes, args.pair_args.seed
    )
}

fn parse(text: &str, args: &SpsaArgs, tuned: &[TunedParameter]) -> Result<State, String> {
    let mut lines = text.lines();
    let (run, expected) = (lines.next().unwrap_or_default(), run_line(args));
    if run != expected {
        return Err(format!(
            "it belongs to a run with {run:?}, this is {expected:?}"
        ));
    }
    let done = lines
        .next()
        .and_then(|line| line.strip_prefix("done ")?.parse().ok())
        .ok_or("line 2 is not the number of pairs done")?;
    let mut values = Vec::new();
    for tuned in tuned {
        let line = lines.next().unwrap_or_default();
        let name = line.split(' ').next().unwrap_or_default();
        if !name.is_empty() && Parameters::TABLE.iter().all(|spec| spec.name != name) {
            return Err(format!(
                "it tunes {name:?}, which is no parameter of this version"
            ));
        }
        let expected = format!("{} {} ", tuned.parameter.name, tuned.last_step);
        let value = line
            .strip_prefix(&expected)
            .and_then(|value| value.parse().ok())
            .ok_or_else(|| format!("{line:?} is not a value of {expected:?}, its name and step"))?;
        values.push(value);
    }
    match lines.next() {
        None => Ok(State { done, values }),
        Some(line) => Err(format!("unexpected line {line:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PairArgs;

    #[test]
    fn a_parameter_of_an_older_version_is_named() {
        let args = SpsaArgs {
            tune: Vec::new(),
            pairs: 8,
            pair_args: PairArgs {
                nodes: 60,
                threads: 1,
                seed: 3,
            },
            out: "unused".into(),
        };
        let tuned = [TunedParameter::parse("reduction_base=20").unwrap()];
        let state = |line: &str| format!("{}\ndone 8\n{line}\n", run_line(&args));
        assert!(parse(&state("reduction_base 20 91.5"), &args, &tuned).is_ok());
        let error = parse(&state("old_name 20 91.5"), &args, &tuned).unwrap_err();
        assert_eq!(
            error,
            "it tunes \"old_name\", which is no parameter of this version"
        );
        assert!(parse(&state("reduction_base 10 91.5"), &args, &tuned).is_err());
    }
}
