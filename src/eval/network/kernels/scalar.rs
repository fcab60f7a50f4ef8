//! Plain code: what the others must agree with.

use super::super::net::Row;
use super::{Kernels, ONE};

pub(super) const KERNELS: Kernels = Kernels {
    plain,
    capture,
    update,
    forward,
};

fn plain(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 1]) {
    update(target, source, &added, &removed);
}

fn capture(target: &mut Row, source: &Row, added: [&Row; 1], removed: [&Row; 2]) {
    update(target, source, &added, &removed);
}

fn update(target: &mut Row, source: &Row, added: &[&Row], removed: &[&Row]) {
    *target = *source;
    for row in added {
        for (sum, value) in target.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*value);
        }
    }
    for row in removed {
        for (sum, value) in target.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*value);
        }
    }
}

fn forward(sides: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let mut sum = 0i32;
    for (side, weights) in sides.into_iter().zip(weights) {
        for (&value, &weight) in side.0.iter().zip(&weights.0) {
            let clipped = i32::from(value.clamp(0, ONE));
            sum = sum.wrapping_add(clipped * clipped * i32::from(weight));
        }
    }
    sum
}
