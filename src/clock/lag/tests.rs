//! Tests of the lag estimate.

use proptest::prelude::*;

use super::*;

const SECOND: i64 = 1_000_000;

/// Returns a sample from a host that reports hundredths of a second.
fn exact(missing: i64) -> LagSample {
    LagSample {
        missing,
        reported: Duration::from_millis(60_010),
    }
}

/// Returns the estimate after samples from a host that reports hundredths of a second.
fn after(samples: &[i64], on_server: bool) -> Duration {
    let mut lag = LagEstimate::default();
    samples
        .iter()
        .for_each(|&missing| lag.add_sample(exact(missing), on_server));
    assert!(lag.network().is_zero() || lag.local().is_zero());
    lag.per_move()
}

/// Returns the estimate after each move on a local host that rounds its times down to multiples of `resolution`. A move
/// costs `think` and the delay returned by `delay`, in microseconds.
fn local_host(
    resolution: i64,
    think: i64,
    moves: i64,
    delay: impl Fn(i64) -> i64,
) -> Vec<Duration> {
    let mut left = 300 * SECOND + 403_000;
    let mut reported = left / resolution * resolution;
    let mut estimate = LagEstimate::default();
    (0..moves)
        .map(|number| {
            let expected = reported - think;
            left -= think + delay(number);
            reported = left / resolution * resolution;
            estimate.add_sample(
                LagSample {
                    missing: expected - reported,
                    reported: Duration::from_micros(reported.unsigned_abs()),
                },
                false,
            );
            estimate.local()
        })
        .collect()
}

/// Returns the estimate after each move on a server that rounds down to whole seconds and where each move costs
/// `think` and `lag` microseconds.
fn coarse_server(lag: i64, think: i64, moves: usize) -> Vec<Duration> {
    let (mut left, mut reported) = (300 * SECOND + 400_000, 300 * SECOND);
    let mut estimate = LagEstimate::default();
    (0..moves)
        .map(|_| {
            let expected = reported - think;
            left -= think + lag;
            reported = left / SECOND * SECOND;
            let missing = expected - reported;
            let reported = Duration::from_micros(reported.unsigned_abs());
            estimate.add_sample(LagSample { missing, reported }, true);
            estimate.network()
        })
        .collect()
}

#[test]
fn the_estimate_starts_at_zero() {
    assert_eq!(LagEstimate::default().local(), Duration::ZERO);
    assert!(after(&[SECOND], true) <= Duration::from_millis(500));
}

#[test]
fn a_steady_delay_is_found_through_whole_seconds() {
    for lag in [0, 50_000, 300_000, 1_200_000] {
        let estimates = coarse_server(lag, 700_000, 60);
        let mean: i64 = estimates[20..]
            .iter()
            .map(|estimate| estimate.as_micros() as i64)
            .sum::<i64>()
            / 40;
        assert!((mean - lag).abs() < 100_000, "{lag}: {mean}");
    }
}

#[test]
fn one_late_move_has_a_short_effect() {
    let mut samples = vec![100_000; 20];
    samples.push(3 * SECOND);
    assert!(after(&samples, true) < Duration::from_millis(600));
    samples.extend([100_000; 16]);
    assert!(after(&samples, true) < Duration::from_millis(200));
}

#[test]
fn samples_that_no_delay_explains_are_ignored() {
    let usual = [200_000; 20];
    let mut disturbed = usual.to_vec();
    disturbed.extend([-15 * SECOND, 3600 * SECOND, i64::MIN, i64::MAX]);
    assert_eq!(after(&usual, true), after(&disturbed, true));
}

#[test]
fn the_estimate_has_an_upper_limit() {
    assert_eq!(after(&[5 * SECOND; 30], true), Duration::from_secs(2));
    assert_eq!(after(&[2 * SECOND; 30], false), Duration::from_millis(1990));
    assert_eq!(after(&[2 * SECOND + 1; 30], false), Duration::ZERO);
}

#[test]
fn small_local_delays_are_averaged() {
    let few = after(&[3_000; 40], false);
    assert!(few > Duration::from_millis(2) && few <= Duration::from_millis(3));
}

#[test]
fn a_slow_local_host_is_known_after_three_moves() {
    for delay in [60_000, 90_000, 150_000, 400_000, SECOND] {
        for resolution in [1_000, 10_000] {
            let estimates = local_host(resolution, 30_000, 12, |_| delay);
            for (number, &estimate) in estimates.iter().enumerate().skip(2) {
                let error = estimate.as_micros() as i64 - delay;
                // One report in ten looks like one in tenths of a second, and counts less.
                let is_close = (-20_000..=10_000).contains(&error) || number == 2;
                assert!(is_close, "{delay} {resolution}: {estimates:?}");
            }
        }
    }
    // As recorded from WinBoard under wine.
    let estimates = local_host(10_000, 30_000, 60, |number| {
        [340, 420, 1010, 300, 570][number as usize % 5] * 1000
    });
    let range = Duration::from_millis(300)..Duration::from_millis(1000);
    assert!(
        estimates[3..]
            .iter()
            .all(|estimate| range.contains(estimate)),
        "{estimates:?}"
    );
}

#[test]
fn a_slow_host_that_becomes_quick_is_forgotten() {
    let mut samples = vec![400_000; 20];
    samples.extend([0; 5]);
    assert!(after(&samples, false) > Duration::from_millis(300));
    samples.push(0);
    assert!(after(&samples, false) <= Duration::from_millis(50));
}

#[test]
fn changes_of_the_clocks_are_not_taken_for_a_slow_host() {
    let mut samples = vec![2_000; 20];
    samples.extend([
        SECOND,
        SECOND,
        2_000,
        2_000,
        -60 * SECOND,
        3600 * SECOND,
        i64::MIN,
        i64::MAX,
    ]);
    assert!(after(&samples, false) < Duration::from_millis(3));
}

#[test]
fn rounding_is_not_taken_for_a_slow_host() {
    for resolution in [10_000, 100_000, SECOND] {
        for think in [1_700, 33_000, 480_000, 730_000] {
            let estimates = local_host(resolution, think, 60, |_| 1_000);
            let highest = estimates.iter().max().expect("some");
            assert!(
                *highest <= Duration::from_millis(50),
                "{resolution} {think}: {highest:?}"
            );
        }
    }
}

#[test]
fn a_server_and_a_local_host_have_separate_delays() {
    let mut lag = LagEstimate::default();
    (0..8).for_each(|_| lag.add_sample(exact(400_000), true));
    assert!(lag.network() > Duration::from_millis(300) && lag.local().is_zero());
    assert_eq!(lag.slow_host(), Duration::ZERO);
}

#[test]
fn the_estimate_returns_to_zero_without_delay() {
    let mut samples = vec![2 * SECOND; 20];
    samples.extend([0; 40]);
    assert!(after(&samples, true) < Duration::from_millis(20));
}

proptest! {
    #[test]
    fn any_samples_keep_the_estimate_within_its_limits(
        samples in prop::collection::vec((any::<i64>(), any::<bool>()), 0..100),
        more in prop::collection::vec((-3_000_000i64..9_000_000, any::<bool>()), 0..100),
    ) {
        let mut lag = LagEstimate::default();
        for (missing, on_server) in samples.into_iter().chain(more) {
            lag.add_sample(exact(missing), on_server);
            prop_assert!(lag.network() <= Duration::from_secs(2));
            prop_assert!(lag.local() <= Duration::from_secs(2));
            prop_assert!(lag.slow_host() <= lag.local());
        }
    }
}
