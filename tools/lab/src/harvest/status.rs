//! Status line of a generation in the background: totals, rate and time to the target.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::datagen::Totals;
use crate::digits::grouped;
use crate::game_file::NodeLimit;

/// Time between two updates of the line on a terminal.
const TERMINAL_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two lines where standard error is no terminal.
const FILE_INTERVAL: Duration = Duration::from_secs(60);

/// Time over which the rate is averaged, so that a pause of the process affects it only for that long.
const WINDOW: Duration = Duration::from_secs(300);

/// Shows the state of the generation on standard error.
pub(super) struct Status {
    target: u64,
    /// The line on a terminal, which fits it to the width; `None` elsewhere.
    line: Option<ProgressBar>,
    next: Instant,
    /// Mean number of nodes per position that the rest of the positions will take.
    mean_nodes: f64,
    /// States within the last [`WINDOW`], oldest first.
    history: VecDeque<State>,
}

/// State of the generation at a time.
#[derive(Clone, Copy)]
struct State {
    time: Instant,
    positions: u64,
    /// Nodes for all positions since the start. Positions of different node limits take different times, but a node
    /// always takes about the same.
    nodes: f64,
}

impl Status {
    /// Starts with the totals of the folder and the node limits of the games to come.
    pub fn new(totals: Totals, target: u64, limits: &[NodeLimit]) -> Status {
        let now = Instant::now();
        let line = io::stderr().is_terminal().then(|| {
            let line = ProgressBar::new_spinner();
            // If the template were wrong, the line would have the default style.
            match ProgressStyle::with_template("{wide_msg}") {
                Ok(style) => line.with_style(style),
                Err(_) => line,
            }
        });
        Status {
            target,
            line,
            next: now + TERMINAL_INTERVAL,
            mean_nodes: limits
                .iter()
                .map(|limit| f64::from(limit.nodes) * f64::from(limit.permille) / 1000.0)
                .sum(),
            history: VecDeque::from([State {
                time: now,
                positions: totals.positions,
                nodes: 0.0,
            }]),
        }
    }

    /// Shows the current totals, if it is time for it, and whether the generation waits for an idle processor. All
    /// positions since the last call have the same node limit.
    pub fn show(&mut self, totals: Totals, node_limit: u32, is_waiting: bool) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let mut text = self.text(now, totals, node_limit);
        if is_waiting {
            text.push_str(", waiting for an idle processor");
        }
        match &self.line {
            Some(line) => {
                line.set_message(text);
                self.next = now + TERMINAL_INTERVAL;
            }
            None => {
                // Standard error may be closed.
                let _ = writeln!(io::stderr(), "{text}");
                self.next = now + FILE_INTERVAL;
            }
        }
    }

    fn text(&mut self, now: Instant, totals: Totals, node_limit: u32) -> String {
        let last = self.history[self.history.len() - 1];
        let new = totals.positions.saturating_sub(last.positions);
        let nodes = last.nodes + new as f64 * f64::from(node_limit);
        self.history.push_back(State {
            time: now,
            positions: totals.positions,
            nodes,
        });
        // The oldest state stays until the following one is older than the window, too.
        while self.history.len() > 2 && now.duration_since(self.history[1].time) > WINDOW {
            self.history.pop_front();
        }
        let oldest = self.history[0];
        let seconds = now.duration_since(oldest.time).as_secs_f64().max(1e-9);
        let rate = totals.positions.saturating_sub(oldest.positions) as f64 / seconds;
        let nodes_per_second = (nodes - oldest.nodes) / seconds;
        let percent = 100.0 * totals.positions as f64 / self.target.max(1) as f64;
        let missing = self.target.saturating_sub(totals.positions) as f64;
        let left = match nodes_per_second > 0.0 {
            true => format!(
                "{} left",
                duration(missing * self.mean_nodes / nodes_per_second)
            ),
            false => "time left unknown".to_owned(),
        };
        // In 80 columns, up to a billion positions.
        let [games, positions, rate] = [totals.games, totals.positions, rate as u64].map(grouped);
        let megabytes = grouped(totals.bytes.div_ceil(1_000_000));
        format!(
            "{games} games, {positions} positions ({percent:.1} %), {megabytes} MB, {rate}/s, {left}"
        )
    }
}

/// Returns a number of seconds in its two largest units, from minutes to days.
fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).min(1e9) as u64;
    let (days, hours) = (minutes / 1440, minutes / 60);
    match (days, hours) {
        (0, 0) if minutes == 0 => "less than 1 min".to_owned(),
        (0, 0) => format!("{minutes} min"),
        (0, hours) => format!("{hours} h {} min", minutes % 60),
        (days, hours) => format!("{days} d {} h", hours % 24),
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

    fn limits(list: &[(u32, u16)]) -> Vec<NodeLimit> {
        let limits = list.iter();
        limits
            .map(|&(nodes, permille)| NodeLimit { nodes, permille })
            .collect()
    }

    #[test]
    fn the_line_contains_totals_rate_and_time_left() {
        let mut status = Status::new(totals(1_000_000), 10_000_000, &limits(&[(250, 1000)]));
        let start = status.history[0].time;
        let text = status.text(start + Duration::from_secs(100), totals(2_000_000), 250);
        assert_eq!(
            text,
            "20,000 games, 2,000,000 positions (20.0 %), 10 MB, 10,000/s, 13 min left"
        );
    }

    /// While slow games are played, the time left is that of the mixture, not that of slow games alone.
    #[test]
    fn the_time_left_follows_the_shares() {
        let mixture = limits(&[(100, 900), (1100, 100)]);
        for (node_limit, positions) in [(100, 1_100_000), (1100, 100_000)] {
            let mut status = Status::new(totals(0), 11_100_000, &mixture);
            let start = status.history[0].time;
            let text = status.text(
                start + Duration::from_secs(600),
                totals(positions),
                node_limit,
            );
            let missing = 11_100_000 - positions;
            // 110,000,000 nodes in 600 s; 200 nodes per position on average.
            let minutes = missing * 200 / (110_000_000 / 600) / 60;
            assert!(
                text.ends_with(&format!("{} left", duration(60.0 * minutes as f64))),
                "{text}"
            );
        }
    }

    #[test]
    fn times_have_two_units() {
        assert_eq!(duration(59.0), "less than 1 min");
        assert_eq!(duration(3_660.0), "1 h 1 min");
        assert_eq!(duration(90_000.0), "1 d 1 h");
        assert_eq!(duration(f64::INFINITY), "694444 d 10 h");
    }

    #[test]
    fn a_pause_is_forgotten_after_some_minutes() {
        let mut status = Status::new(totals(0), 10_000_000, &limits(&[(250, 1000)]));
        let start = status.history[0].time;
        let mut text = String::new();
        for minute in 0..20 {
            let time = start + Duration::from_secs(100_000 + 60 * minute);
            text = status.text(time, totals(60_000 * minute), 250);
        }
        assert!(text.contains(" 1,000/s"), "{text}");
    }
}
