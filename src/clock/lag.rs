//! Estimate of the communication delay per move, from the clock times that the host reports.
//!
//! The next `time` report after a move of the engine shows how much time its move has really cost. The difference from
//! Gaur's own clock was lost in pipes, in the network, in a slow GUI, or by a server that rounds to seconds. The
//! difference is the sample `s = expected - reported`.
//!
//! # Mean
//!
//! ```text
//! L := L + (s - L) / n        n = 2, 3, 4, ... up to 8, and 8 from then on
//! ```
//!
//! `L` starts at zero, and is a mean of the first samples and a moving mean later. The mean is used instead of the
//! largest sample, because rounding to whole seconds makes single samples wrong by up to a second, and these errors
//! cancel out. Samples that no delay explains are ignored, for example after `moretime` or a change of the clocks in
//! the GUI. The estimate has an upper limit.
//!
//! # Slow hosts
//!
//! A GUI that needs much time for each line can charge a second for a move of some milliseconds. The mean on the local
//! machine ignores such samples, because a change of the clocks in the GUI looks the same. A slow host is recognised by
//! repetition: the third largest of the last eight samples counts, less the resolution of the reported time. It is
//! known after three moves, and two changes of the clocks within eight moves do not affect it.

use std::time::Duration;

/// Number of samples of the moving mean, and of those that reveal a slow host.
const SAMPLES: i64 = 8;

/// Rank, from zero, of the sample that reveals a slow host.
const SLOW_RANK: usize = 2;

/// Highest sample of a slow host, in microseconds.
const MAX_SLOW_SAMPLE: i64 = 2_000_000;

/// Limits of samples and estimate, in microseconds.
#[derive(Clone, Copy, Debug)]
struct LagLimits {
    /// Lowest sample that counts.
    min_sample: i64,
    /// Highest sample that counts.
    max_sample: i64,
    /// Upper limit of the estimate.
    max_estimate: i64,
}

/// Limits on a chess server, with a network and clocks in whole seconds.
const SERVER: LagLimits = LagLimits {
    min_sample: -1_500_000,
    max_sample: 6_000_000,
    max_estimate: 2_000_000,
};

/// Limits of the mean on the local machine, with pipes and a scheduler.
const LOCAL: LagLimits = LagLimits {
    min_sample: -50_000,
    max_sample: 200_000,
    max_estimate: 50_000,
};

/// Difference between the engine's time on Gaur's clock and the time that the host reported after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LagSample {
    /// Expected minus reported time, in microseconds.
    pub missing: i64,
    /// The reported time.
    pub reported: Duration,
}

impl LagSample {
    /// Returns the resolution of the reported time, in microseconds: a whole second, a tenth or a hundredth.
    fn resolution(&self) -> i64 {
        let micros = self.reported.subsec_micros();
        if micros == 0 {
            1_000_000
        } else if micros.is_multiple_of(100_000) {
            100_000
        } else {
            10_000
        }
    }
}

/// Estimated communication delay per move.
///
/// ```
/// use gaur::clock::{LagEstimate, LagSample};
/// use std::time::Duration;
/// let mut lag = LagEstimate::default();
/// for _ in 0..40 {
///     // 0.3 s less than expected after each move
///     lag.add_sample(LagSample { missing: 300_000, reported: Duration::from_secs(60) }, true);
/// }
/// assert!(lag.network() > Duration::from_millis(290));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LagEstimate {
    /// Moving mean in microseconds. It can be negative because of rounding.
    mean: i64,
    /// Number of samples, at most [`SAMPLES`].
    samples: i64,
    /// Last samples of a local host less the resolution, newest first, in microseconds.
    recent: [i64; SAMPLES as usize],
    /// Set if the last sample came from a chess server.
    on_server: bool,
}

impl LagEstimate {
    /// Adds the sample of one move. `on_server` must be `true` if the host is a chess server.
    pub fn add_sample(&mut self, sample: LagSample, on_server: bool) {
        self.on_server = on_server;
        let missing = sample.missing;
        if !on_server && (LOCAL.min_sample..=MAX_SLOW_SAMPLE).contains(&missing) {
            self.recent.rotate_right(1);
            self.recent[0] = missing - sample.resolution();
        }
        let limits = if on_server { SERVER } else { LOCAL };
        if !(limits.min_sample..=limits.max_sample).contains(&missing) {
            return;
        }
        self.samples = (self.samples + 1).min(SAMPLES);
        let weight = (self.samples + 1).min(SAMPLES);
        self.mean = (self.mean + (missing - self.mean) / weight).min(limits.max_estimate);
    }

    /// Returns the expected delay per move: zero without samples, at most 2 s.
    pub fn per_move(&self) -> Duration {
        self.network() + self.local()
    }

    /// Returns the expected delay per move on a chess server, at most 2 s. Zero without samples and on the local
    /// machine.
    pub fn network(&self) -> Duration {
        if self.on_server {
            micros(self.mean)
        } else {
            Duration::ZERO
        }
    }

    /// Returns the expected delay per move on the local machine, at most 2 s. Zero without samples and on a server.
    pub fn local(&self) -> Duration {
        if self.on_server {
            Duration::ZERO
        } else {
            micros(self.mean).max(self.slow_host())
        }
    }

    /// Returns the expected delay per move if the host is local and slower than the mean shows; otherwise zero.
    pub fn slow_host(&self) -> Duration {
        let mut sorted = self.recent;
        sorted.sort_unstable_by_key(|&sample| std::cmp::Reverse(sample));
        let delay = sorted[SLOW_RANK];
        if self.on_server || delay < LOCAL.max_estimate {
            Duration::ZERO
        } else {
            micros(delay)
        }
    }
}

/// Returns a number of microseconds as a duration; zero if it is negative.
fn micros(n: i64) -> Duration {
    Duration::from_micros(n.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests;
