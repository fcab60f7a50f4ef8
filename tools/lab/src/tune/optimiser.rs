//! The optimiser Adam (Kingma and Ba, 2014), over batches of positions in random order.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::args::TuneArgs;
use super::model::{Data, WeightPairs};

/// Decay rates of the moving averages of the gradient and of its square.
const DECAY: [f64; 2] = [0.9, 0.999];

/// Term that limits the steps where the gradient is nearly 0.
const EPSILON: f64 = 1e-8;

/// Largest second derivative of the loss of one position, in units of the inverse square of the scale.
const CURVATURE: f64 = 0.25;

/// State of the optimisation.
pub(super) struct Optimiser {
    start: WeightPairs,
    weights: WeightPairs,
    mean: WeightPairs,
    square: WeightPairs,
    steps: i32,
    order: Vec<u32>,
    batch: usize,
    anchor: f64,
    random: ChaCha8Rng,
}

impl Optimiser {
    /// Creates an optimiser that starts from these weights.
    pub(super) fn new(args: &TuneArgs, start: &WeightPairs, positions: usize) -> Optimiser {
        Optimiser {
            start: start.clone(),
            weights: start.clone(),
            mean: vec![[0.0; 2]; start.len()],
            square: vec![[0.0; 2]; start.len()],
            steps: 0,
            order: (0..positions as u32).collect(),
            batch: args.batch.max(1),
            anchor: args.anchor,
            random: ChaCha8Rng::seed_from_u64(args.seed),
        }
    }

    /// Returns the current weights.
    pub(super) fn weights(&self) -> &WeightPairs {
        &self.weights
    }

    /// Takes a step for each batch of all positions. Ends early if `stop` returns `true`.
    pub(super) fn epoch(&mut self, data: &Data, scale: f64, rate: f64, stop: impl Fn() -> bool) {
        for last in (1..self.order.len()).rev() {
            let other = (u64::from(self.random.next_u32()) * (last as u64 + 1)) >> 32;
            self.order.swap(last, other as usize);
        }
        // The regularisation has the gradient, times the scale, of `anchor` positions whose targets are the old
        // weights.
        let pull = self.anchor * CURVATURE / scale / self.order.len() as f64;
        let order = std::mem::take(&mut self.order);
        for batch in order.chunks(self.batch) {
            if stop() {
                break;
            }
            let gradient = data.gradient(batch, &self.weights, scale);
            self.step(&gradient, pull, rate);
        }
        self.order = order;
    }

    /// Changes the weights by one step of Adam.
    fn step(&mut self, gradient: &WeightPairs, pull: f64, rate: f64) {
        self.steps += 1;
        let corrections = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        for (index, slopes) in gradient.iter().enumerate() {
            for (phase, slope) in slopes.iter().enumerate() {
                let weight = &mut self.weights[index][phase];
                let slope = slope + pull * (*weight - self.start[index][phase]);
                let mean = &mut self.mean[index][phase];
                *mean += (1.0 - DECAY[0]) * (slope - *mean);
                let square = &mut self.square[index][phase];
                *square += (1.0 - DECAY[1]) * (slope * slope - *square);
                *weight -=
                    rate * (*mean / corrections[0]) / ((*square / corrections[1]).sqrt() + EPSILON);
            }
        }
    }
}
