//! The corpus with random changes, for toolchains without a fuzzer. Unlike a fuzzer, it is not guided by coverage.

use std::fs;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::corpus::{self, Target, corpus, fuzz_folder};

/// Number of changed inputs in every run.
const MUTATIONS: u64 = 1000;

/// Largest number of changes to one input.
const MAX_CHANGES: usize = 6;

/// Returns the tests of a target: its corpus, and changes of it for at least the given time.
pub fn trials(target: Target, time: Option<Duration>) -> [Trial; 2] {
    [
        Trial::test(format!("corpus::{}", target.0), move || {
            corpus::run(target).map_err(Failed::from)
        }),
        Trial::test(format!("mutated::{}", target.0), move || {
            run(target, MUTATIONS, time.unwrap_or_default()).map_err(Failed::from)
        }),
    ]
}

/// Checks `count` changed inputs, and further ones until `time` has passed.
fn run((name, run): Target, count: u64, time: Duration) -> Result<(), String> {
    let mut seeds = Vec::new();
    for file in corpus(name)? {
        seeds.push(fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    let words = dictionary()?;
    let start_time = Instant::now();
    let mut number = 0;
    while number < count || start_time.elapsed() < time {
        let mut random = Random(ChaCha8Rng::seed_from_u64(number));
        let input = random.input(&seeds, &words);
        std::panic::catch_unwind(|| run(&input)).map_err(|_| {
            let text = input.escape_ascii();
            format!("input {number}: the panic message is above\n\n{text}\n")
        })?;
        number += 1;
    }
    Ok(())
}

/// Returns the words of the fuzzer's dictionary.
fn dictionary() -> Result<Vec<String>, String> {
    let file = fuzz_folder()?.join("dictionary");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let quoted = text
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    Ok(quoted.map(|word| word.replace("\\\"", "\"")).collect())
}

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Returns a file of the corpus with a few changes.
    fn input(&mut self, seeds: &[Vec<u8>], words: &[String]) -> Vec<u8> {
        let mut input = self.pick(seeds).clone();
        for _ in 0..=self.below(MAX_CHANGES) {
            let at = self.below(input.len() + 1);
            match self.below(6) {
                0 => {
                    let end = (at + self.below(8)).min(input.len());
                    input.drain(at..end);
                }
                1 => {
                    let byte = self.below(256) as u8;
                    input.insert(at, byte);
                }
                2 => {
                    let word = format!("\n{}\n", self.pick(words));
                    input.splice(at..at, word.into_bytes());
                }
                3 => {
                    let word = self.pick(words).clone();
                    input.splice(at..at, word.into_bytes());
                }
                4 => {
                    // Whole lines, so that a conversation remains one.
                    let other = self.pick(seeds).clone();
                    let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
                    let line = lines.get(self.below(lines.len())).copied().unwrap_or(b"\n");
                    let start = input[..at].iter().rposition(|&byte| byte == b'\n');
                    let start = start.map_or(0, |index| index + 1);
                    input.splice(start..start, line.iter().copied());
                }
                _ => input.extend_from_slice(&self.pick(seeds).clone()),
            }
        }
        input
    }
}
