//! Killer moves: quiet moves that caused a cutoff at the same ply before.

use crate::types::{MAX_PLY, Move, Ply};

/// Two killer moves per ply, the newest first. (Mediocre, ice.)
#[derive(Debug)]
pub(super) struct Killers {
    slots: Box<[[Option<Move>; 2]]>,
}

impl Killers {
    /// Creates a table without killer moves.
    pub fn new() -> Killers {
        Killers {
            slots: vec![[None; 2]; MAX_PLY + 2].into_boxed_slice(),
        }
    }

    /// Returns the killer moves of a ply, the newest first. They may be illegal in the current position.
    #[inline]
    pub fn get(&self, ply: Ply) -> [Option<Move>; 2] {
        self.slots[ply.index()]
    }

    /// Adds a quiet move that has caused a cutoff at this ply.
    pub fn push(&mut self, ply: Ply, mv: Move) {
        let slot = &mut self.slots[ply.index()];
        if slot[0] != Some(mv) {
            *slot = [Some(mv), slot[0]];
        }
    }

    /// Removes the killer moves of a ply.
    #[inline]
    pub fn clear_ply(&mut self, ply: Ply) {
        self.slots[ply.index()] = [None; 2];
    }

    /// Removes all killer moves.
    pub fn clear(&mut self) {
        self.slots.fill([None; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn the_newest_killer_comes_first_and_none_occurs_twice() {
        let mv = |to| {
            Move::new(
                Square::from_index(0),
                Square::from_index(to),
                MoveKind::Quiet,
            )
        };
        let mut killers = Killers::new();
        killers.push(Ply(3), mv(1));
        killers.push(Ply(3), mv(1));
        assert_eq!(killers.get(Ply(3)), [Some(mv(1)), None]);
        killers.push(Ply(3), mv(2));
        assert_eq!(killers.get(Ply(3)), [Some(mv(2)), Some(mv(1))]);
        killers.push(Ply(3), mv(1));
        assert_eq!(killers.get(Ply(3)), [Some(mv(1)), Some(mv(2))]);
        assert_eq!(killers.get(Ply(2)), [None, None]);
        killers.push(Ply(2), mv(1));
        killers.clear_ply(Ply(3));
        assert_eq!(killers.get(Ply(3)), [None, None]);
        assert_eq!(killers.get(Ply(2)), [Some(mv(1)), None]);
    }
}
