//! The moves of the root, with what each iteration finds out about them.

use crate::messages::Bound;
use crate::types::{Move, Score};

use super::pv::Line;

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// From the running iteration; minus infinity where it was only shown to be no better than the best.
    pub score: Score,
    /// The meaning of `score`, or of `previous_score` where there is no other.
    pub bound: Bound,
    /// From the last finished iteration.
    pub previous_score: Score,
    /// The line it begins.
    pub line: Line,
    /// Nodes searched below it.
    pub nodes: u64,
}

/// The root moves, best first.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// How many at the front are already placed: the better variations of a multi-PV search.
    placed: usize,
}

impl RootMoves {
    /// Begins anew with these moves; the memory stays.
    pub fn refill(&mut self, moves: &[Move]) {
        self.moves.clear();
        self.moves.extend(moves.iter().map(|&mv| RootMove {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous_score: -Score::INFINITE,
            line: Line::from_iter([mv]),
            nodes: 0,
        }));
        self.placed = 0;
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Whether the best variation is being searched, not a later one of a multi-PV search.
    pub fn is_first_variation(&self) -> bool {
        self.placed == 0
    }

    /// The best move of all.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The move that leads the variation being searched.
    pub fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.placed)
    }

    /// Moves that are searched for the current variation, by number from 0.
    pub fn candidate(&self, number: usize) -> Option<Move> {
        self.moves
            .get(self.placed + number)
            .map(|root_move| root_move.mv)
    }

    /// Where the candidate `number` stands among all moves, 0 first.
    pub fn rank_of(&self, number: usize) -> usize {
        self.placed + number
    }

    /// A variation by rank, 0 the best.
    pub fn variation(&self, rank: usize) -> Option<&RootMove> {
        self.moves.get(rank)
    }

    /// Moves the candidate `number` to the place `to` before it; those between keep their order.
    pub fn bring_forward(&mut self, number: usize, to: usize) {
        self.moves[self.placed + to..=self.placed + number].rotate_right(1);
    }

    /// A new iteration begins.
    pub fn begin_iteration(&mut self) {
        self.placed = 0;
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
            root_move.score = -Score::INFINITE;
        }
    }

    /// The variations of the first `placed` ranks stand; the next is to be found.
    pub fn place(&mut self, placed: usize) {
        self.placed = placed;
    }

    /// So many more nodes were searched below the move `number`.
    pub fn add_nodes(&mut self, number: usize, nodes: u64) {
        if let Some(root_move) = self.moves.get_mut(self.placed + number) {
            root_move.nodes += nodes;
        }
    }

    /// The move `number` is the best so far: its score, with what that means, and the line after it.
    pub fn set_best(&mut self, number: usize, score: Score, bound: Bound, line: &Line) {
        if let Some(root_move) = self.moves.get_mut(self.placed + number) {
            root_move.score = score;
            root_move.bound = bound;
            root_move.line.clone_from(line);
        }
    }

    /// The move `number` was shown to be no better than the best.
    pub fn set_worse(&mut self, number: usize) {
        if let Some(root_move) = self.moves.get_mut(self.placed + number) {
            root_move.score = -Score::INFINITE;
        }
    }

    /// Brings the best of the moves not yet placed to their front; the others keep their order.
    pub fn sort(&mut self) {
        sort(&mut self.moves[self.placed..]);
    }

    /// Orders the placed variations among themselves.
    pub fn sort_placed(&mut self) {
        sort(&mut self.moves[..self.placed]);
    }
}

/// Best first; equal ones keep their order. Most have no score, and the library's sort would ask for memory.
fn sort(moves: &mut [RootMove]) {
    for unsorted in 1..moves.len() {
        let score = moves[unsorted].score;
        let place = moves[..unsorted].partition_point(|better| better.score >= score);
        moves[place..=unsorted].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn scores_of_the_last_iteration_do_not_outlive_it() {
        let mv = |to| {
            Move::new(
                Square::from_index(0),
                Square::from_index(to),
                MoveKind::Quiet,
            )
        };
        let mut root = RootMoves::default();
        root.refill(&[mv(1), mv(2)]);
        root.set_best(0, Score(10), Bound::Exact, &Line::from_iter([mv(1)]));
        root.set_best(1, Score(50), Bound::Exact, &Line::from_iter([mv(2)]));
        root.sort();
        root.begin_iteration();
        root.set_best(0, Score(-100), Bound::Exact, &Line::from_iter([mv(2)]));
        root.sort();
        let best = root.best().map(|best| (best.mv, best.previous_score));
        assert_eq!(
            best,
            Some((mv(2), Score(50))),
            "the other was not searched this time"
        );
    }

    #[test]
    fn the_best_comes_first_and_the_rest_keep_their_order() {
        let mv = |to| {
            Move::new(
                Square::from_index(0),
                Square::from_index(to),
                MoveKind::Quiet,
            )
        };
        let mut root = RootMoves::default();
        root.refill(&[mv(1), mv(2), mv(3), mv(4)]);
        root.begin_iteration();
        root.set_best(0, Score(10), Bound::Exact, &Line::from_iter([mv(1)]));
        root.set_worse(1);
        root.set_best(2, Score(30), Bound::Exact, &Line::from_iter([mv(3), mv(9)]));
        root.set_worse(3);
        root.sort();
        let order: Vec<_> = (0..4).filter_map(|number| root.candidate(number)).collect();
        assert_eq!(order, [mv(3), mv(1), mv(2), mv(4)]);
        root.place(1);
        assert_eq!(root.candidate(0), Some(mv(1)));
        assert_eq!(root.best().map(|best| best.line.len()), Some(2));
    }
}
