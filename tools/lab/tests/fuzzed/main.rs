//! The fuzz targets of this package on a stable toolchain: every file of the corpus, and random changes of these files.

#[path = "../../../../protocol-tests/runner/fuzzed/corpus.rs"]
mod corpus;
mod games;
#[path = "../../../../protocol-tests/runner/fuzzed/mutate.rs"]
mod mutate;
mod samples;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let targets: [corpus::Target; 2] = [("games", games::run), ("samples", samples::run)];
    let trials = targets
        .into_iter()
        .flat_map(|target| mutate::trials(target, None));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
