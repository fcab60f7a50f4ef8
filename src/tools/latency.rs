//! `gaur latency`: how long it takes from a line on standard input to its effect.
//!
//! The program starts itself as a GUI would, and measures at the pipes: writing, reading, and the change between the
//! two processes are part of each time.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::ToolError;

/// What `gaur latency` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct LatencyArgs {
    /// Moves asked for by `?`; other times are taken in proportion
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,
}

/// How long a search runs before it is disturbed; each round a little longer, so that no rhythm is met.
const THINKING: Duration = Duration::from_millis(20);
const STEPS: u32 = 16;

/// Which of the times a goal speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Median,
    Percentile99,
    Slowest,
}

/// Times of one kind, and what they should be.
#[derive(Debug)]
struct Measure {
    name: &'static str,
    goal: (Rank, Duration),
    /// Sorted.
    times: Vec<Duration>,
}

/// Measures and prints a table.
///
/// # Errors
/// If the engine cannot be started or leaves too early, or the results cannot be written.
pub fn run_latency(args: &LatencyArgs, out: &mut impl Write) -> Result<(), ToolError> {
    let rounds = args.rounds;
    let few = rounds.div_ceil(4);
    let median = |limit| (Rank::Median, Duration::from_millis(limit));
    let slowest = |limit| (Rank::Slowest, Duration::from_millis(limit));
    let measures = [
        measure(
            "`ping` to `pong`, idle",
            median(1),
            pings(rounds.saturating_mul(5)),
        )?,
        measure(
            "`?` to `move`, all cores searching",
            (Rank::Percentile99, Duration::from_millis(10)),
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
         | | times | least | median | 99 % | most | goal | |\n\
         |---|---|---|---|---|---|---|---|",
        processors()
    )?;
    for measure in &measures {
        writeln!(out, "{}", measure.row())?;
    }
    Ok(())
}

fn measure(
    name: &'static str,
    goal: (Rank, Duration),
    times: io::Result<Vec<Duration>>,
) -> Result<Measure, ToolError> {
    let mut times = times.map_err(ToolError::Child)?;
    times.sort();
    Ok(Measure { name, goal, times })
}

impl Measure {
    /// The time that this share of all times does not exceed.
    fn within(&self, percent: usize) -> Duration {
        let rank = (self.times.len() * percent).div_ceil(100);
        self.times
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }

    fn row(&self) -> String {
        let (rank, limit) = self.goal;
        let (word, reached) = match rank {
            Rank::Median => ("median", self.within(50)),
            Rank::Percentile99 => ("99 %", self.within(99)),
            Rank::Slowest => ("most", self.within(100)),
        };
        let verdict = if reached < limit { "met" } else { "missed" };
        let shown = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1000.0);
        format!(
            "| {} | {} | {} | {} | {} | {} | {word} under {} | {verdict} |",
            self.name,
            self.times.len(),
            shown(self.within(0)),
            shown(self.within(50)),
            shown(self.within(99)),
            shown(self.within(100)),
            limit.as_millis(),
        )
    }
}

/// The program as a GUI has it.
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

    /// Reads until a line that begins like this.
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

    /// Lets all processors search for a move, for a little while.
    fn think(&mut self, round: u32) -> io::Result<()> {
        self.send(&format!("new\neasy\ncores {}\nst 600\ngo\n", processors()))?;
        thread::sleep(THINKING + THINKING * (round % STEPS) / STEPS);
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
    fn ranks_are_times_that_were_measured() {
        let measure = Measure {
            name: "x",
            goal: (Rank::Percentile99, Duration::from_millis(100)),
            times: (1..=100).map(Duration::from_millis).collect(),
        };
        let milliseconds = |percent| measure.within(percent).as_millis();
        assert_eq!([0, 50, 99, 100].map(milliseconds), [1, 50, 99, 100]);
        let row = "| x | 100 | 1.000 | 50.000 | 99.000 | 100.000 | 99 % under 100 | met |";
        assert_eq!(measure.row(), row);
        let strict = Measure {
            goal: (Rank::Slowest, Duration::from_millis(100)),
            ..measure
        };
        assert!(strict.row().ends_with("| most under 100 | missed |"));
    }
}
