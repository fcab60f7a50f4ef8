//! The model of the tuner: the loss of weights on positions with targets, and its gradient.

use std::thread;

use super::coefficients::Coefficients;
use super::samples::Sample;

/// Middlegame and endgame value of each weight.
pub(super) type WeightPairs = Vec<[f64; 2]>;

/// Number of positions in a unit of work. Sums are computed per unit and added in the order of the units, so that the
/// result does not depend on the number of threads, including its last bit.
const UNIT: usize = 1024;

/// Range of the sigmoid's scale, in centipawns.
const SCALES: [f64; 2] = [40.0, 1000.0];

/// Positions with their targets.
pub(super) struct Data {
    positions: Vec<(Coefficients, f32)>,
    threads: usize,
}

impl Data {
    /// Creates the data. The target is the result with the weight `lambda`, and the expected result of the search's
    /// score with the rest.
    pub(super) fn new(samples: Vec<Sample>, lambda: f64, score_scale: f64, threads: usize) -> Data {
        let target = |sample: &Sample| {
            let score = sigmoid(f64::from(sample.score) / score_scale);
            (lambda * f64::from(sample.result) + (1.0 - lambda) * score) as f32
        };
        let positions = samples
            .into_iter()
            .map(|sample| (target(&sample), sample))
            .map(|(target, sample)| (sample.coefficients, target))
            .collect();
        Data { positions, threads }
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the mean loss of weights: the cross entropy between the targets and the expected results.
    pub(super) fn loss(&self, weights: &WeightPairs, scale: f64) -> f64 {
        let values = self.values(weights);
        self.mean_loss(&values, scale)
    }

    /// Returns the scale of the sigmoid, in centipawns, with the lowest loss for these weights.
    pub(super) fn fit_scale(&self, weights: &WeightPairs) -> f64 {
        let values = self.values(weights);
        minimum(SCALES, |scale| self.mean_loss(&values, scale))
    }

    /// Returns the score of each position for White.
    fn values(&self, weights: &WeightPairs) -> Vec<f64> {
        let units = self.in_units(self.positions.len(), |unit| {
            let positions = &self.positions[unit.start..unit.end];
            let values = positions
                .iter()
                .map(|(coefficients, _)| coefficients.value(weights));
            values.collect::<Vec<f64>>()
        });
        units.concat()
    }

    /// Returns the mean loss of scores.
    fn mean_loss(&self, values: &[f64], scale: f64) -> f64 {
        let losses = values
            .iter()
            .zip(&self.positions)
            .map(|(value, (_, target))| cross_entropy(value / scale, f64::from(*target)));
        losses.sum::<f64>() / values.len() as f64
    }

    /// Returns the gradient of the mean loss over the chosen positions, times `scale`.
    pub(super) fn gradient(
        &self,
        chosen: &[u32],
        weights: &WeightPairs,
        scale: f64,
    ) -> WeightPairs {
        let units = self.in_units(chosen.len(), |unit| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            for &number in &chosen[unit.start..unit.end] {
                let (coefficients, target) = &self.positions[number as usize];
                coefficients.add_gradient(weights, &mut gradient, |value| {
                    sigmoid(value / scale) - f64::from(*target)
                });
            }
            gradient
        });
        let mut sum = vec![[0.0; 2]; weights.len()];
        for unit in units {
            for (total, part) in sum.iter_mut().zip(unit) {
                total[0] += part[0] / chosen.len() as f64;
                total[1] += part[1] / chosen.len() as f64;
            }
        }
        sum
    }

    /// Calls `work` with each unit of the positions from 0 to `length` and returns the results in order.
    fn in_units<T: Send>(&self, length: usize, work: impl Fn(Unit) -> T + Sync) -> Vec<T> {
        let units: Vec<Unit> = (0..length)
            .step_by(UNIT)
            .map(|start| Unit {
                start,
                end: (start + UNIT).min(length),
            })
            .collect();
        let share = units.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = units
                .chunks(share)
                .map(|units| {
                    scope.spawn(move || units.iter().map(|&unit| work(unit)).collect::<Vec<T>>())
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| match worker.join() {
                    Ok(results) => results,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect()
        })
    }
}

/// A range of positions.
#[derive(Clone, Copy)]
struct Unit {
    start: usize,
    end: usize,
}

/// Returns the scale of the sigmoid, in centipawns, with which the scores of the search predict the results best.
pub(super) fn fit_score_scale(samples: &[Sample]) -> f64 {
    minimum(SCALES, |scale| {
        let losses = samples
            .iter()
            .map(|sample| cross_entropy(f64::from(sample.score) / scale, f64::from(sample.result)));
        losses.sum::<f64>() / samples.len() as f64
    })
}

/// Returns the expected result, 0 to 1, of a score of `x` times the scale.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns `-target ln p - (1 - target) ln (1 - p)` for `p = sigmoid(x)`, without loss of precision for large `x`.
fn cross_entropy(x: f64, target: f64) -> f64 {
    x.max(0.0) - target * x + (-x.abs()).exp().ln_1p()
}

/// Returns the minimum of a function with a single local minimum, to within 0.1 (golden-section search).
fn minimum([mut low, mut high]: [f64; 2], function: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let inner = |low: f64, high: f64| [high - ratio * (high - low), low + ratio * (high - low)];
    let mut points = inner(low, high);
    let mut values = points.map(&function);
    while high - low > 0.1 {
        if values[0] < values[1] {
            high = points[1];
            points = inner(low, high);
            values = [function(points[0]), values[0]];
        } else {
            low = points[0];
            points = inner(low, high);
            values = [values[1], function(points[1])];
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_is_lowest_where_the_expected_result_is_the_target() {
        for target in [0.0, 0.25, 0.5, 1.0] {
            let best = minimum([-10.0, 10.0], |x| cross_entropy(x, target));
            assert!((sigmoid(best) - target).abs() < 0.02, "{target}: {best}");
        }
        let direct = -(0.3 * sigmoid(1.5).ln() + 0.7 * (1.0 - sigmoid(1.5)).ln());
        assert!((cross_entropy(1.5, 0.3) - direct).abs() < 1e-12);
        assert!(cross_entropy(800.0, 0.5).is_finite());
    }
}
