//! Status line of a generation in the background: totals, rate and time to the target.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::folder::Totals;

/// Time between two updates on a terminal, where the line is replaced.
const TERMINAL_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two lines where standard error is no terminal.
const FILE_INTERVAL: Duration = Duration::from_secs(60);

/// Time over which the rate is averaged. A pause of the process, by a signal or by programs that need the processors,
/// is forgotten after it.
const WINDOW: Duration = Duration::from_secs(300);

/// Shows the state of the generation on standard error.
pub(super) struct Status {
    target: u64,
    is_terminal: bool,
    interval: Duration,
    next: Instant,
    /// Times and numbers of positions within the last [`WINDOW`], oldest first.
    history: Vec<(Instant, u64)>,
}

impl Status {
    /// Starts with the totals of the folder.
    pub fn new(totals: Totals, target: u64) -> Status {
        let now = Instant::now();
        let is_terminal = io::stderr().is_terminal();
        let interval = match is_terminal {
            true => TERMINAL_INTERVAL,
            false => FILE_INTERVAL,
        };
        Status {
            target,
            is_terminal,
            interval,
            next: now + interval,
            history: vec![(now, totals.positions)],
        }
    }

    /// Shows the present totals, if it is time for it.
    pub fn show(&mut self, totals: Totals, file: &Path) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + self.interval;
        let line = self.line(now, totals, file);
        // Nobody may be there to read it.
        let _ = match self.is_terminal {
            true => write!(io::stderr(), "\r\x1b[K{line}"),
            false => writeln!(io::stderr(), "{line}"),
        };
    }

    /// Ends the line on a terminal.
    pub fn finish(&self) {
        if self.is_terminal {
            let _ = writeln!(io::stderr());
        }
    }

    fn line(&mut self, now: Instant, totals: Totals, file: &Path) -> String {
        self.history.push((now, totals.positions));
        let expired = |&(time, _): &(Instant, u64)| now.duration_since(time) > WINDOW;
        // The oldest entry stays as long as the next is within the window, too.
        while self.history.len() > 2 && expired(&self.history[1]) {
            self.history.remove(0);
        }
        let (start, before) = self.history[0];
        let seconds = now.duration_since(start).as_secs_f64().max(1e-9);
        let rate = totals.positions.saturating_sub(before) as f64 / seconds;
        let missing = self.target.saturating_sub(totals.positions);
        let percent = 100.0 * totals.positions as f64 / self.target.max(1) as f64;
        let left = match rate > 0.0 {
            true => {
                let minutes = (missing as f64 / rate / 60.0).min(1e9) as u64;
                let left = Duration::from_secs(60 * minutes);
                format!("{} left", humantime::format_duration(left))
            }
            false => "time left unknown".to_owned(),
        };
        let name = file.file_name().unwrap_or(file.as_os_str());
        format!(
            "{totals}, {percent:.2} % of the target, {rate:.0} positions/s, {left}, {}",
            name.to_string_lossy()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(positions: u64) -> Totals {
        Totals {
            games: positions / 100,
            positions,
            bytes: 5 * positions,
        }
    }

    #[test]
    fn the_line_contains_totals_rate_and_time_left() {
        let mut status = Status::new(totals(1_000_000), 10_000_000);
        let start = status.history[0].0;
        let file = Path::new("folder/net-n250-s000003.games");
        let line = status.line(start + Duration::from_secs(100), totals(2_000_000), file);
        assert_eq!(
            line,
            "20,000 games, 2,000,000 positions, 10 MB, 20.00 % of the target, 10000 positions/s, 13m left, \
             net-n250-s000003.games"
        );
    }

    #[test]
    fn a_pause_is_forgotten_after_some_minutes() {
        let mut status = Status::new(totals(0), 10_000_000);
        let start = status.history[0].0;
        let file = Path::new("file");
        let mut line = String::new();
        for minute in 0..20 {
            let time = start + Duration::from_secs(100_000 + 60 * minute);
            line = status.line(time, totals(60_000 * minute), file);
        }
        assert!(line.contains(" 1000 positions/s"), "{line}");
    }
}
