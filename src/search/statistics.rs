//! What the search counts about itself, to judge its ordering by.

use std::ops::AddAssign;

/// The group of moves a cut-off came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CutGroup {
    /// The table move, or the move of the last iteration's line.
    TableMove,
    /// Captures and promotions that lose nothing by SEE, or little of what they take.
    GoodCapture,
    /// Killer moves.
    Killer,
    /// The other captures and promotions.
    LosingCapture,
    /// All other quiet moves.
    Quiet,
}

impl CutGroup {
    /// All groups, in index order.
    pub const ALL: [CutGroup; 5] = [
        CutGroup::TableMove,
        CutGroup::GoodCapture,
        CutGroup::Killer,
        CutGroup::LosingCapture,
        CutGroup::Quiet,
    ];
}

/// Counts over a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cut-offs by [`CutGroup`].
    pub cuts: [u64; 5],
    /// Cut-offs by the first move tried.
    pub first_move_cuts: u64,
    /// Aspiration windows searched.
    pub windows: u64,
    /// Aspiration windows missed below.
    pub fail_lows: u64,
    /// Aspiration windows missed above.
    pub fail_highs: u64,
}

impl Statistics {
    /// Cut-offs in all.
    pub fn all_cuts(&self) -> u64 {
        self.cuts.iter().sum()
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        for (sum, more) in self.cuts.iter_mut().zip(other.cuts) {
            *sum += more;
        }
        self.first_move_cuts += other.first_move_cuts;
        self.windows += other.windows;
        self.fail_lows += other.fail_lows;
        self.fail_highs += other.fail_highs;
    }
}
