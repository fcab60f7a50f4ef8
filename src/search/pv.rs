//! Principal variations: the triangular table, and the last iteration's line.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move, Ply};

/// A line of play.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// For each ply the best line found from there on: row `ply` holds at most `MAX_PLY - ply` moves, hence the name
/// triangular.
#[derive(Debug)]
pub(super) struct PvTable {
    rows: Box<[Line]>,
}

impl PvTable {
    pub fn new() -> PvTable {
        PvTable {
            rows: (0..=MAX_PLY + 1).map(|_| Line::new()).collect(),
        }
    }

    /// No line is known yet from this ply on.
    #[inline]
    pub fn clear(&mut self, ply: Ply) {
        self.rows[ply.index()].clear();
    }

    /// The line from `ply` on is `mv` and what was best after it.
    pub fn update(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.rows.split_at_mut(ply.index() + 1);
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(mv);
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
    }

    /// The best line found from this ply on.
    pub fn line(&self, ply: Ply) -> &Line {
        &self.rows[ply.index()]
    }
}

/// The line of the last iteration, tried first in the next one as long as the search is on it, whether the table
/// still knows it or not. (Mediocre hands its line over like this.)
#[derive(Clone, Debug, Default)]
pub(super) struct PreviousLine {
    moves: Line,
    /// How many of its moves lead to the node being searched.
    followed: usize,
}

impl PreviousLine {
    /// A new iteration begins with this line.
    pub fn set(&mut self, line: &Line) {
        self.moves.clone_from(line);
        self.followed = 0;
    }

    /// The move to try first at `ply`, if the moves played so far are those of the line.
    #[inline]
    pub fn move_at(&self, ply: Ply) -> Option<Move> {
        if self.followed == ply.index() {
            self.moves.get(ply.index()).copied()
        } else {
            None
        }
    }

    /// `mv` is played at `ply`.
    #[inline]
    pub fn step(&mut self, ply: Ply, mv: Move) {
        if self.move_at(ply) == Some(mv) {
            self.followed += 1;
        }
    }

    /// The move played at `ply` is taken back.
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
    fn lines_grow_from_the_leaves() {
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
    fn the_previous_line_is_left_and_found_again() {
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
