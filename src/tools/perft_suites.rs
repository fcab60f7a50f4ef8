//! Tests with the perft suites `standard.epd` and `fischer.epd` of `src/rules/suites`: short in every run, deep on
//! demand.
//!
//! `GAUR_DEEP=1 cargo test --release perft_deep` counts every line of the first suite at full depth and of the second
//! one at depth 5.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::perft;
use crate::board::Board;
use crate::notation::parse_epd;

const STANDARD: &str = include_str!("../rules/suites/standard.epd");
const FISCHER: &str = include_str!("../rules/suites/fischer.epd");

/// Limit of the leaf nodes in a short run, which counts a line at the largest depth with fewer leaf nodes.
const SHORT: u64 = 200_000;

/// Rule for the depth at which a line is counted.
#[derive(Clone, Copy)]
enum Extent {
    /// The largest depth with fewer leaf nodes than this.
    Leaves(u64),
    /// The largest depth up to this one.
    Depth(u32),
}

/// Counts a line, in bulk or not, and returns the number of leaf nodes.
fn check_line(line: &str, extent: Extent, bulk: bool) -> u64 {
    let epd = parse_epd(line).unwrap();
    let counts = epd.perft_counts().unwrap();
    assert!(!counts.is_empty(), "no counts: {line}");
    let fits = |&(depth, leaves): &(u32, u64)| match extent {
        Extent::Leaves(limit) => leaves < limit,
        Extent::Depth(limit) => depth <= limit,
    };
    // Some lines have only one count, at a large depth.
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
