//! What the fuzzer feeds with bytes. Each function panics when something does not hold.
//!
//! The fuzz targets call them, and a test calls them with every file of the corpus.

pub mod conversation;
pub mod fen;
pub mod games;
pub mod line;
pub mod moves;
pub mod mutate;
pub mod pgn;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

/// A target: its name, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// So many changes of the corpus in every run.
const MUTATIONS: u64 = 1000;

/// All targets.
pub const TARGETS: [Target; 6] = [
    ("line", line::run),
    ("fen", fen::run),
    ("moves", moves::run),
    ("pgn", pgn::run),
    ("conversation", conversation::run),
    ("games", games::run),
];

/// The corpus and changes of it, which go on for this time if it is given.
pub fn trials(time: Option<Duration>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for target in TARGETS {
        trials.push(Trial::test(format!("corpus::{}", target.0), move || {
            run_corpus(target).map_err(Failed::from)
        }));
        trials.push(Trial::test(format!("mutated::{}", target.0), move || {
            mutate::run(target, MUTATIONS, time.unwrap_or_default()).map_err(Failed::from)
        }));
    }
    trials
}

/// The corpus of a target, in the order of its names.
pub fn corpus(target: &str) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("protocol-tests/fuzz/corpus")
        .join(target);
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<PathBuf>, _>>()
        .map_err(|error| error.to_string())?;
    files.sort();
    Ok(files)
}

/// Feeds a target with every file of its corpus.
pub fn run_corpus((name, run): Target) -> Result<(), String> {
    let files = corpus(name)?;
    if files.is_empty() {
        return Err(format!("there is no corpus for {name}"));
    }
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        std::panic::catch_unwind(|| run(&bytes))
            .map_err(|_| format!("{}; what is wrong was said above", file.display()))?;
    }
    Ok(())
}
