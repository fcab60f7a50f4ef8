//! How far a long piece of work is: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// Shows on the standard error how much of a known amount is done.
pub(super) enum Progress {
    /// For a terminal.
    Bar(ProgressBar),
    /// For anything else.
    Lines {
        done: u64,
        total: u64,
        begun_with: u64,
        started: Instant,
        next: Instant,
    },
}

impl Progress {
    /// Work of which `done` of `total` was finished earlier.
    pub(super) fn new(done: u64, total: u64) -> Progress {
        if io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            bar.set_position(done);
            bar.reset_eta();
            // Without the style the bar is plainer, and that is all.
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
            begun_with: done,
            started,
            next: started + PAUSE,
        }
    }

    /// One more is done; `message` says what else there is to say.
    pub(super) fn step(&mut self, message: impl FnOnce() -> String) {
        match self {
            Progress::Bar(bar) => {
                bar.set_message(message());
                bar.inc(1);
            }
            Progress::Lines {
                done,
                total,
                begun_with,
                started,
                next,
            } => {
                *done += 1;
                let now = Instant::now();
                if now < *next {
                    return;
                }
                *next = now + PAUSE;
                let spent = now.duration_since(*started).as_secs_f64();
                let left =
                    spent / (*done - *begun_with) as f64 * total.saturating_sub(*done) as f64;
                let left = humantime::format_duration(Duration::from_secs(left as u64));
                // Nobody may be there to read it.
                let _ = writeln!(io::stderr(), "{done}/{total} {} {left} left", message());
            }
        }
    }

    /// No more will be done.
    pub(super) fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
