//! Futility pruning: near the horizon and far below alpha, quiet moves that give no direct check are skipped.

use crate::config::Parameters;
use crate::types::{Depth, Score};

/// Returns `true` if quiet moves are unlikely to raise the score above alpha at this reduced depth. In check there is
/// no static evaluation, and the result is `false`.
#[inline]
pub(in crate::search) fn is_futile(
    parameters: &Parameters,
    reduced_depth: Depth,
    static_eval: Score,
    alpha: Score,
) -> bool {
    parameters.futility()
        && static_eval != Score::NONE
        && reduced_depth <= parameters.futility_depth()
        && static_eval + parameters.futility_base() + parameters.futility_margin() * reduced_depth
            <= alpha
        && !alpha.is_decisive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    #[test]
    fn quiet_moves_are_futile_far_below_alpha() {
        let parameters = Parameters::default();
        let futile = |static_eval, alpha| is_futile(&parameters, 2, static_eval, alpha);
        assert!(futile(Score(-2000), Score(0)));
        assert!(!futile(Score(0), Score(0)));
        assert!(!futile(Score::NONE, Score(0)), "in check");
        assert!(!futile(Score(0), Score::mate_in(Ply(4))));
    }
}
