//! Root moves with their scores and lines.

use crate::messages::Bound;
use crate::types::{Move, Score};

use super::pv::Line;

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The move.
    pub mv: Move,
    /// Index of its group, 0 for the best ([`Job::root_groups`](super::job::Job::root_groups)).
    group: usize,
    /// Score of the current iteration; minus infinity if the move failed low or has not been searched.
    pub score: Score,
    /// Kind of `score`: exact, lower bound or upper bound. Until the iteration has a score, that of `previous_score`.
    pub bound: Bound,
    /// Score of the previous iteration.
    pub previous_score: Score,
    /// Line that begins with the move.
    pub line: Line,
    /// Nodes searched below the move in the whole job.
    pub nodes: u64,
}

/// The root moves, best first: by group, and within a group by score.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Number of moves at the front whose rank is final in this iteration: the lines of a multi-PV search that are
    /// finished.
    finished_lines: usize,
    /// End of the group of the first move without a final rank. Only moves before it are searched.
    group_end: usize,
}

impl RootMoves {
    /// Starts a search of these moves, which form groups of these sizes, best group first; moves beyond them form
    /// another one. Reuses the allocated memory.
    pub fn reset(&mut self, moves: &[Move], group_sizes: &[usize]) {
        let sizes = group_sizes.iter().enumerate();
        let groups = sizes.flat_map(|(group, &size)| std::iter::repeat_n(group, size));
        let groups = groups.chain(std::iter::repeat(group_sizes.len()));
        self.moves.clear();
        self.moves
            .extend(moves.iter().zip(groups).map(|(&mv, group)| RootMove {
                mv,
                group,
                score: -Score::INFINITE,
                bound: Bound::Exact,
                previous_score: -Score::INFINITE,
                line: Line::from_iter([mv]),
                nodes: 0,
            }));
        self.set_finished_lines(0);
    }

    /// Returns the number of root moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns `true` if there is no root move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns `true` while the best line is searched, not a later one of a multi-PV search.
    pub fn is_first_line(&self) -> bool {
        self.finished_lines == 0
    }

    /// Returns the best move.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// Returns the best move of the line that is being searched: the first without a final rank.
    pub fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.finished_lines)
    }

    /// Returns the move with this index among those that are searched, 0 for the first: those without a final rank in
    /// the best group that has any.
    pub fn move_at(&self, index: usize) -> Option<Move> {
        self.moves[..self.group_end]
            .get(self.finished_lines + index)
            .map(|root_move| root_move.mv)
    }

    /// Returns the rank among all moves of the move with this index, 0 for the first.
    pub fn rank_of(&self, index: usize) -> usize {
        self.finished_lines + index
    }

    /// Returns the move of this rank, 0 for the best.
    pub fn move_of_rank(&self, rank: usize) -> Option<&RootMove> {
        self.moves.get(rank)
    }

    /// Returns the moves whose rank is final in this iteration, best first.
    pub fn finished_lines(&self) -> &[RootMove] {
        self.moves.get(..self.finished_lines).unwrap_or_default()
    }

    /// Moves the move with this index forward to the index `to`. Those between keep their order.
    pub fn bring_forward(&mut self, index: usize, to: usize) {
        self.moves[self.finished_lines + to..=self.finished_lines + index].rotate_right(1);
    }

    /// Starts an iteration: scores become previous scores.
    pub fn start_iteration(&mut self) {
        self.set_finished_lines(0);
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
            root_move.score = -Score::INFINITE;
        }
    }

    /// Sets the number of moves at the front whose rank is final.
    pub fn set_finished_lines(&mut self, finished_lines: usize) {
        self.finished_lines = finished_lines;
        let unfinished = self.moves.get(finished_lines..).unwrap_or_default();
        let group = unfinished.first().map(|leader| leader.group);
        let size = unfinished.partition_point(|root_move| Some(root_move.group) <= group);
        self.group_end = finished_lines + size;
    }

    /// Adds to the nodes searched below the move with this index.
    pub fn add_nodes(&mut self, index: usize, nodes: u64) {
        if let Some(root_move) = self.moves.get_mut(self.finished_lines + index) {
            root_move.nodes += nodes;
        }
    }

    /// Records the move with this index as best so far, with its score, bound and line.
    pub fn set_best(&mut self, index: usize, score: Score, bound: Bound, line: &Line) {
        if let Some(root_move) = self.moves.get_mut(self.finished_lines + index) {
            root_move.score = score;
            root_move.bound = bound;
            root_move.line.clone_from(line);
        }
    }

    /// Records that the move with this index is no better than the best.
    pub fn set_worse(&mut self, index: usize) {
        if let Some(root_move) = self.moves.get_mut(self.finished_lines + index) {
            root_move.score = -Score::INFINITE;
        }
    }

    /// Sorts the moves that are searched by score. Moves with equal scores keep their order.
    pub fn sort(&mut self) {
        sort(&mut self.moves[self.finished_lines..self.group_end]);
    }

    /// Sorts the moves with a final rank by group and score.
    pub fn sort_finished_lines(&mut self) {
        sort(&mut self.moves[..self.finished_lines]);
    }
}

