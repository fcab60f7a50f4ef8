//! `gaur latency`: measures the time from a command on standard input to its effect.
//!
//! The program starts itself as a GUI does and measures at the pipes. Each time includes writing, reading and switching
//! between the two processes.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::ToolError;

/// Arguments of `gaur latency`.
#[derive(Clone, Debug, clap::Args)]
pub struct LatencyArgs {
    /// Number of moves requested by `?`; the other numbers of measurements are proportional to it
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,
}

/// Shortest time that a search runs before a command interrupts it. It varies, so that the interruptions do not
/// coincide with periodic work of the search.
const THINKING_TIME: Duration = Duration::from_millis(20);

/// Number of different times that a search runs.
const STEPS: u32 = 16;

/// Statistic of the measured times that a goal limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statistic {
    Median,
    Percentile99,
    Slowest,
}

/// Measured times of one kind, with their goal.
#[derive(Debug)]
struct Measurement {
    name: &'static str,
    goal: (Statistic, Duration),
    /// Measured times in ascending order.
    times: Vec<Duration>,
}

/// Measures and prints a table.
///
/// # Errors
/// If the engine cannot be started or ends too early, or the results cannot be written.
pub fn run_latency(args: &LatencyArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let rounds = args.rounds;
    let few = rounds.div_ceil(4);
    let median = |limit| (Statistic::Median, Duration::from_millis(limit));
    let slowest = |limit| (Statistic::Slowest, Duration::from_millis(limit));
    let measurements = [
        measure(
            "`ping` to `pong`, idle",
            median(1),
            pings(rounds.saturating_mul(5)),
        )?,
        measure(
            "`?` to `move`, all cores searching",
            (Statistic::Percentile99, Duration::from_millis(10)),
            moves_now(rounds),
        )?,
        measure("`quit` to exit, idle", slowest(100), exits(few, false))?,
        measure(
            "`quit` to exit, all cores searching",
            slowest(100),
            exits(few, true),
        )?,
        measure(
            "start and `protover 2` to `done=1`",
            median(20),
            starts(few),
        )?,
    ];
    writeln!(
        out,
        "{} processors; milliseconds\n\n\
         | response | measurements | minimum | median | 99 % | maximum | goal | |\n\
         |---|---|---|---|---|---|---|---|",
        processors()
    )?;
    for measurement in &measurements {
        writeln!(out, "{}", measurement.row())?;
    }
    Ok(())
}

/// Sorts the measured times.
fn measure(
    name: &'static str,
    goal: (Statistic, Duration),
    times: io::Result<Vec<Duration>>,
) -> Result<Measurement, ToolError> {
    let mut times = times.map_err(ToolError::Child)?;
    times.sort();
    Ok(Measurement { name, goal, times })
}

impl Measurement {
    /// Returns the percentile: the time that this percentage of all times does not exceed.
    fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.times.len() * percent).div_ceil(100);
        self.times
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the row of the table.
    fn row(&self) -> String {
        let (statistic, limit) = self.goal;
        let (word, measured) = match statistic {
            Statistic::Median => ("median", self.percentile(50)),
            Statistic::Percentile99 => ("99 %", self.percentile(99)),
            Statistic::Slowest => ("maximum", self.percentile(100)),
        };
        let outcome = if measured < limit { "met" } else { "missed" };
        let shown = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1000.0);
        format!(
            "| {} | {} | {} | {} | {} | {} | {word} under {} | {outcome} |",
            self.name,
            self.times.len(),
            shown(self.percentile(0)),
            shown(self.percentile(50)),
            shown(self.percentile(99)),
            shown(self.percentile(100)),
            limit.as_millis(),
        )
    }
}

/// A process of the engine, connected by pipes as to a GUI.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> io::Result<Engine> {
        let mut child = Command::new(std::env::current_exe()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut engine = Engine {
            child,
            input,
            output: BufReader::new(output),
        };
        engine.send("xboard\nprotover 2\n")?;
        engine.wait_for("feature done=1")?;
        Ok(engine)
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    /// Reads lines up to one that begins with this text.
    fn wait_for(&mut self, beginning: &str) -> io::Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if line.starts_with(beginning) {
                return Ok(());
            }
        }
    }

    /// Starts a search on all processors and waits for a short time.
    fn think(&mut self, round: u32) -> io::Result<()> {
        self.send(&format!("new\neasy\ncores {}\nst 600\ngo\n", processors()))?;
        thread::sleep(THINKING_TIME + THINKING_TIME * (round % STEPS) / STEPS);
        Ok(())
    }

    fn quit(mut self) -> io::Result<()> {
        self.send("quit\n")?;
        self.child.wait().map(drop)
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Measures the time from `ping` to `pong`.
fn pings(count: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Engine::start()?;
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

/// Measures the time from `?` to the move.
fn moves_now(count: u32) -> io::Result<Vec<Duration>> {
    let mut engine = Engine::start()?;
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
fn exits(count: u32, thinking: bool) -> io::Result<Vec<Duration>> {
    let times = (0..count).map(|round| {
        let mut engine = Engine::start()?;
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
fn starts(count: u32) -> io::Result<Vec<Duration>> {
    let times = (0..count).map(|_| {
        let started = Instant::now();
        let engine = Engine::start()?;
        let time = started.elapsed();
        engine.quit()?;
        Ok(time)
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_times() {
        let measurement = Measurement {
            name: "x",
            goal: (Statistic::Percentile99, Duration::from_millis(100)),
            times: (1..=100).map(Duration::from_millis).collect(),
        };
        let milliseconds = |percent| measurement.percentile(percent).as_millis();
        assert_eq!([0, 50, 99, 100].map(milliseconds), [1, 50, 99, 100]);
        let row = "| x | 100 | 1.000 | 50.000 | 99.000 | 100.000 | 99 % under 100 | met |";
        assert_eq!(measurement.row(), row);
        let strict = Measurement {
            goal: (Statistic::Slowest, Duration::from_millis(100)),
            ..measurement
        };
        assert!(strict.row().ends_with("| maximum under 100 | missed |"));
    }
}
