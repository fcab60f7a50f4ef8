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

/// Trials of each kind.
const TRIALS: u64 = 8;

/// Seeds of each trial against the program.
const PROGRAM_SEEDS: u64 = 4;

/// Seeds of each trial against the machine, where nobody has to wait.
const MACHINE_SEEDS: u64 = 100;

/// Seeds of long runs begin here, if `GAUR_FUZZ_SEED` does not say where.
const LONG_RUN: u64 = 1_000_000;

/// How long failing conversations may be shortened.
const SHORTENING: Duration = Duration::from_secs(60);

/// A way to start a fresh engine.
type Start = fn() -> Result<Talk, String>;

/// A way to end a conversation.
type End = fn(&mut Talk) -> Result<(), String>;

/// Trials with fixed seeds, and one with others if `GAUR_FUZZ_SECONDS` says for how long.
pub fn trials() -> Vec<Trial> {
    let kinds: [(&str, Start, u64); 2] = [
        ("program", program, PROGRAM_SEEDS),
        ("machine", machine, MACHINE_SEEDS),
    ];
    let mut trials = Vec::new();
    for (kind, start, seeds) in kinds {
        trials.extend((0..TRIALS).map(|part| {
            Trial::test(format!("random::{kind}::{part}"), move || {
                (part * seeds..(part + 1) * seeds)
                    .try_for_each(|seed| converse(start, seed))
                    .map_err(Failed::from)
            })
        }));
        if let Some(time) = seconds() {
            trials.push(Trial::test(format!("random::{kind}::long"), move || {
                for_long(start, time).map_err(Failed::from)
            }));
        }
    }
    trials
}

/// How long the long runs are to be, if there are to be any.
pub fn seconds() -> Option<Duration> {
    number("GAUR_FUZZ_SECONDS").map(Duration::from_secs)
}

/// The number that an environment variable holds, if it is set.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is no number")),
    )
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
fn for_long(start: Start, time: Duration) -> Result<(), String> {
    let begun = Instant::now();
    let first = number("GAUR_FUZZ_SEED").unwrap_or(LONG_RUN);
    let mut seed = first;
    while begun.elapsed() < time {
        converse(start, seed)?;
        seed += 1;
    }
    println!("{} conversations", seed - first);
    Ok(())
}

/// One conversation; an error holds a script of it.
fn converse(start: Start, seed: u64) -> Result<(), String> {
    let mut author = Author::new(seed);
    let mut talk = start()?;
    let mut said = Vec::new();
    // Only a process has an input that can end.
    let end: End = if talk.is_with_process() && seed % 3 == 1 {
        Talk::end_input
    } else {
        conclude
    };
    let outcome = (|| {
        let mut open = author.opening();
        loop {
            for step in open.drain(..) {
                said.push(step.clone());
                take(&mut talk, &step)?;
            }
            if said.len() >= STEPS {
                return end(&mut talk);
            }
            open = author.next(&talk.model.board());
        }
    })();
    outcome.map_err(|error| {
        let whole = talk.record();
        match shorten(start, end, said) {
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
fn repeat(start: Start, end: End, steps: &[Step]) -> Result<(), (String, String)> {
    let mut talk = start().map_err(|error| (error, String::new()))?;
    steps
        .iter()
        .try_for_each(|step| take(&mut talk, step))
        .and_then(|()| end(&mut talk))
        .map_err(|error| (error, talk.record()))
}

/// The shortest conversation found in a while that still fails, with its error and its record.
fn shorten(start: Start, end: End, mut steps: Vec<Step>) -> Option<(String, String)> {
    let begun = Instant::now();
    let mut failure = repeat(start, end, &steps).err()?;
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < steps.len() && begun.elapsed() < SHORTENING {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + size).min(steps.len()));
            match repeat(start, end, &fewer) {
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
