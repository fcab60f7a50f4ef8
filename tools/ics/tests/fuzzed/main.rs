//! The fuzz target `server_text` on a stable toolchain: every file of its corpus, and random changes of these files.

#[path = "../../../../protocol-tests/runner/fuzzed/corpus.rs"]
mod corpus;
#[path = "../../../../protocol-tests/runner/fuzzed/mutate.rs"]
mod mutate;
mod server_text;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = mutate::trials(("server_text", server_text::run), None);
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}
