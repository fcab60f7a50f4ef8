//! `gaur latency`: measures the time from a command on standard input to its effect.
//!
//! The program starts itself as a GUI does and measures at the pipes. Each time includes writing, reading and switching
//! between the two processes.

mod busy;
mod engine;
mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::ToolError;

use busy::BusyThreads;
use engine::{Engine, check_answers, processors};
use table::{Measurement, Statistic, Times, heading};

/// Arguments of `gaur latency`.
#[derive(Clone, Debug, clap::Args)]
pub struct LatencyArgs {
    /// Number of moves requested by `?`; the other numbers of measurements are proportional to it
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,

    /// Measure also beside N threads that keep processors busy
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub busy: u32,

    /// Program to measure, such as another version; default: this one
    #[arg(long, value_name = "FILE")]
    pub engine: Option<PathBuf>,
}

/// First moves of the measured engine's opponent.
const FIRST_MOVES: [&str; 8] = [
    "e2e4", "d2d4", "c2c4", "g1f3", "b1c3", "g2g3", "b2b3", "f2f4",
];

/// Measures and prints a table.
///
/// # Errors
/// If the engine or the busy threads cannot be started, the engine does not answer or ends too early, or the results
/// cannot be written.
pub fn run_latency(args: &LatencyArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let rounds = args.rounds;
    let few = rounds.div_ceil(4);
    let program = match &args.engine {
        Some(program) => program.clone(),
        None => std::env::current_exe().map_err(ToolError::Child)?,
    };
    let program = program.as_path();
    check_answers(program).map_err(|error| ToolError::Engine {
        path: program.to_owned(),
        error,
    })?;
    let median = |limit| (Statistic::Median, Duration::from_millis(limit));
    let percentile = |limit| (Statistic::Percentile99, Duration::from_millis(limit));
    let slowest = |limit| (Statistic::Slowest, Duration::from_millis(limit));
    let measure = |name, goal, take: &dyn Fn() -> io::Result<Vec<Duration>>| {
        measure(args.busy, name, goal, take)
    };
    let measurements = [
        measure("`ping` to `pong`, idle", median(1), &|| {
            pings(program, rounds.saturating_mul(5))
        })?,
        measure("`usermove` to `move`, 0.01 s left", percentile(10), &|| {
            moves_without_time(program, rounds)
        })?,
        measure(
            "`?` to `move`, all cores searching",
            percentile(10),
            &|| moves_now(program, rounds),
        )?,
        measure("`quit` to exit, idle", slowest(100), &|| {
            exits(program, few, false)
        })?,
        measure("`quit` to exit, all cores searching", slowest(100), &|| {
            exits(program, few, true)
        })?,
        measure("start and `protover 2` to `done=1`", median(20), &|| {
            starts(program, few)
        })?,
    ];
    writeln!(out, "{} processors; milliseconds\n", processors())?;
    writeln!(out, "{}", heading(args.busy))?;
    for measurement in &measurements {
        writeln!(out, "{}", measurement.row())?;
    }
    Ok(())
}

/// Takes times without and, if `busy` is not 0, beside this number of busy threads.
fn measure(
    busy: u32,
    name: &'static str,
    goal: (Statistic, Duration),
    take: &dyn Fn() -> io::Result<Vec<Duration>>,
) -> Result<Measurement, ToolError> {
    let take = || take().map(Times::new).map_err(ToolError::Child);
    let idle = take()?;
    let busy = if busy > 0 {
        let _threads = BusyThreads::start(busy).map_err(ToolError::Busy)?;
        Some(take()?)
    } else {
        None
    };
    Ok(Measurement {
        name,
        goal,
        idle,
        busy,
    })
}

/// Measures the time from `ping` to `pong`.
fn pings(program: &Path, count: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Engine::start(program)?;
    let times = (0..count).map(|number| {
        let started = Instant::now();
        engine.send(&format!("ping {number}\n"))?;
        engine.wait_for("pong")?;
        Ok(started.elapsed())
    });
    let times = times.collect();
    engine.quit()?;
    times
}

/// Measures the time from the opponent's move to the answer with a hundredth of a second on the clock, each time in a
/// new game.
fn moves_without_time(program: &Path, count: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Engine::start(program)?;
    let times = FIRST_MOVES.iter().cycle().zip(0..count).map(|(first, _)| {
        engine.send("new\neasy\nlevel 0 0:01 0\n")?;
        engine.synchronise()?;
        let started = Instant::now();
        engine.send(&format!("time 1\notim 1\nusermove {first}\n"))?;
        engine.wait_for("move")?;
        Ok(started.elapsed())
    });
    let times = times.collect();
    engine.quit()?;
    times
}

/// Measures the time from `?` to the move.
fn moves_now(program: &Path, count: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Engine::start(program)?;
    let times = (0..count).map(|round| {
        engine.think(round)?;
        let started = Instant::now();
        engine.send("?\n")?;
        engine.wait_for("move")?;
        Ok(started.elapsed())
    });
    let times = times.collect();
    engine.quit()?;
    times
}

/// Measures the time from `quit` to the end of the process.
fn exits(program: &Path, count: u32, thinking: bool) -> io::Result<Vec<Duration>> {
    let times = (0..count).map(|round| {
        let mut engine = Engine::start(program)?;
        if thinking {
            engine.think(round)?;
        }
        let started = Instant::now();
        engine.quit()?;
        Ok(started.elapsed())
    });
    times.collect()
}

/// Measures the time from the start of the process to `done=1`.
fn starts(program: &Path, count: u32) -> io::Result<Vec<Duration>> {
    let times = (0..count).map(|_| {
        let started = Instant::now();
        let engine = Engine::start(program)?;
        let time = started.elapsed();
        engine.quit()?;
        Ok(time)
    });
    times.collect()
}
