//! Statistics of a search: cutoffs by move class, aspiration windows.

use std::ops::AddAssign;

/// The class by which the move picker orders a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveClass {
    /// The table move, or the move of the previous principal variation.
    TableMove,
    /// A capture or queen promotion whose SEE loss is within its limit.
    GoodCapture,
    /// A killer move.
    Killer,
    /// Any other capture or promotion.
    BadCapture,
    /// Any other quiet move.
    Quiet,
}

impl MoveClass {
    /// All classes in index order.
    pub const ALL: [MoveClass; 5] = [
        MoveClass::TableMove,
        MoveClass::GoodCapture,
        MoveClass::Killer,
        MoveClass::BadCapture,
        MoveClass::Quiet,
    ];
}

/// Counts over a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cutoffs by [`MoveClass`].
    pub cutoffs: [u64; 5],
    /// Cutoffs by the first move searched.
    pub first_move_cutoffs: u64,
    /// Aspiration windows searched.
    pub windows: u64,
    /// Aspiration windows that failed low.
    pub fail_lows: u64,
    /// Aspiration windows that failed high.
    pub fail_highs: u64,
}

impl Statistics {
    /// Returns the number of cutoffs of all classes.
    pub fn all_cutoffs(&self) -> u64 {
        self.cutoffs.iter().sum()
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        for (sum, count) in self.cutoffs.iter_mut().zip(other.cutoffs) {
            *sum += count;
        }
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.windows += other.windows;
        self.fail_lows += other.fail_lows;
        self.fail_highs += other.fail_highs;
    }
}
