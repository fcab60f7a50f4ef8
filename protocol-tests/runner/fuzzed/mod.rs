//! Functions that the fuzzer calls with bytes. Each panics where a property does not hold.
//!
//! The fuzz targets call them, and a test calls them with every file of the corpus.

pub mod book;
pub mod conversation;
pub mod corpus;
pub mod fen;
pub mod line;
pub mod moves;
pub mod mutate;
pub mod network;
pub mod pgn;
pub mod tablebase;
pub mod terminal;

use std::time::Duration;

use libtest_mimic::Trial;

use corpus::Target;

/// All targets but `games`, which the package `gaur-lab` has.
pub const TARGETS: [Target; 9] = [
    ("line", line::run),
    ("fen", fen::run),
    ("moves", moves::run),
    ("pgn", pgn::run),
    ("conversation", conversation::run),
    ("terminal", terminal::run),
    ("tablebase", tablebase::run),
    ("book", book::run),
    ("network", network::run),
];

/// Returns the tests of all targets. With `time`, each test with random changes continues for at least this long.
pub fn trials(time: Option<Duration>) -> Vec<Trial> {
    let of_target = |&target| mutate::trials(target, time);
    TARGETS.iter().flat_map(of_target).collect()
}
