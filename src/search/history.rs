//! Butterfly history: the learned merit of quiet moves, per colour and from-to squares. (Winglet.)

use crate::types::{Color, Depth, Move};

/// No entry goes beyond this, either way.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// Merit by `[color][from * 64 + to]` ([`Move::from_to`]).
#[derive(Debug)]
pub(super) struct History {
    merits: Box<[[i16; 4096]; 2]>,
}

/// The bonus of a cut-off at this depth: the square of it, so that cut-offs that save large trees count more.
#[inline]
pub(super) fn bonus(depth: Depth) -> i32 {
    (depth * depth).min(1024)
}

impl History {
    pub fn new() -> History {
        History {
            merits: Box::new([[0; 4096]; 2]),
        }
    }

    /// From `-HISTORY_MAX` to `HISTORY_MAX`.
    #[inline]
    pub fn get(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.merits[color.index()][mv.from_to()])
    }

    /// Raises (or lowers) a merit; the nearer it is to its end, the less.
    pub fn update(&mut self, color: Color, mv: Move, bonus: i32) {
        let merit = &mut self.merits[color.index()][mv.from_to()];
        let old = i32::from(*merit);
        let new = old + bonus * 16 - old * (bonus * 16).abs() / HISTORY_MAX;
        *merit = new.clamp(-HISTORY_MAX, HISTORY_MAX) as i16;
    }

    /// A new search begins: what was learned for the last position counts half.
    pub fn age(&mut self) {
        for merit in self.merits.iter_mut().flatten() {
            *merit /= 2;
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self.merits = [[0; 4096]; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn merits_stay_in_range_and_age() {
        let mv = Move::new(
            Square::from_index(1),
            Square::from_index(18),
            MoveKind::Quiet,
        );
        let mut history = History::new();
        for _ in 0..1000 {
            history.update(Color::White, mv, bonus(30));
        }
        let high = history.get(Color::White, mv);
        assert!(high > HISTORY_MAX / 2 && high <= HISTORY_MAX);
        assert_eq!(history.get(Color::Black, mv), 0);
        history.age();
        assert_eq!(history.get(Color::White, mv), high / 2);
        for _ in 0..1000 {
            history.update(Color::White, mv, -bonus(30));
        }
        assert!(history.get(Color::White, mv) < 0);
    }

    #[test]
    fn deeper_cutoffs_count_by_the_square() {
        assert_eq!(bonus(4), 16);
        assert_eq!(bonus(8), 4 * bonus(4));
    }
}
