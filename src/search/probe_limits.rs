//! The positions that a search looks up in the tablebases.
//!
//! A position with as many men as the largest tables is looked up only where the search below it takes longer than a
//! read from a disk, unless the tables are in memory.

use crate::board::Board;
use crate::config::ProbeSettings;
use crate::tablebase::Tablebases;
use crate::types::{CastlingRights, Depth};

/// The positions that a search looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProbeLimits {
    /// Largest number of men; 0: no position is looked up.
    men: usize,
    /// Least depth for positions with this largest number.
    depth: Depth,
}

impl ProbeLimits {
    /// No position is looked up.
    pub const NONE: ProbeLimits = ProbeLimits { men: 0, depth: 0 };

    /// Returns `true` if no position is looked up.
    #[inline]
    pub fn is_none(self) -> bool {
        self.men == 0
    }

    /// Returns the limits for these tables.
    pub fn new(tables: &Tablebases, settings: ProbeSettings) -> ProbeLimits {
        let men = tables.max_men().min(settings.men);
        let is_in_memory = men <= tables.men_in_memory();
        ProbeLimits {
            men,
            depth: if is_in_memory { 0 } else { settings.depth },
        }
    }

    /// Returns `true` if the position may be looked up in a node of this depth: directly after a capture or pawn move,
    /// since only there a result does not depend on the fifty-move counter, and without castling rights.
    #[inline]
    pub fn allow_probe(self, board: &Board, depth: Depth) -> bool {
        let men = board.occupancy();
        board.halfmove_clock() == 0
            && (men < self.men || men == self.men && depth >= self.depth)
            && board.castling_rights() == CastlingRights::NONE
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use shakmaty_syzygy::filesystem::OsFilesystem;

    use super::*;
    use crate::search::test_support::position;
    use crate::types::Color;

    #[test]
    fn only_positions_after_a_capture_or_pawn_move_with_few_men_are_looked_up() {
        let limits = ProbeLimits { men: 4, depth: 3 };
        let allows = |pieces, clock, depth| {
            limits.allow_probe(position(Color::White, pieces, clock).board(), depth)
        };
        assert!(allows("Kg1 Rd1 kg8 pf7", 0, 3));
        assert!(!allows("Kg1 Rd1 kg8 pf7", 1, 3));
        assert!(!allows("Kg1 Rd1 kg8 pf7", 0, 2), "maybe on a disk");
        assert!(allows("Kg1 Rd1 kg8", 0, 1), "fewer men");
        assert!(!allows("Kg1 Rd1 kg8 pf7 pg7", 0, 50));
    }

    #[test]
    fn the_settings_and_the_memory_limit_the_positions() {
        let limits = |men_in_memory, men, depth| {
            let mut tables = Tablebases::new(Arc::new(OsFilesystem::new()));
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata");
            tables.add(&folder.join("KQvK.rtbw")).expect("a table");
            tables.set_men_in_memory(men_in_memory);
            ProbeLimits::new(&tables, ProbeSettings { depth, men })
        };
        assert_eq!(limits(0, 7, 4), ProbeLimits { men: 3, depth: 4 });
        assert_eq!(limits(3, 7, 4), ProbeLimits { men: 3, depth: 0 });
        assert_eq!(limits(0, 2, 4), ProbeLimits { men: 2, depth: 4 });
        assert_eq!(limits(2, 2, 4), ProbeLimits { men: 2, depth: 0 });
        assert_eq!(limits(0, 0, 4).men, 0);
    }
}
