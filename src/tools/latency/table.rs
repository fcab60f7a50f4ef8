//! Table of `gaur latency`.

use std::time::Duration;

/// Statistic of the measured times that a goal limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Half of the times are not above it.
    Median,
    /// 99 % of the times are not above it.
    Percentile99,
    /// The longest time.
    Slowest,
}

/// Measured times of one kind, with their goal.
#[derive(Debug)]
pub struct Measurement {
    /// Command and effect.
    pub name: &'static str,
    /// Upper limit of a statistic of the idle times.
    pub goal: (Statistic, Duration),
    /// Times without busy threads.
    pub idle: Times,
    /// Times beside busy threads, if any were requested.
    pub busy: Option<Times>,
}

/// Measured times in ascending order.
#[derive(Debug)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Sorts measured times.
    pub fn new(mut times: Vec<Duration>) -> Times {
        times.sort();
        Times(times)
    }

    /// Returns the percentile: the time that this percentage of all times does not exceed.
    fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the percentiles as cells, in milliseconds.
    fn cells(&self, percents: &[usize]) -> String {
        percents
            .iter()
            .map(|&percent| format!(" {:.3} |", self.percentile(percent).as_secs_f64() * 1000.0))
            .collect()
    }
}

/// Returns the heading of the table, with columns for the times beside busy threads if there are any.
pub fn heading(busy: u32) -> String {
    let mut names =
        "| response | measurements | minimum | median | 99 % | maximum | goal | |".to_string();
    let mut columns = 8;
    if busy > 0 {
        for statistic in ["median", "99 %", "maximum"] {
            names += &format!(" {statistic}, {busy} busy |");
        }
        columns += 3;
    }
    format!("{names}\n|{}", "---|".repeat(columns))
}

impl Measurement {
    /// Returns the row of the table.
    pub fn row(&self) -> String {
        let (statistic, limit) = self.goal;
        let (word, percent) = match statistic {
            Statistic::Median => ("median", 50),
            Statistic::Percentile99 => ("99 %", 99),
            Statistic::Slowest => ("maximum", 100),
        };
        let is_met = self.idle.percentile(percent) < limit;
        let outcome = if is_met { "met" } else { "missed" };
        let busy = self.busy.as_ref();
        format!(
            "| {} | {} |{} {word} under {} | {outcome} |{}",
            self.name,
            self.idle.0.len(),
            self.idle.cells(&[0, 50, 99, 100]),
            limit.as_millis(),
            busy.map_or(String::new(), |times| times.cells(&[50, 99, 100])),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(milliseconds: impl Iterator<Item = u64>) -> Times {
        Times::new(milliseconds.map(Duration::from_millis).collect())
    }

    #[test]
    fn percentiles_are_measured_times() {
        let times = times((1..=100).rev());
        let milliseconds = |percent| times.percentile(percent).as_millis();
        assert_eq!([0, 50, 99, 100].map(milliseconds), [1, 50, 99, 100]);
    }

    #[test]
    fn goals_limit_the_idle_times() {
        let measurement = Measurement {
            name: "x",
            goal: (Statistic::Percentile99, Duration::from_millis(100)),
            idle: times(1..=100),
            busy: None,
        };
        let row = "| x | 100 | 1.000 | 50.000 | 99.000 | 100.000 | 99 % under 100 | met |";
        assert_eq!(measurement.row(), row);
        let beside_others = Measurement {
            busy: Some(times(101..=200)),
            ..measurement
        };
        let row = format!("{row} 150.000 | 199.000 | 200.000 |");
        assert_eq!(beside_others.row(), row);
        let strict = Measurement {
            goal: (Statistic::Slowest, Duration::from_millis(100)),
            busy: None,
            ..beside_others
        };
        assert!(strict.row().ends_with("| maximum under 100 | missed |"));
    }

    #[test]
    fn heading_and_rows_have_as_many_cells() {
        for busy in [0, 3] {
            let measurement = Measurement {
                name: "x",
                goal: (Statistic::Median, Duration::from_millis(1)),
                idle: times(1..=2),
                busy: (busy > 0).then(|| times(3..=4)),
            };
            let heading = heading(busy);
            let cells = |line: &str| line.matches('|').count();
            let expected = cells(&measurement.row());
            assert!(
                heading.lines().all(|line| cells(line) == expected),
                "{heading}"
            );
            assert_eq!(heading.contains("median, 3 busy"), busy > 0);
        }
    }
}
