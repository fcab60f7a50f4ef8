//! Perception of a limited level: a noisy evaluation with fewer terms, and moves that it overlooks.
//!
//! Errors of the evaluation are functions of the position, the game and the level. Within a game, a level therefore
//! evaluates a position the same way in every line and in every search, and two games differ. They are larger where
//! people err more: the noise grows with the number of pieces, and moves are overlooked more often if they are quiet,
//! long or backward or lie deep in the tree.
//!
//! The probability that a move is overlooked also depends on its distance from the root and on the move before it,
//! because recaptures are hardly overlooked. The random number belongs to position, move and game alone: a move that is
//! seen far from the root is seen near it, too. Lines that reach a position in different ways share its table entry,
//! and so what the first of them saw.

use crate::board::{Board, see_value};
use crate::eval::{EngineEvaluator, Evaluation, Evaluator};
use crate::types::{Color, Move, PieceKind, Score, Square};

use super::level::Level;
use super::random::{mix, nearly_normal, uniform};

/// Difference of hashes of the same position for different purposes.
const STRUCTURE_SALT: u64 = 0x51;
/// Salt of the moves that are overlooked.
const MOVE_SALT: u64 = 0x52;

/// Share of the variance of the noise that belongs to the pawn structure, and is the same in all its positions.
const STRUCTURE_SHARE: f64 = 0.3;

/// Weight of the pieces on the board at the start, by [`noise_weight`].
const START_WEIGHT: f64 = 30.0;

/// The evaluation of a limited level.
pub(in crate::search) struct Perception {
    /// The evaluation function of the settings.
    full: EngineEvaluator,
    level: Level,
    /// Seed of the game.
    seed: u64,
    /// Target square of the last move at the root.
    root_target: Option<Square>,
    /// Target squares of the moves of the line.
    targets: Vec<Option<Square>>,
    /// Set in an ending that the level plays without errors.
    is_mastered: bool,
}

impl Perception {
    /// Creates the perception of a level; [`Perception::adjust`] sets the level.
    pub fn new(evaluation: &Evaluation) -> Perception {
        Perception {
            full: EngineEvaluator::new(evaluation),
            level: Level::of(0),
            seed: 0,
            root_target: None,
            targets: Vec::new(),
            is_mastered: false,
        }
    }

    /// Prepares for a search at this level. `seed` is that of the game.
    pub fn adjust(&mut self, level: Level, seed: u64, root_target: Option<Square>, board: &Board) {
        self.level = level;
        self.seed = mix(seed, u64::from(level.elo));
        self.root_target = root_target;
        self.targets.clear();
        self.is_mastered = masters(&level, board);
    }

    /// Returns the probability that a move of the side to move is overlooked. The side to move may be in check only at
    /// the root.
    fn blindness(&self, board: &Board, mv: Move) -> f64 {
        let ply = self.targets.len();
        let last_target = self.targets.last().copied().unwrap_or(self.root_target);
        if mv.is_capture() && last_target == Some(mv.to()) {
            return if self.level.sees_mate_in_one() {
                0.0
            } else {
                self.level.blindness * 0.1
            };
        }
        let by_kind = if mv.is_castle() || mv.promotion() == Some(PieceKind::Queen) {
            0.15
        } else if mv.is_capture() {
            let value = |square| {
                board
                    .piece_on(square)
                    .map_or(see_value(PieceKind::Pawn), |piece| see_value(piece.kind))
            };
            if value(mv.to()) > value(mv.from()) {
                0.25
            } else {
                0.45
            }
        } else if board.gives_direct_check(mv) {
            0.6
        } else {
            1.0
        };
        let distance = mv.from().distance(mv.to());
        let us = board.side_to_move();
        let rank = |square: Square| square.relative_to(us).rank().index();
        let by_geometry = if distance >= 4 { 1.25 } else { 1.0 }
            * if rank(mv.to()) < rank(mv.from()) {
                1.25
            } else {
                1.0
            };
        let by_ply = match ply {
            0 => 0.35,
            1 => 0.6,
            2 => 0.8,
            3 => 1.0,
            _ => 1.15,
        };
        (self.level.blindness * by_kind * by_geometry * by_ply).min(0.95)
    }

