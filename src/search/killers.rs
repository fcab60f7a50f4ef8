//! Killer moves: quiet moves that cut at this ply before.

use crate::types::{MAX_PLY, Move, Ply};

/// Two per ply, newest first. (Mediocre, ice.)
#[derive(Debug)]
pub(super) struct Killers {
    slots: Box<[[Option<Move>; 2]]>,
}

impl Killers {
    pub fn new() -> Killers {
        Killers {
            slots: vec![[None; 2]; MAX_PLY + 2].into_boxed_slice(),
        }
    }

    /// The killers of a ply, newest first; legal elsewhere, perhaps not here.
    #[inline]
    pub fn get(&self, ply: Ply) -> [Option<Move>; 2] {
        self.slots[ply.index()]
    }

    /// A quiet move has cut at this ply.
    pub fn push(&mut self, ply: Ply, mv: Move) {
        let slot = &mut self.slots[ply.index()];
        if slot[0] != Some(mv) {
            *slot = [Some(mv), slot[0]];
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.slots.fill([None; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn newest_first_and_never_twice() {
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
    }
}
