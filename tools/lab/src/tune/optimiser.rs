//! Steps down the slope of the loss: Adam (Kingma and Ba, 2014) over batches in a shuffled order.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::TuneArgs;
use super::model::{Data, Pairs};

/// How much of the mean slope and of its mean square is kept from step to step.
const KEPT: [f64; 2] = [0.9, 0.999];

/// Keeps steps small where the slope is nearly nothing.
const FLOOR: f64 = 1e-8;

/// How much one position curves the loss, at most, in units of the inverse square of the scale: that of a sigmoid.
const CURVATURE: f64 = 0.25;

/// The state of a run.
pub(super) struct Optimiser {
    start: Pairs,
    weights: Pairs,
    mean: Pairs,
    square: Pairs,
    steps: i32,
    order: Vec<u32>,
    batch: usize,
    anchor: f64,
    random: ChaCha8Rng,
}

impl Optimiser {
    /// A run from these weights over so many positions.
    pub(super) fn new(args: &TuneArgs, start: &Pairs, positions: usize) -> Optimiser {
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

    /// The weights now.
    pub(super) fn weights(&self) -> &Pairs {
        &self.weights
    }

    /// Goes through all positions once, unless `stop` says otherwise.
    pub(super) fn epoch(&mut self, data: &Data, scale: f64, rate: f64, stop: impl Fn() -> bool) {
        for last in (1..self.order.len()).rev() {
            let other = (u64::from(self.random.next_u32()) * (last as u64 + 1)) >> 32;
            self.order.swap(last, other as usize);
        }
        // Its slope is that of so many positions with a target at the old weight, times the scale as the others.
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

    fn step(&mut self, gradient: &Pairs, pull: f64, rate: f64) {
        self.steps += 1;
        let young = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        for (index, slopes) in gradient.iter().enumerate() {
            for (phase, slope) in slopes.iter().enumerate() {
                let weight = &mut self.weights[index][phase];
                let slope = slope + pull * (*weight - self.start[index][phase]);
                let mean = &mut self.mean[index][phase];
                *mean += (1.0 - KEPT[0]) * (slope - *mean);
                let square = &mut self.square[index][phase];
                *square += (1.0 - KEPT[1]) * (slope * slope - *square);
                *weight -= rate * (*mean / young[0]) / ((*square / young[1]).sqrt() + FLOOR);
            }
        }
    }
}
