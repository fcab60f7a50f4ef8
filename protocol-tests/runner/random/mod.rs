//! Random conversations: any command in any order at any moment, with the model listening.
//!
//! A seed and the engine's answers decide what is said. What was said in a conversation that failed is said again with
//! lines left out, as long as it still fails, and what remains is printed as a script.

mod author;

use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::in_process::InProcess;
use crate::process::Process;
use crate::talk::Talk;

use author::{Author, Step};

/// Steps of one conversation.
const STEPS: usize = 120;

/// Seeds that every run plays against the program; with a pretended search there is time for more.
const SEEDS: std::ops::Range<u64> = 0..8;

/// Seeds of each trial against the machine.
const MACHINE_SEEDS: u64 = 100;

/// How long failing conversations may be shortened.
const SHORTENING: Duration = Duration::from_secs(60);

/// A way to start a fresh engine.
type Start = fn() -> Result<Talk, String>;

/// Trials with fixed seeds, and one with others if `GAUR_FUZZ_SECONDS` says for how long.
pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = SEEDS
        .map(|seed| {
            Trial::test(format!("random::program::{seed}"), move || {
                converse(program, seed).map_err(Failed::from)
            })
        })
        .collect();
    trials.extend((0..4).map(|part| {
        Trial::test(format!("random::machine::{part}"), move || {
            (part * MACHINE_SEEDS..(part + 1) * MACHINE_SEEDS)
                .try_for_each(|seed| converse(machine, seed))
                .map_err(Failed::from)
        })
    }));
    if let Some(time) = seconds() {
        trials.push(Trial::test("random::program::long", move || {
            for_long(program, time, 1000).map_err(Failed::from)
        }));
        trials.push(Trial::test("random::machine::long", move || {
            for_long(machine, time, 1_000_000).map_err(Failed::from)
        }));
    }
    trials
}

fn seconds() -> Option<Duration> {
    let text = std::env::var("GAUR_FUZZ_SECONDS").ok()?;
    text.parse().ok().map(Duration::from_secs)
}

fn program() -> Result<Talk, String> {
    let command = [env!("CARGO_BIN_EXE_gaur").to_string()];
    let process = Process::start(&command, None, true)?;
    Ok(Talk::new(Box::new(process), false))
}

fn machine() -> Result<Talk, String> {
    Ok(Talk::new(Box::new(InProcess::new(true)), true))
}

/// One seed after the other, until the time is over.
fn for_long(start: Start, time: Duration, first: u64) -> Result<(), String> {
    let begun = Instant::now();
    let mut seed = first;
    while begun.elapsed() < time {
        converse(start, seed)?;
        seed += 1;
    }
    println!("{} conversations from seed {first} on", seed - first);
    Ok(())
}

/// One conversation; an error holds a script of it.
fn converse(start: Start, seed: u64) -> Result<(), String> {
    let mut author = Author::new(seed);
    let mut talk = start()?;
    let mut said = Vec::new();
    let outcome = (|| {
        let mut open = author.opening();
        loop {
            for step in open.drain(..) {
                said.push(step.clone());
                take(&mut talk, &step)?;
            }
            if said.len() >= STEPS {
                return conclude(&mut talk);
            }
            open = author.next(&talk.model.board());
        }
    })();
    outcome.map_err(|error| {
        let whole = talk.record();
        match shorten(start, said) {
            Some((error, record)) => format!("seed {seed}: {error}\n\n{record}\n"),
            None => format!("seed {seed}, not seen a second time: {error}\n\n{whole}\n"),
        }
    })
}

fn take(talk: &mut Talk, step: &Step) -> Result<(), String> {
    match step {
        Step::Send(line) => talk.send(line)?,
        Step::Pretend(directive) => talk.pretend(directive),
        Step::Wait(milliseconds) => talk.listen(Duration::from_millis(*milliseconds))?,
        Step::CatchUp => talk.catch_up()?,
    }
    talk.listen(Duration::ZERO)
}

fn conclude(talk: &mut Talk) -> Result<(), String> {
    talk.compare_positions()?;
    talk.finish()
}

/// Says the same again.
fn repeat(start: Start, steps: &[Step]) -> Result<(), (String, String)> {
    let mut talk = start().map_err(|error| (error, String::new()))?;
    steps
        .iter()
        .try_for_each(|step| take(&mut talk, step))
        .and_then(|()| conclude(&mut talk))
        .map_err(|error| (error, talk.record()))
}

/// The shortest conversation found in a while that still fails, with its error and its record.
fn shorten(start: Start, mut steps: Vec<Step>) -> Option<(String, String)> {
    let begun = Instant::now();
    let mut failure = repeat(start, &steps).err()?;
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < steps.len() && begun.elapsed() < SHORTENING {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + size).min(steps.len()));
            match repeat(start, &fewer) {
                Err(error) => {
                    failure = error;
                    steps = fewer;
                }
                Ok(()) => at += size,
            }
        }
        size /= 2;
    }
    Some(failure)
}
