//! The fuzz target `games` on a stable toolchain: every file of its corpus, and random changes of these files.

#[path = "../../../../protocol-tests/runner/fuzzed/corpus.rs"]
mod corpus;
mod games;
#[path = "../../../../protocol-tests/runner/fuzzed/mutate.rs"]
mod mutate;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = mutate::trials(("games", games::run), None);
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}
