//! How far a run is, kept in a text file: a line with what the run is, one with the pairs played, one for each
//! parameter.

use std::path::Path;

use super::{RATE_TIMES_ROOT, SpsaArgs, Tuned};
use crate::{LabError, state_file};

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Pairs played.
    pub done: u64,
    /// By parameter.
    pub values: Vec<f64>,
}

impl State {
    /// The state in the file, or that of a run that begins.
    ///
    /// # Errors
    /// If the file is there and cannot be read, or belongs to another run.
    pub fn resume(path: &Path, args: &SpsaArgs, tuned: &[Tuned]) -> Result<State, LabError> {
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

    /// Writes the file; a crash leaves the old one or the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path, args: &SpsaArgs, tuned: &[Tuned]) -> Result<(), LabError> {
        let mut text = format!("{}\ndone {}\n", run_line(args), self.done);
        for (tuned, value) in tuned.iter().zip(&self.values) {
            text += &format!("{} {} {value}\n", tuned.parameter.name, tuned.last_step);
        }
        state_file::replace(path, &text)
    }
}

/// What must be the same for a run to go on.
fn run_line(args: &SpsaArgs) -> String {
    format!(
        "pairs {} nodes {} seed {} rate {RATE_TIMES_ROOT}/root",
        args.pairs, args.rules.nodes, args.rules.seed
    )
}

fn parse(text: &str, args: &SpsaArgs, tuned: &[Tuned]) -> Result<State, String> {
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
        .ok_or("line 2 does not say how many pairs are done")?;
    let mut values = Vec::new();
    for tuned in tuned {
        let expected = format!("{} {} ", tuned.parameter.name, tuned.last_step);
        let value = lines
            .next()
            .and_then(|line| line.strip_prefix(&expected)?.parse().ok())
            .ok_or_else(|| format!("no line begins with {expected:?} where it should"))?;
        values.push(value);
    }
    match lines.next() {
        None => Ok(State { done, values }),
        Some(line) => Err(format!("{line:?} is too much")),
    }
}
