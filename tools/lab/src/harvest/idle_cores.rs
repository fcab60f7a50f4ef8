//! Number of processors that other programs leave idle, measured twice per second.
//!
//! The idle scheduling class alone does not suffice: a parallel build took 11 % longer beside threads of that class
//! (`docs/experiments/2026-11-24-data-generation.md`).

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::interrupt::Interrupt;

/// Time between two measurements.
const INTERVAL: Duration = Duration::from_millis(500);

/// Fraction of a processor that other programs may use without reducing the number of threads: the system itself is
/// never quite idle.
const TOLERANCE: f64 = 0.25;

/// Processor times since the start of the system, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    /// Number of processors.
    cores: f64,
    /// Sum over all processors, idle or not.
    total: f64,
    /// Time in which processors were not idle.
    busy: f64,
    /// Time used by this process.
    own: f64,
}

impl Times {
    /// Reads the current times. Returns `None` on systems other than Linux.
    fn now() -> Option<Times> {
        let system = fs::read_to_string("/proc/stat").ok()?;
        let process = fs::read_to_string("/proc/self/stat").ok()?;
        Times::parse(&system, &process)
    }

    /// Reads the texts of `/proc/stat` and `/proc/self/stat`, which `man 5 proc` describes.
    fn parse(system: &str, process: &str) -> Option<Times> {
        let mut lines = system.lines();
        let sum = lines.next()?.strip_prefix("cpu ")?;
        let times: Vec<f64> = sum
            .split_whitespace()
            .take(8) // user, nice, system, idle, iowait, irq, softirq, steal; guest times are part of user
            .map_while(|number| number.parse().ok())
            .collect();
        let cores = lines.take_while(|line| line.starts_with("cpu")).count();
        // The name of the program in parentheses may contain blanks.
        let (_, process) = process.rsplit_once(") ")?;
        let own = process.split(' ').skip(11).take(2);
        let total: f64 = times.iter().sum();
        Some(Times {
            cores: cores as f64,
            total,
            busy: total - times.get(3)? - times.get(4)?,
            own: own.map_while(|number| number.parse::<f64>().ok()).sum(),
        })
    }

    /// Returns how many threads have a processor that other programs have left idle since `earlier`.
    fn idle_cores(self, earlier: Times) -> usize {
        let total = (self.total - earlier.total).max(1.0);
        let others = (self.busy - earlier.busy) - (self.own - earlier.own);
        let others = self.cores * (others / total).max(0.0);
        (self.cores - others + TOLERANCE).max(0.0) as usize
    }
}

/// Stores the number of idle processors in `allowed` until `stop` is set. Where it cannot be measured, `allowed` stays
/// as it is.
pub(super) fn watch(allowed: &AtomicUsize, stop: &Interrupt) {
    let Some(mut earlier) = Times::now() else {
        return;
    };
    while !stop.is_set() {
        thread::sleep(INTERVAL);
        if let Some(now) = Times::now() {
            allowed.store(now.idle_cores(earlier), Ordering::Relaxed);
            earlier = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_the_kernel_are_read() {
        let system = "cpu  100 20 30 4000 50 6 7 8 90 10\n\
                      cpu0 50 10 15 2000 25 3 3 4 45 5\n\
                      cpu1 50 10 15 2000 25 3 4 4 45 5\n\
                      intr 12345 0\n";
        let process = "12 (a (b) c) S 1 12 12 0 -1 4194304 100 0 0 0 70 9 0 0 20 0 1 0 500 0";
        let times = Times::parse(system, process);
        let expected = Times {
            cores: 2.0,
            total: 4221.0,
            busy: 171.0,
            own: 79.0,
        };
        assert_eq!(times, Some(expected));
        for wrong in ["", "cpu", "cpu  1 2", "mem 1 2 3 4 5"] {
            assert_eq!(Times::parse(wrong, process), None);
        }
        assert_eq!(Times::parse(system, "nothing"), None);
    }

    #[test]
    fn threads_have_the_processors_that_others_leave() {
        let start = Times {
            cores: 4.0,
            total: 1000.0,
            busy: 500.0,
            own: 100.0,
        };
        // In the next 100 ticks of each processor, this program uses `own` and others use `others`.
        let idle = |own: f64, others: f64| {
            let now = Times {
                total: start.total + 400.0,
                busy: start.busy + own + others,
                own: start.own + own,
                ..start
            };
            now.idle_cores(start)
        };
        assert_eq!(idle(0.0, 0.0), 4);
        assert_eq!(idle(380.0, 20.0), 4);
        assert_eq!(idle(300.0, 100.0), 3);
        assert_eq!(idle(100.0, 260.0), 1);
        assert_eq!(idle(0.0, 400.0), 0);
        assert_eq!(start.idle_cores(start), 4, "no time has passed");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_system_can_be_measured() {
        let times = Times::now().expect("times of Linux");
        assert!(times.cores >= 1.0 && times.total > 0.0 && times.busy > 0.0);
    }
}