    /// Returns the noise of the evaluation of a position for its side to move, in centipawns.
    fn noise(&self, board: &Board) -> f64 {
        let of_position = nearly_normal(mix(self.seed, board.key().0));
        let of_structure = nearly_normal(mix(self.seed ^ STRUCTURE_SALT, board.pawn_key().0));
        let for_mover = match board.side_to_move() {
            Color::White => of_structure,
            Color::Black => -of_structure,
        };
        let unit =
            (1.0 - STRUCTURE_SHARE).sqrt() * of_position + STRUCTURE_SHARE.sqrt() * for_mover;
        let complexity = (0.4 + 0.6 * noise_weight(board) / START_WEIGHT).min(1.2);
        self.level.noise * complexity * unit
    }
}

impl Evaluator for Perception {
    fn evaluate(&mut self, board: &Board) -> Score {
        if self.is_mastered {
            return self.full.evaluate(board);
        }
        let eval_share = if masters(&self.level, board) {
            1.0
        } else {
            self.level.eval_share
        };
        let mut score = 0.0;
        if eval_share > 0.0 {
            score += eval_share * f64::from(self.full.evaluate(board).0);
        }
        if eval_share < 1.0 {
            score += (1.0 - eval_share) * f64::from(simple_evaluation(board));
        }
        Score((score + self.noise(board)) as i32).clamp_to_eval()
    }

    fn reset(&mut self, board: &Board) {
        self.targets.clear();
        self.full.reset(board);
    }

    fn push(&mut self, before: &Board, mv: Move) {
        self.targets.push(Some(mv.to()));
        self.full.push(before, mv);
    }

    fn push_null(&mut self, before: &Board) {
        self.targets.push(None);
        self.full.push_null(before);
    }

    fn pop(&mut self) {
        self.targets.pop();
        self.full.pop();
    }

    fn overlooks(&self, board: &Board, mv: Move) -> bool {
        if self.is_mastered || self.level.blindness == 0.0 {
            return false;
        }
        let hash = mix(
            self.seed ^ MOVE_SALT,
            board.key().0.wrapping_add(u64::from(mv.bits()) << 40),
        );
        uniform(hash) < self.blindness(board, mv)
    }
}

/// Returns `true` if a level plays this ending without errors: one against a bare king.
pub(super) fn masters(level: &Level, board: &Board) -> bool {
    let has = |kind| Color::ALL.iter().any(|&color| board.count(color, kind) > 0);
    let has_minors_only = !has(PieceKind::Pawn) && !has(PieceKind::Rook) && !has(PieceKind::Queen);
    board.has_bare_king() && level.masters_bare_king(has_minors_only)
}

/// Returns a weight of the pieces on the board: 2 for a queen, 1 for a pawn and for any other piece but the king.
fn noise_weight(board: &Board) -> f64 {
    let queens: usize = Color::ALL
        .iter()
        .map(|&color| board.count(color, PieceKind::Queen))
        .sum();
    (board.occupancy() + queens).saturating_sub(2) as f64
}

/// Returns an evaluation for the side to move by material and by squares: what a beginner learns first.
fn simple_evaluation(board: &Board) -> i32 {
    let of = |color: Color| -> i32 {
        PieceKind::ALL
            .iter()
            .flat_map(|&kind| board.pieces(color, kind).map(move |square| (kind, square)))
            .map(|(kind, square)| simple_value(kind, square.relative_to(color)))
            .sum()
    };
    let us = board.side_to_move();
    of(us) - of(!us)
}

/// Returns the value of a piece on a square, seen from its side.
fn simple_value(kind: PieceKind, square: Square) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    // 0 at the edge to 3 in the centre.
    let centre = |index: i32| index.min(7 - index);
    let central = centre(file).min(centre(rank));
    match kind {
        PieceKind::Pawn => 100 + 4 * (rank - 1) + if rank >= 2 { 3 * centre(file) } else { 0 },
        PieceKind::Knight | PieceKind::Bishop => 310 + 10 * central + 4 * rank.min(3),
        PieceKind::Rook => 500 + if rank == 6 { 15 } else { 0 },
        PieceKind::Queen => 920 + 3 * central,
        PieceKind::King => -8 * rank.min(3),
    }
}

#[cfg(test)]
mod tests;
