//! The positions of the book with the moves between them.

use std::collections::{BTreeSet, HashMap};

use gaur::board::Board;
use gaur::book::polyglot_key;
use gaur::types::{Color, Key, Move, Score};

use super::analysis::{AnalysisFile, Request};
use super::lines::Line;
use super::soundness::is_sound;

/// Centipawns that halve the weight of a move in the book.
const HALVING: f64 = 8.0;

/// Centipawns that halve the share of a move in the search for further moves, which prefers better moves.
const SEARCH_HALVING: f64 = 6.0;

/// Share of the games from which on a position gets further moves, if one move has a larger share than [`MAX_SHARE`].
const FREQUENT: f64 = 0.003;

/// Largest share of a move in a frequent position for which no further move is searched.
const MAX_SHARE: f64 = 0.5;

/// Number of moves of a position from which on no further move is searched.
const MAX_MOVES: usize = 8;

/// Centipawns that a further move may lose against the best one in a search of the same position.
const ALTERNATIVE_MARGIN: i32 = 12;

/// Positions of the opening lines and of Gaur's best moves, each once.
pub(super) struct Tree {
    /// The start position is the first node.
    nodes: Vec<Node>,
    numbers: HashMap<Key, usize>,
}

/// A position of the tree.
pub(super) struct Node {
    board: Board,
    /// Number of half-moves of the shortest line to the position.
    ply: u32,
    /// Number of opening lines that the position is in.
    lines: u32,
    /// Moves to other positions, to each of which the shortest line is one half-move longer. Longer ways to a position
    /// lose a move and may repeat it.
    moves: Vec<(Move, usize)>,
    /// Keys of the position in the book. There are two if it arises with and without a pawn that cannot be captured en
    /// passant because of a pin.
    keys: Vec<u64>,
    /// Set if the best move of the search leads out of the tree.
    lacks_best: bool,
    /// Score for the side to move.
    score: Score,
    /// For each side, whether it reaches the position with sound moves, whatever moves of the tree the other one plays.
    reached_by: [bool; 2],
    /// Share of the games in which the position occurs, if both sides play moves of the book by their weights.
    share: f64,
}

/// A move of a position with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoredMove {
    pub mv: Move,
    /// Score for the side that moves.
    pub score: Score,
    /// Weight of the move in the book.
    pub weight: f64,
    /// Share of the move in its position, for the search for further moves.
    share: f64,
    /// Number of the position after the move.
    to: usize,
}

