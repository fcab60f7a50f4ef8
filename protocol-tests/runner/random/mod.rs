//! Random conversations: any command in any order at any time, checked by the model.
//!
//! A seed and the engine's answers determine the conversation. A failing conversation is repeated with lines left out,
//! as long as it still fails, and the rest is printed as a script. Some conversations with the program take place under
//! adverse conditions.

mod adversity;
mod author;

use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::conversation::Conversation;
use crate::in_process::InProcess;
use crate::process::{self, Process};

use adversity::BusyThreads;
use author::{Author, Step};

/// Number of steps of a conversation.
const STEPS: usize = 120;

/// First seed of long runs without `GAUR_FUZZ_SEED`.
const LONG_RUN_SEED: u64 = 1_000_000;

/// Time for shortening a failing conversation.
const SHORTENING_TIME: Duration = Duration::from_secs(60);

/// Engine of a kind of trials.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// Starts the engine of the conversation with this seed.
    start: fn(u64) -> Result<Conversation, String>,
    /// Returns `true` if the input of the conversation with this seed may end although answers are due.
    may_end_input: fn(u64) -> bool,
    /// Lines that only these conversations contain.
    extra: &'static [&'static str],
    /// Number of busy threads beside the conversation.
    busy: usize,
    trials: u64,
    /// Number of seeds of each trial.
    seeds: u64,
}

/// Kinds of trials.
const KINDS: [Kind; 3] = [
    Kind {
        name: "program",
        start: program,
        may_end_input: |_| true,
        extra: &[],
        busy: 0,
        trials: 8,
        seeds: 4,
    },
    // It is fast.
    Kind {
        name: "machine",
        start: machine,
        // Only the input of a process can end.
        may_end_input: |_| false,
        extra: &[],
        busy: 0,
        trials: 8,
        seeds: 100,
    },
    Kind {
        name: "adversity",
        start: adversity::program,
        may_end_input: adversity::may_end_input,
        extra: &adversity::LINES,
        busy: 3,
        trials: 1,
        // Each limit once.
        seeds: 8,
    },
];

/// Function that starts the engine of a conversation.
type Start<'a> = &'a dyn Fn() -> Result<Conversation, String>;

/// Function that ends a conversation.
type End = fn(&mut Conversation) -> Result<(), String>;

/// Returns the trials with fixed seeds and, if `GAUR_FUZZ_SECONDS` is set, one with other seeds.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for kind in KINDS {
        let (name, seeds) = (kind.name, kind.seeds);
        trials.extend((0..kind.trials).map(|part| {
            Trial::test(format!("random::{name}::{part}"), move || {
                let _busy = BusyThreads::start(kind.busy);
                (part * seeds..(part + 1) * seeds)
                    .try_for_each(|seed| process::attempt(|| converse(kind, seed)))
                    .map_err(Failed::from)
            })
        }));
        if let Some(time) = seconds() {
            trials.push(Trial::test(format!("random::{name}::long"), move || {
                let _busy = BusyThreads::start(kind.busy);
                for_long(kind, time).map_err(Failed::from)
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

fn program(_seed: u64) -> Result<Conversation, String> {
    let process = Process::start(&process::program(), None, true)?;
    Ok(Conversation::new(Box::new(process), false))
}

fn machine(_seed: u64) -> Result<Conversation, String> {
    Ok(Conversation::new(Box::new(InProcess::new(true)), true))
}

/// Runs one seed after the other until the time is over.
fn for_long(kind: Kind, time: Duration) -> Result<(), String> {
    let start_time = Instant::now();
    let first = number("GAUR_FUZZ_SEED").unwrap_or(LONG_RUN_SEED);
    let mut seed = first;
    while start_time.elapsed() < time {
        converse(kind, seed)?;
        seed += 1;
    }
    println!("{} conversations", seed - first);
    Ok(())
}

/// Runs one conversation. An error contains it as a script.
fn converse(kind: Kind, seed: u64) -> Result<(), String> {
    let mut author = Author::new(seed, kind.extra);
    let start = || (kind.start)(seed);
    let mut conversation = start()?;
    let mut steps_done = Vec::new();
    let end: End = if seed % 3 == 1 && (kind.may_end_input)(seed) {
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
    let conditions = match kind.name {
        "adversity" => format!(" ({})", adversity::conditions(seed)),
        _ => String::new(),
    };
    outcome.map_err(|error| {
        let whole = conversation.record();
        match shorten(&start, end, steps_done) {
            Some((error, record)) => format!("seed {seed}{conditions}: {error}\n\n{record}\n"),
            None => {
                format!("seed {seed}{conditions}, not seen a second time: {error}\n\n{whole}\n")
            }
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
fn repeat(start: Start<'_>, end: End, steps: &[Step]) -> Result<(), (String, String)> {
    let mut conversation = start().map_err(|error| (error, String::new()))?;
    steps
        .iter()
        .try_for_each(|step| run_step(&mut conversation, step))
        .and_then(|()| end(&mut conversation))
        .map_err(|error| (error, conversation.record()))
}

/// Returns the shortest conversation found that still fails, as its error and its record.
fn shorten(start: Start<'_>, end: End, mut steps: Vec<Step>) -> Option<(String, String)> {
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
