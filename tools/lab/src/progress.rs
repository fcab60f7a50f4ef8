//! Progress of a long task on standard error: a bar on a terminal, otherwise a line every 30 seconds.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines if standard error is not a terminal.
const INTERVAL: Duration = Duration::from_secs(30);

/// Progress display of a task with a known number of steps.
pub(crate) enum Progress {
    /// Display on a terminal.
    Bar(ProgressBar),
    /// Display elsewhere.
    Lines {
        /// Number of steps done.
        done: u64,
        /// Number of steps of the task.
        total: u64,
        /// Number of steps done before this run.
        done_before: u64,
        started: Instant,
        /// Time of the next line.
        next: Instant,
    },
}

impl Progress {
    /// Starts the display of a task of which `done` of `total` steps were done earlier.
    pub(crate) fn new(done: u64, total: u64) -> Progress {
        if io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            bar.set_position(done);
            bar.reset_eta();
            // If the template were wrong, the bar would have the default style.
            let template = "{bar:30} {pos}/{len} {msg} {eta} left";
            return Progress::Bar(match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        let started = Instant::now();
        Progress::Lines {
            done,
            total,
            done_before: done,
            started,
            next: started + INTERVAL,
        }
    }

    /// Counts one step. The display includes the text that `message` returns.
    pub(crate) fn step(&mut self, message: impl FnOnce() -> String) {
        match self {
            Progress::Bar(bar) => {
                bar.set_message(message());
                bar.inc(1);
            }
            Progress::Lines {
                done,
                total,
                done_before,
                started,
                next,
            } => {
                *done += 1;
                let now = Instant::now();
                if now < *next {
                    return;
                }
                *next = now + INTERVAL;
                let spent = now.duration_since(*started).as_secs_f64();
                let left =
                    spent / (*done - *done_before) as f64 * total.saturating_sub(*done) as f64;
                let left = humantime::format_duration(Duration::from_secs(left as u64));
                // Standard error may be closed.
                let _ = writeln!(io::stderr(), "{done}/{total} {} {left} left", message());
            }
        }
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
