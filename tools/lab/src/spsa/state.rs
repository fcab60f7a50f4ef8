//! Progress of a run, saved in a text file: a line with the settings of the run, one with the number of pairs played,
//! and one for each parameter.

use std::path::Path;

use gaur::config::Parameters;
use gaur::search::SearchSetup;

use super::settings::{RATE_TIMES_ROOT, SpsaArgs, TunedParameter};
use crate::LabError;
use crate::pairs::version_of;
use crate::state_file;

/// Progress of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Number of pairs played.
    pub done: u64,
    /// Current value of each parameter.
    pub values: Vec<f64>,
    /// First line of the file: what must be the same for a run to be continued.
    run: String,
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
        let run = run_line(args);
        let Some(text) = state_file::read(path)? else {
            let values = tuned.iter().map(|tuned| tuned.parameter.default.into());
            return Ok(State {
                done: 0,
                values: values.collect(),
                run,
            });
        };
        parse(&text, run, tuned).map_err(|reason| LabError::BadState {
            path: path.to_owned(),
            reason,
        })
    }

    /// Writes the file. A crash leaves the old or the new contents.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path, tuned: &[TunedParameter]) -> Result<(), LabError> {
        let mut text = format!("{}\ndone {}\n", self.run, self.done);
        for (tuned, value) in tuned.iter().zip(&self.values) {
            text += &format!("{} {} {value}\n", tuned.parameter.name, tuned.last_step);
        }
        state_file::replace(path, &text)
    }
}

/// Returns the first line of the file.
fn run_line(args: &SpsaArgs) -> String {
    format!(
        "pairs {} nodes {} seed {} rate {RATE_TIMES_ROOT}/root {}",
        args.pairs,
        args.pair_args.nodes,
        args.pair_args.seed,
        version_of(&SearchSetup::default())
    )
}

fn parse(text: &str, run: String, tuned: &[TunedParameter]) -> Result<State, String> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    if found != run {
        return Err(format!(
            "it belongs to a run with {found:?}, this is {run:?}"
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
        None => Ok(State { done, values, run }),
        Some(line) => Err(format!("unexpected line {line:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PairArgs;

    fn arguments() -> SpsaArgs {
        SpsaArgs {
            tune: Vec::new(),
            pairs: 8,
            pair_args: PairArgs {
                nodes: 60,
                threads: 1,
                seed: 3,
            },
            out: "unused".into(),
        }
    }

    #[test]
    fn a_parameter_of_an_older_version_is_named() {
        let tuned = [TunedParameter::parse("reduction_base=20").unwrap()];
        let run = run_line(&arguments());
        let parse_line =
            |line: &str| parse(&format!("{run}\ndone 8\n{line}\n"), run.clone(), &tuned);
        assert!(parse_line("reduction_base 20 91.5").is_ok());
        let error = parse_line("old_name 20 91.5").unwrap_err();
        assert_eq!(
            error,
            "it tunes \"old_name\", which is no parameter of this version"
        );
        assert!(parse_line("reduction_base 10 91.5").is_err());
    }

    #[test]
    fn a_file_of_another_version_is_refused() {
        let version = version_of(&SearchSetup::default());
        let run = run_line(&arguments());
        assert!(run.ends_with(&version), "{run}");
        let old = run.replace(&version, "network 01234567 search 89abcdef");
        let error = parse(&format!("{old}\ndone 8\n"), run, &[]).unwrap_err();
        assert!(error.contains("89abcdef"), "{error}");
    }
}