impl Tree {
    /// Creates the tree of these lines.
    pub(super) fn new(lines: &[Line]) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            numbers: HashMap::new(),
        };
        for line in lines {
            let mut board = Board::standard();
            let start = tree.add(&board, 0);
            tree.nodes[start].lines += 1;
            for (ply, &mv) in (1..).zip(line) {
                let _ = board.make(mv);
                let number = tree.add(&board, ply);
                tree.nodes[number].lines += 1;
            }
        }
        tree
    }

    /// Adds a position, or a shorter way to it. Returns its number.
    fn add(&mut self, board: &Board, ply: u32) -> usize {
        let number = *self.numbers.entry(board.key()).or_insert(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(number) {
            node.ply = node.ply.min(ply);
            return number;
        }
        self.nodes.push(Node {
            board: board.clone(),
            ply,
            lines: 0,
            moves: Vec::new(),
            keys: Vec::new(),
            lacks_best: true,
            score: Score::DRAW,
            reached_by: [false; 2],
            share: 0.0,
        });
        number
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the score of the start position for White.
    pub(super) fn start_score(&self) -> Score {
        self.nodes[0].score
    }

    /// Returns the positions that have no analysis.
    pub(super) fn without_analysis(&self, analysis: &AnalysisFile) -> Vec<Request> {
        let boards = self.nodes.iter().map(|node| &node.board);
        boards
            .filter(|board| analysis.get(board).is_none())
            .map(Request::all_moves)
            .collect()
    }

    /// Finds all moves between the positions, then calculates the scores and which positions are reached. All positions
    /// have an analysis.
    pub(super) fn update(&mut self, analysis: &AnalysisFile) {
        let mut by_ply: Vec<usize> = (0..self.nodes.len()).collect();
        by_ply.sort_by_key(|&number| self.nodes[number].ply);
        for number in 0..self.nodes.len() {
            self.nodes[number].moves = self.moves_from(&self.nodes[number]);
        }
        self.update_keys();
        for &number in by_ply.iter().rev() {
            self.update_score(number, analysis);
        }
        self.update_reached(&by_ply);
    }

    fn update_keys(&mut self) {
        let start = polyglot_key(&self.nodes[0].board, None);
        let moves = self.nodes.iter().flat_map(|node| node.moves.iter());
        let keys = moves.map(|&(mv, to)| (to, polyglot_key(&self.nodes[to].board, Some(mv))));
        let keys: BTreeSet<(usize, u64)> = keys.chain([(0, start)]).collect();
        for node in &mut self.nodes {
            node.keys.clear();
        }
        for (number, key) in keys {
            self.nodes[number].keys.push(key);
        }
    }

    fn moves_from(&self, node: &Node) -> Vec<(Move, usize)> {
        let mut board = node.board.clone();
        let mut moves = Vec::new();
        for mv in node.board.legal_moves() {
            let undo = board.make(mv);
            let to = self.numbers.get(&board.key()).copied();
            board.unmake(mv, undo);
            moves.extend(
                to.filter(|&to| self.nodes[to].ply > node.ply)
                    .map(|to| (mv, to)),
            );
        }
        moves
    }

    /// Sets the score of a position: the best one of its moves, and of the search if its best move is not among them.
    fn update_score(&mut self, number: usize, analysis: &AnalysisFile) {
        let node = &self.nodes[number];
        let searched = analysis.get(&node.board);
        let best = searched.and_then(|searched| searched.best);
        let lacks_best = !node.moves.iter().any(|&(mv, _)| Some(mv) == best);
        let mut score = match (lacks_best, searched) {
            (true, Some(searched)) => searched.score,
            _ => -Score::INFINITE,
        };
        for &(_, to) in &node.moves {
            score = score.max(-self.nodes[to].score);
        }
        let node = &mut self.nodes[number];
        (node.lacks_best, node.score) = (lacks_best, score);
    }

    fn update_reached(&mut self, by_ply: &[usize]) {
        for node in &mut self.nodes {
            (node.reached_by, node.share) = ([false; 2], 0.0);
        }
        (self.nodes[0].reached_by, self.nodes[0].share) = ([true; 2], 1.0);
        for &number in by_ply {
            let node = &self.nodes[number];
            let (us, reached_by, share) = (node.board.side_to_move(), node.reached_by, node.share);
            let all: Vec<usize> = node.moves.iter().map(|&(_, to)| to).collect();
            for to in all {
                self.nodes[to].reached_by[(!us).index()] |= reached_by[(!us).index()];
            }
            for scored in self.sound_moves(&self.nodes[number]) {
                let after = &mut self.nodes[scored.to];
                after.reached_by[us.index()] |= reached_by[us.index()];
                after.share += share * scored.share;
            }
        }
    }

    /// Returns the sound moves of a position, the one with the largest share first.
    ///
    /// The weight of a move halves with each [`HALVING`] centipawns that it loses, and grows with the square root of
    /// the number of opening lines that it leads to: main lines have more variations than rare ones.
    pub(super) fn sound_moves(&self, node: &Node) -> Vec<ScoredMove> {
        let start = match node.board.side_to_move() {
            Color::White => self.start_score(),
            Color::Black => -self.start_score(),
        };
        let mut moves: Vec<ScoredMove> = node
            .moves
            .iter()
            .map(|&(mv, to)| ScoredMove {
                mv,
                score: -self.nodes[to].score,
                weight: self.weight(node, to, HALVING),
                share: self.weight(node, to, SEARCH_HALVING),
                to,
            })
            .filter(|scored| is_sound(scored.score, node.score, start))
            .collect();
        let sum: f64 = moves.iter().map(|scored| scored.share).sum();
        for scored in &mut moves {
            scored.share /= sum;
        }
        moves.sort_by(|one, other| other.share.total_cmp(&one.share));
        moves
    }

    /// Returns the weight of the move to a position, which halves with each `halving` centipawns that it loses.
    fn weight(&self, node: &Node, to: usize, halving: f64) -> f64 {
        let after = &self.nodes[to];
        let loss = f64::from(node.score.0 + after.score.0);
        f64::from(1 + after.lines).sqrt() * (-loss / halving).exp2()
    }

    /// Returns the keys of the positions in which the book has moves, with these moves. The side to move has reached
    /// the position with sound moves.
    pub(super) fn book_positions(&self) -> impl Iterator<Item = (&[u64], Vec<ScoredMove>)> {
        self.nodes
            .iter()
            .filter(|node| node.reached_by[node.board.side_to_move().index()])
            .map(|node| (node.keys.as_slice(), self.sound_moves(node)))
    }

    /// Adds the positions after the best moves of the search where they are needed. Returns `false` if there are none.
    ///
    /// Within the lines, the best move of every position that a side reaches is needed as a measure of the other moves.
    /// At the end of a line it is needed as an answer to a move of the opponent, and to extend lines of sound moves to
    /// `plies` half-moves.
    pub(super) fn extend(&mut self, analysis: &AnalysisFile, plies: u32) -> bool {
        let mut added = Vec::new();
        for node in self.nodes.iter().filter(|node| node.lacks_best) {
            let [white, black] = node.reached_by;
            let is_needed = if node.moves.is_empty() {
                let is_answer = node.reached_by[node.board.side_to_move().index()];
                node.ply < plies && (node.share > 0.0 || node.lines > 0 && is_answer)
            } else {
                white || black
            };
            let best = analysis.get(&node.board).and_then(|searched| searched.best);
            let Some(mv) = best.filter(|_| is_needed) else {
                continue;
            };
            let mut board = node.board.clone();
            let _ = board.make(mv);
            // A position that exists already is one that the move would repeat, or that it reaches by a longer way.
            if !self.numbers.contains_key(&board.key()) {
                added.push((board, node.ply + 1));
            }
        }
        for (board, ply) in &added {
            self.add(board, *ply);
        }
        !added.is_empty()
    }

    /// Returns searches for other moves in the positions that many games reach and where one move is played in most of
    /// them. Only the first `plies` half-moves count.
    pub(super) fn without_choice(&self, plies: u32) -> Vec<Request> {
        let mut requests = Vec::new();
        for node in &self.nodes {
            let is_frequent = node.ply < plies && node.share >= FREQUENT;
            let may_grow = node.moves.len() < MAX_MOVES.min(node.board.legal_moves().len());
            let first = || self.sound_moves(node).first().copied();
            if is_frequent && may_grow && first().is_some_and(|first| first.share > MAX_SHARE) {
                let mut excluded: Vec<Move> = node.moves.iter().map(|&(mv, _)| mv).collect();
                excluded.sort_unstable_by_key(|mv| mv.bits());
                requests.push(Request {
                    board: node.board.clone(),
                    excluded,
                });
            }
        }
        requests
    }

    /// Adds the positions after the moves that these searches have found and that are nearly as good as the best move
    /// of their position. Returns `false` if there are none.
    pub(super) fn add_alternatives(
        &mut self,
        requests: &[Request],
        analysis: &AnalysisFile,
    ) -> bool {
        let old = self.nodes.len();
        for request in requests {
            let Some(number) = self.numbers.get(&request.board.key()) else {
                continue;
            };
            // Scores of searches of the same position are compared: those of later positions have another error.
            let (Some(all), Some(found)) = (analysis.get(&request.board), analysis.result(request))
            else {
                continue;
            };
            if found.score < all.score - ALTERNATIVE_MARGIN {
                continue;
            }
            let mut board = request.board.clone();
            if let Some(mv) = found.best {
                let _ = board.make(mv);
                let ply = self.nodes[*number].ply + 1;
                // The ply of a position that exists remains, so that it is on no longer way.
                if !self.numbers.contains_key(&board.key()) {
                    self.add(&board, ply);
                }
            }
        }
        self.nodes.len() > old
    }
}