/// Sorts by group and score, best first. Moves with equal scores keep their order. Most moves have no score, so
/// insertion sort is fast; the stable sort of the standard library would allocate memory.
fn sort(moves: &mut [RootMove]) {
    for unsorted in 1..moves.len() {
        let RootMove { group, score, .. } = moves[unsorted];
        let target = moves[..unsorted].partition_point(|better| {
            better.group < group || better.group == group && better.score >= score
        });
        moves[target..=unsorted].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    /// Returns a move to the square with this index.
    fn mv(to: usize) -> Move {
        Move::new(
            Square::from_index(0),
            Square::from_index(to),
            MoveKind::Quiet,
        )
    }

    #[test]
    fn scores_last_for_one_iteration() {
        let mut root = RootMoves::default();
        root.reset(&[mv(1), mv(2)], &[]);
        root.set_best(0, Score(10), Bound::Exact, &Line::from_iter([mv(1)]));
        root.set_best(1, Score(50), Bound::Exact, &Line::from_iter([mv(2)]));
        root.sort();
        root.start_iteration();
        root.set_best(0, Score(-100), Bound::Exact, &Line::from_iter([mv(2)]));
        root.sort();
        let best = root.best().map(|best| (best.mv, best.previous_score));
        assert_eq!(
            best,
            Some((mv(2), Score(50))),
            "the other has no score in this iteration"
        );
    }

    #[test]
    fn sorting_puts_the_best_first_and_keeps_the_order_of_the_rest() {
        let mut root = RootMoves::default();
        root.reset(&[mv(1), mv(2), mv(3), mv(4)], &[]);
        root.start_iteration();
        root.set_best(0, Score(10), Bound::Exact, &Line::from_iter([mv(1)]));
        root.set_worse(1);
        root.set_best(2, Score(30), Bound::Exact, &Line::from_iter([mv(3), mv(9)]));
        root.set_worse(3);
        root.sort();
        let order: Vec<_> = (0..4).filter_map(|index| root.move_at(index)).collect();
        assert_eq!(order, [mv(3), mv(1), mv(2), mv(4)]);
        root.set_finished_lines(1);
        assert_eq!(root.move_at(0), Some(mv(1)));
        assert_eq!(root.best().map(|best| best.line.len()), Some(2));
    }

    #[test]
    fn a_move_of_a_later_group_is_not_searched_before_the_earlier_ones_are_final() {
        let mut root = RootMoves::default();
        root.reset(&[mv(1), mv(2), mv(3), mv(4)], &[2, 1]);
        let searched = |root: &RootMoves| (0..4).filter_map(|index| root.move_at(index)).collect();
        let line = |to| Line::from_iter([mv(to)]);
        root.start_iteration();
        let found: Vec<_> = searched(&root);
        assert_eq!(found, [mv(1), mv(2)]);
        root.set_best(1, Score(-50), Bound::Exact, &line(2));
        root.sort();
        root.set_finished_lines(1);
        let found: Vec<_> = searched(&root);
        assert_eq!(found, [mv(1)]);
        root.set_best(0, Score(-70), Bound::Exact, &line(1));
        root.set_finished_lines(2);
        let found: Vec<_> = searched(&root);
        assert_eq!(found, [mv(3)]);
        root.set_best(0, Score(90), Bound::Exact, &line(3));
        root.sort();
        root.set_finished_lines(3);
        root.sort_finished_lines();
        let found: Vec<_> = searched(&root);
        assert_eq!(found, [mv(4)]);
        let ranks: Vec<_> = (0..4).filter_map(|rank| root.move_of_rank(rank)).collect();
        let moves: Vec<_> = ranks.iter().map(|ranked| ranked.mv).collect();
        assert_eq!(moves, [mv(2), mv(1), mv(3), mv(4)]);
    }
}
