//! Random conversations: any command in any order at any time, checked by the model.
//!
//! A seed and the engine's answers determine the conversation. A failing conversation is repeated with lines left out,
//! as long as it still fails, and the rest is printed as a script.

mod author;

use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::conversation::Conversation;
use crate::in_process::InProcess;
use crate::process::Process;

use author::{Author, Step};

/// Number of steps of a conversation.
const STEPS: usize = 120;

/// Number of trials of each kind.
const TRIALS: u64 = 8;

/// Number of seeds of each trial against the program.
const PROGRAM_SEEDS: u64 = 4;

/// Number of seeds of each trial against the machine, which is fast.
const MACHINE_SEEDS: u64 = 100;

/// First seed of long runs without `GAUR_FUZZ_SEED`.
const LONG_RUN_SEED: u64 = 1_000_000;

/// Time for shortening a failing conversation.
const SHORTENING_TIME: Duration = Duration::from_secs(60);

/// Function that starts an engine.
type Start = fn() -> Result<Conversation, String>;

/// Function that ends a conversation.
type End = fn(&mut Conversation) -> Result<(), String>;

/// Returns the trials with fixed seeds and, if `GAUR_FUZZ_SECONDS` is set, one with other seeds.
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

/// Returns the duration of long runs, if `GAUR_FUZZ_SECONDS` is set.
pub fn seconds() -> Option<Duration> {
    number("GAUR_FUZZ_SECONDS").map(Duration::from_secs)
}

/// Returns the number in an environment variable, if it is set.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is no number")),
    )
}

fn program() -> Result<Conversation, String> {
    let command = [env!("CARGO_BIN_EXE_gaur").to_string()];
    let process = Process::start(&command, None, true)?;
    Ok(Conversation::new(Box::new(process), false))
}

fn machine() -> Result<Conversation, String> {
    Ok(Conversation::new(Box::new(InProcess::new(true)), true))
}

/// Runs one seed after the other until the time is over.
fn for_long(start: Start, time: Duration) -> Result<(), String> {
    let start_time = Instant::now();
    let first = number("GAUR_FUZZ_SEED").unwrap_or(LONG_RUN_SEED);
    let mut seed = first;
    while start_time.elapsed() < time {
        converse(start, seed)?;
        seed += 1;
    }
    println!("{} conversations", seed - first);
    Ok(())
}

/// Runs one conversation. An error contains it as a script.
fn converse(start: Start, seed: u64) -> Result<(), String> {
    let mut author = Author::new(seed);
    let mut conversation = start()?;
    let mut steps_done = Vec::new();
    // Only the input of a process can end.
    let end: End = if conversation.is_with_process() && seed % 3 == 1 {
        Conversation::end_input
    } else {
        conclude
    };
    let outcome = (|| {
        let mut open = author.opening();
        loop {
            for step in open.drain(..) {
                steps_done.push(step.clone());
                run_step(&mut conversation, &step)?;
            }
            if steps_done.len() >= STEPS {
                return end(&mut conversation);
            }
            open = author.next(&conversation.model.board());
        }
    })();
    outcome.map_err(|error| {
        let whole = conversation.record();
        match shorten(start, end, steps_done) {
            Some((error, record)) => format!("seed {seed}: {error}\n\n{record}\n"),
            None => format!("seed {seed}, not seen a second time: {error}\n\n{whole}\n"),
        }
    })
}

fn run_step(conversation: &mut Conversation, step: &Step) -> Result<(), String> {
    match step {
        Step::Send(line) => conversation.send(line)?,
        Step::Pretend(directive) => conversation.pretend(directive),
        Step::Wait(milliseconds) => conversation.listen(Duration::from_millis(*milliseconds))?,
        Step::CatchUp => conversation.catch_up()?,
    }
    conversation.listen(Duration::ZERO)
}

fn conclude(conversation: &mut Conversation) -> Result<(), String> {
    conversation.compare_positions()?;
    conversation.finish()
}

/// Repeats a conversation.
fn repeat(start: Start, end: End, steps: &[Step]) -> Result<(), (String, String)> {
    let mut conversation = start().map_err(|error| (error, String::new()))?;
    steps
        .iter()
        .try_for_each(|step| run_step(&mut conversation, step))
        .and_then(|()| end(&mut conversation))
        .map_err(|error| (error, conversation.record()))
}

/// Returns the shortest conversation found that still fails, as its error and its record.
fn shorten(start: Start, end: End, mut steps: Vec<Step>) -> Option<(String, String)> {
    let start_time = Instant::now();
    let mut failure = repeat(start, end, &steps).err()?;
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < steps.len() && start_time.elapsed() < SHORTENING_TIME {
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
