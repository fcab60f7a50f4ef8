//! Principal variations: the triangular table, and the line of the previous iteration.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move, Ply};

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// Triangular table of principal variations: the row of a ply holds the best line from there on, at most
/// `MAX_PLY - ply` moves.
#[derive(Debug)]
pub(super) struct PvTable {
    rows: Box<[Line]>,
}

impl PvTable {
    /// Creates a table of empty lines.
    pub fn new() -> PvTable {
        PvTable {
            rows: (0..=MAX_PLY + 1).map(|_| Line::new()).collect(),
        }
    }

    /// Empties the line of a ply.
    #[inline]
    pub fn clear(&mut self, ply: Ply) {
        self.rows[ply.index()].clear();
    }

    /// Sets the line of a ply to `mv` followed by the line of the next ply.
    pub fn update(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply.index() + 1);
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(mv);
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
    }

    /// Returns the line of a ply.
    pub fn line(&self, ply: Ply) -> &Line {
        &self.rows[ply.index()]
    }
}

/// The principal variation of the previous iteration. Its moves are searched first along that line, even if the
/// transposition table has lost them. (Mediocre.)
#[derive(Clone, Debug, Default)]
pub(super) struct PreviousLine {
    moves: Line,
    /// Number of its moves that lead to the current node.
    followed: usize,
}

impl PreviousLine {
    /// Sets the line at the start of an iteration.
    pub fn set(&mut self, line: &Line) {
        self.moves.clone_from(line);
        self.followed = 0;
    }

    /// Returns the move of the line at `ply` if all moves before were those of the line.
    #[inline]
    pub fn move_at(&self, ply: Ply) -> Option<Move> {
        if self.followed == ply.index() {
            self.moves.get(ply.index()).copied()
        } else {
            None
        }
    }

    /// Records that `mv` is made at `ply`.
    #[inline]
    pub fn step(&mut self, ply: Ply, mv: Move) {
        if self.move_at(ply) == Some(mv) {
            self.followed += 1;
        }
    }

    /// Records that the move at `ply` is unmade.
    #[inline]
    pub fn back(&mut self, ply: Ply) {
        self.followed = self.followed.min(ply.index());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn mv(to: usize) -> Move {
        Move::new(
            Square::from_index(0),
            Square::from_index(to),
            MoveKind::Quiet,
        )
    }

    #[test]
    fn lines_are_built_from_the_leaves() {
        let mut table = PvTable::new();
        table.update(Ply(2), mv(3));
        table.update(Ply(1), mv(2));
        table.update(Ply(0), mv(1));
        assert_eq!(table.line(Ply(0)).as_slice(), [mv(1), mv(2), mv(3)]);
        table.clear(Ply(1));
        table.update(Ply(0), mv(9));
        assert_eq!(table.line(Ply(0)).as_slice(), [mv(9)]);
    }

    #[test]
    fn the_previous_line_is_followed_only_along_its_moves() {
        let mut previous = PreviousLine::default();
        previous.set(&Line::from_iter([mv(1), mv(2), mv(3)]));
        assert_eq!(previous.move_at(Ply(0)), Some(mv(1)));
        previous.step(Ply(0), mv(1));
        assert_eq!(previous.move_at(Ply(1)), Some(mv(2)));
        previous.step(Ply(1), mv(7));
        assert_eq!(previous.move_at(Ply(2)), None, "off the line");
        previous.back(Ply(1));
        previous.step(Ply(1), mv(2));
        assert_eq!(previous.move_at(Ply(2)), Some(mv(3)));
        previous.back(Ply(1));
        previous.back(Ply(0));
        assert_eq!(previous.move_at(Ply(0)), Some(mv(1)));
        assert_eq!(
            previous.move_at(Ply(1)),
            None,
            "a later sibling at the root is not on the line"
        );
    }
}
