//! The perft suites: short in every run, deep on demand.
//!
//! `src/rules/suites/standard.epd` and `fischer.epd` are data files, their counts checked by this project.
//! `GAUR_DEEP=1 cargo test --release perft_deep` counts every line of the first at full depth and of the
//! second at depth 5.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::perft;
use crate::board::Board;
use crate::notation::parse_epd;

const STANDARD: &str = include_str!("../rules/suites/standard.epd");
const FISCHER: &str = include_str!("../rules/suites/fischer.epd");

/// Without the deep run a line is counted at the deepest depth that has fewer leaves than this.
const SHORT: u64 = 200_000;

/// How far the lines of a suite are counted.
#[derive(Clone, Copy)]
enum Extent {
    /// The deepest depth below this many leaves.
    Leaves(u64),
    /// The deepest depth up to this one.
    Depth(u32),
}

/// Counts one line, in bulk or not, and gives the number of leaves.
fn check_line(line: &str, extent: Extent, bulk: bool) -> u64 {
    let epd = parse_epd(line).unwrap();
    let counts = epd.perft_counts().unwrap();
    assert!(!counts.is_empty(), "no counts: {line}");
    let fits = |&(depth, leaves): &(u32, u64)| match extent {
        Extent::Leaves(limit) => leaves < limit,
        Extent::Depth(limit) => depth <= limit,
    };
    // Some lines have one deep count only.
    let (depth, leaves) = counts.iter().copied().rfind(fits).unwrap_or(counts[0]);
    let mut board = Board::from_setup(&epd.setup).unwrap();
    let before = board.clone();
    assert_eq!(
        perft(&mut board, depth, bulk),
        leaves,
        "depth {depth}: {line}"
    );
    assert_eq!(board, before, "{line}");
    leaves
}

/// Counts all lines, on all processors.
fn check_suite(suite: &str, extent: Extent) {
    let lines: Vec<&str> = suite
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let (next, leaves) = (AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let bulk = match extent {
                Extent::Leaves(_) => false,
                Extent::Depth(_) => true,
            };
            leaves.fetch_add(check_line(line, extent, bulk), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    println!("{} lines, {} leaves", lines.len(), leaves.into_inner());
}

/// The deep run if `GAUR_DEEP` asks for it, else the short one.
fn check(name: &str, suite: &str, deep: Extent) {
    if std::env::var_os("GAUR_DEEP").is_some() {
        check_suite(suite, deep);
    } else {
        println!(
            "{name}: lines counted up to {SHORT} leaves only; for the rest: \
             GAUR_DEEP=1 cargo test --release perft_deep"
        );
        check_suite(suite, Extent::Leaves(SHORT));
    }
}

#[test]
fn perft_deep_or_short_standard() {
    check("standard.epd", STANDARD, Extent::Depth(u32::MAX));
}

#[test]
fn perft_deep_or_short_fischer() {
    check("fischer.epd", FISCHER, Extent::Depth(5));
}
