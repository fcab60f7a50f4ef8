//! History bonus and malus.

use crate::config::Parameters;
use crate::types::Depth;

/// Returns the bonus of a move that fails high at this depth, 0 to `bonus_limit`.
#[inline]
pub(in crate::search) fn history_bonus(parameters: &Parameters, depth: Depth) -> i32 {
    (parameters.bonus_per_ply() * depth - parameters.bonus_offset())
        .clamp(0, parameters.bonus_limit())
}

/// Returns the malus of the moves searched before one that fails high at this depth, 0 to `malus_limit`.
#[inline]
pub(super) fn history_malus(parameters: &Parameters, depth: Depth) -> i32 {
    (parameters.malus_per_ply() * depth - parameters.malus_offset())
        .clamp(0, parameters.malus_limit())
}

/// Returns the malus of an early quiet move that is refuted by a move which fails high at this depth.
#[inline]
pub(in crate::search) fn early_malus(parameters: &Parameters, depth: Depth) -> i32 {
    history_malus(parameters, depth) * parameters.malus_early() / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonus_and_malus_grow_with_depth_up_to_their_limits() {
        let parameters = Parameters::default();
        for formula in [history_bonus, history_malus, early_malus] {
            assert_eq!(formula(&parameters, 0), 0);
            assert!(formula(&parameters, 1) < formula(&parameters, 5));
            assert_eq!(formula(&parameters, 60), formula(&parameters, 120));
        }
    }
}
