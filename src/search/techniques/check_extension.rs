//! Check extension: a node in check is searched one ply deeper.
//!
//! There are few legal replies to a check, and checks must not push a threat beyond the horizon (horizon effect).

use crate::eval::Evaluator;
use crate::types::{Depth, Ply};

use crate::search::searcher::Searcher;

impl<E: Evaluator> Searcher<E> {
    /// Returns the plies by which a node below the root is extended: 1 in check while the ply is less than twice the
    /// iteration depth, otherwise 0.
    #[inline]
    pub(in crate::search) fn check_extension(&self, in_check: bool, ply: Ply) -> Depth {
        Depth::from(in_check && self.parameters.check_extension() && self.may_extend(ply))
    }
}

#[cfg(test)]
mod tests {
    use crate::search::test_support::{position, searcher_at};
    use crate::types::{Color, Ply};

    #[test]
    fn checks_extend_up_to_twice_the_iteration_depth() {
        let mut searcher = searcher_at(&position(Color::White, "Kg1 kg8", 0));
        searcher.root_depth = 5;
        assert_eq!(searcher.check_extension(true, Ply(9)), 1);
        assert_eq!(searcher.check_extension(true, Ply(10)), 0);
        assert_eq!(searcher.check_extension(false, Ply(1)), 0);
    }
}
