//! Move picker: returns the moves of a node in stages, those likely to cause a cutoff first.
//!
//! Noisy moves are captures and promotions; the capture stages include promotions.
//!
//! Order: table move, good captures, killer moves, quiet moves, bad captures, quiet moves with a very low score (as in
//! Stockfish). With the parameter `bad_captures_last` off, bad captures come directly after the killer moves (as in
//! ice). Moves are generated when their stage is reached, and the best one of a stage is selected when it is requested,
//! because most nodes need only a few moves (Winglet).

use crate::board::{Board, CheckInfo, MoveFilter, see_value};
use crate::config::Parameters;
use crate::types::{Move, MoveList, PieceKind};

use super::history::{Histories, HistoryContext};
use super::scored::{MoveFlags, ScoredList, ScoredMove};
use super::statistics::MoveClass;
use super::table::Table;

/// Units of a capture's sort key per centipawn of its value.
const SORT_KEY_PER_VALUE: i32 = 16;

/// Units of a capture's sort key per centipawn that it may lose by SEE and still be a good capture. A key of
/// [`SORT_KEY_PER_VALUE`] times the victim thus permits a loss of a quarter of the victim.
const SORT_KEY_PER_LOSS: i32 = 64;

/// Centipawns that a quiet move may lose by SEE and still count as a safe check.
const SAFE_CHECK_LOSS: i32 = 75;

/// A move returned by the picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picked {
    /// The move.
    pub mv: Move,
    /// Class by which it was ordered.
    pub class: MoveClass,
    /// History score; 0 if the caller does not use it.
    pub history_score: i32,
    /// Set for a quiet move that gives direct check; unset if the caller does not use it.
    pub gives_direct_check: bool,
}

impl Picked {
    /// Returns a quiet move of the scored list.
    #[inline]
    fn quiet(scored: ScoredMove, parameters: &Parameters) -> Picked {
        let bonus = i32::from(scored.flags.gives_safe_check) * parameters.check_bonus();
        Picked {
            mv: scored.mv,
            class: MoveClass::Quiet,
            history_score: scored.score - bonus,
            gives_direct_check: scored.flags.gives_direct_check,
        }
    }

    /// Returns a move without its history score: the table move or that of the principal variation, which is first and
    /// has the score 0 in the formula of the reduction, too, as games have tested it; or a move of quiescence search or
    /// ProbCut.
    pub fn unscored(mv: Move, class: MoveClass) -> Picked {
        Picked {
            mv,
            class,
            history_score: 0,
            gives_direct_check: false,
        }
    }

    /// Returns a capture or promotion with its history score.
    fn capture(mv: Move, class: MoveClass, board: &Board, histories: &Histories) -> Picked {
        Picked {
            mv,
            class,
            history_score: histories.capture_score(board, mv),
            gives_direct_check: false,
        }
    }

    /// Returns a move of any kind with its history score.
    pub fn scored(
        mv: Move,
        class: MoveClass,
        context: &HistoryContext,
        board: &Board,
        histories: &Histories,
        parameters: &Parameters,
    ) -> Picked {
        Picked {
            mv,
            class,
            history_score: histories.history_score(board, context, mv, parameters),
            gives_direct_check: !mv.is_noisy() && board.gives_direct_check(mv),
        }
    }
}

/// A stage of the picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodCaptures,
    NewestKiller,
    OlderKiller,
    BadCapturesEarly,
    GenerateQuiets,
    GoodQuiets,
    BadCapturesLate,
    BadQuiets,
    Done,
}

/// The moves that a picker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// All legal moves.
    All,
    /// Noisy moves that win at least this number of centipawns by SEE.
    Noisy(i32),
}

/// Returns the legal moves of one node, each once. Holds no references; [`Picker::next`] borrows board and tables.
pub(super) struct Picker {
    stage: Stage,
    scope: Scope,
    check_info: CheckInfo,
    context: HistoryContext,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// Set if no more quiet moves are to be returned.
    skips_quiets: bool,
    /// Set if no more quiet moves without direct check are to be returned.
    skips_quiets_without_check: bool,
    /// Set if quiet checks are to be returned after noisy moves.
    adds_quiet_checks: bool,
    moves: ScoredList,
    bad_captures: MoveList,
    /// Number of bad captures that have been returned.
    bad_captures_returned: usize,
}

impl Picker {
    /// Creates a picker of all legal moves. Table move and killer moves may be illegal; the picker checks them.
    pub fn all(
        check_info: CheckInfo,
        context: HistoryContext,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        Picker::new(Scope::All, check_info, context, table_move, killers)
    }

    /// Creates a picker of the noisy moves that win at least `threshold` centipawns by SEE. A legal noisy table
    /// move is returned in any case.
    pub fn noisy(
        check_info: CheckInfo,
        context: HistoryContext,
        table_move: Option<Move>,
        threshold: i32,
    ) -> Picker {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        let scope = Scope::Noisy(threshold);
        Picker::new(scope, check_info, context, table_move, [None; 2])
    }

    /// Adds the quiet moves that give direct check, after the noisy moves.
    pub fn with_quiet_checks(self) -> Picker {
        Picker {
            skips_quiets_without_check: true,
            adds_quiet_checks: true,
            ..self
        }
    }

    /// Creates a picker at its first stage.
    fn new(
        scope: Scope,
        check_info: CheckInfo,
        context: HistoryContext,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        Picker {
            stage: Stage::TableMove,
            scope,
            check_info,
            context,
            table_move,
            killers,
            skips_quiets: false,
            skips_quiets_without_check: false,
            adds_quiet_checks: false,
            moves: ScoredList::default(),
            bad_captures: MoveList::new(),
            bad_captures_returned: 0,
        }
    }

    /// Returns the context of history scores.
    pub fn context(&self) -> &HistoryContext {
        &self.context
    }

    /// Skips all quiet moves from now on.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Skips all quiet moves that give no direct check from now on.
    #[inline]
    pub fn skip_quiets_without_check(&mut self) {
        let has_quiets = matches!(
            self.stage,
            Stage::GoodQuiets | Stage::BadCapturesLate | Stage::BadQuiets
        );
        if !self.skips_quiets_without_check && has_quiets {
            self.moves.keep_scored(|flags| flags.gives_direct_check);
        }
        self.skips_quiets_without_check = true;
    }

    /// Returns the next move, or `None` after the last. `table` is used to prefetch entries only.
    #[inline]
    pub fn next(
        &mut self,
        board: &Board,
        histories: &Histories,
        parameters: &Parameters,
        table: &Table,
    ) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.table_move = self
                        .table_move
                        .filter(|&mv| board.is_legal_with(&self.check_info, mv));
                    if let Some(mv) = self.table_move {
                        return Some(Picked::unscored(mv, MoveClass::TableMove));
                    }
                }
                Stage::GenerateNoisy => {
                    self.stage = Stage::GoodCaptures;
                    self.generate_noisy(board, histories);
                }
                Stage::GoodCaptures => match self.moves.take_best() {
                    Some(ScoredMove { mv, score, .. }) => {
                        // SEE takes about as long as fetching the table entry of the new position.
                        table.prefetch(board.approximate_key_after(mv));
                        if self.is_good_capture(board, mv, score) {
                            let class = MoveClass::GoodCapture;
                            return Some(if self.scope == Scope::All {
                                Picked::capture(mv, class, board, histories)
                            } else {
                                Picked::unscored(mv, class)
                            });
                        }
                    }
                    None => self.stage = self.after_good_captures(),
                },
                Stage::NewestKiller => {
                    self.stage = Stage::OlderKiller;
                    if let Some(mv) = self.legal_killer(board, 0) {
                        return Some(self.killer(mv, board, histories, parameters));
                    }
                }
                Stage::OlderKiller => {
                    self.stage = if parameters.bad_captures_last() {
                        Stage::GenerateQuiets
                    } else {
                        Stage::BadCapturesEarly
                    };
                    if let Some(mv) = self.legal_killer(board, 1) {
                        return Some(self.killer(mv, board, histories, parameters));
                    }
                }
                Stage::BadCapturesEarly | Stage::BadCapturesLate => {
                    if let Some(mv) = self.bad_captures.get(self.bad_captures_returned).copied() {
                        self.bad_captures_returned += 1;
                        let class = MoveClass::BadCapture;
                        return Some(Picked::capture(mv, class, board, histories));
                    }
                    self.stage = match self.stage {
                        Stage::BadCapturesEarly => Stage::GenerateQuiets,
                        _ => Stage::BadQuiets,
                    };
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::GoodQuiets;
                    self.moves.clear();
                    if !self.skips_quiets {
                        self.generate_quiets(board, histories, parameters);
                    }
                }
                Stage::GoodQuiets | Stage::BadQuiets => match self.next_quiet(parameters) {
                    Some(scored) => {
                        if !self.was_returned(scored.mv) {
                            // The entry arrives while the search decides whether to prune the move.
                            table.prefetch(board.approximate_key_after(scored.mv));
                            return Some(Picked::quiet(scored, parameters));
                        }
                    }
                    None => {
                        self.stage = match (self.scope, self.stage) {
                            // If the bad captures came early, none are left.
                            (Scope::All, Stage::GoodQuiets) => Stage::BadCapturesLate,
                            _ => Stage::Done,
                        }
                    }
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the next quiet move of the stage, if quiet moves are not skipped.
    #[inline]
    fn next_quiet(&mut self, parameters: &Parameters) -> Option<ScoredMove> {
        if self.skips_quiets {
            return None;
        }
        if !parameters.history() {
            return self.moves.take_first();
        }
        match (self.scope, self.stage) {
            (Scope::All, Stage::GoodQuiets) => {
                self.moves.take_best_from(-parameters.bad_quiet_score())
            }
            _ => self.moves.take_best(),
        }
    }

    /// Returns a killer move with its history score.
    fn killer(
        &self,
        mv: Move,
        board: &Board,
        histories: &Histories,
        parameters: &Parameters,
    ) -> Picked {
        let class = MoveClass::Killer;
        Picked::scored(mv, class, &self.context, board, histories, parameters)
    }

    /// Returns the stage after the good captures.
    #[inline]
    fn after_good_captures(&self) -> Stage {
        match self.scope {
            Scope::All if self.skips_quiets => Stage::BadCapturesLate,
            Scope::All => Stage::NewestKiller,
            Scope::Noisy(_) if self.adds_quiet_checks => Stage::GenerateQuiets,
            Scope::Noisy(_) => Stage::Done,
        }
    }

    /// Returns `true` if a quiet move has been returned as table move or killer move. Killer moves that are not legal
    /// have been replaced by `None`.
    #[inline]
    fn was_returned(&self, mv: Move) -> bool {
        Some(mv) == self.table_move || self.killers.contains(&Some(mv))
    }

    /// Returns a killer move unless it is skipped, and replaces it by `None` if it is not a legal quiet move.
    fn legal_killer(&mut self, board: &Board, index: usize) -> Option<Move> {
        let is_usable = |mv: &Move| {
            !mv.is_noisy()
                && Some(*mv) != self.table_move
                && board.is_legal_with(&self.check_info, *mv)
        };
        self.killers[index] = self.killers[index].filter(is_usable);
        self.killers[index].filter(|&mv| {
            !self.skips_quiets && (!self.skips_quiets_without_check || board.gives_direct_check(mv))
        })
    }

    /// Returns `true` if a noisy move is a good capture. Any other, except the table move, becomes a bad capture.
    #[inline]
    fn is_good_capture(&mut self, board: &Board, mv: Move, score: i32) -> bool {
        if Some(mv) == self.table_move {
            return false;
        }
        // An underpromotion is rarely better than a queen, so it waits with the bad captures.
        let is_underpromotion = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
        let is_good = !is_underpromotion
            && match self.scope {
                Scope::All => board.see_at_least(mv, -score / SORT_KEY_PER_LOSS),
                Scope::Noisy(threshold) => board.see_at_least(mv, threshold),
            };
        if !is_good {
            self.bad_captures.push(mv);
        }
        is_good
    }

    /// Generates the noisy moves. Sort key: value of the captured piece (most valuable victim) and of the promotion,
    /// plus capture history.
    fn generate_noisy(&mut self, board: &Board, histories: &Histories) {
        board.generate(&self.check_info, MoveFilter::Noisy, &mut self.moves);
        self.moves.score_by(|mv| {
            let victim = match board.piece_on(mv.to()) {
                Some(piece) => see_value(piece.kind),
                None if mv.is_capture() => see_value(PieceKind::Pawn), // en passant
                None => 0,
            };
            let promotion = mv.promotion().map_or(0, see_value);
            let history_score = histories.capture_score(board, mv);
            (
                (victim + promotion) * SORT_KEY_PER_VALUE + history_score,
                MoveFlags::default(),
            )
        });
    }

    /// Generates the quiet moves. Sort key: history score plus a bonus for a safe direct check.
    fn generate_quiets(&mut self, board: &Board, histories: &Histories, parameters: &Parameters) {
        board.generate(&self.check_info, MoveFilter::Quiet, &mut self.moves);
        if self.skips_quiets_without_check {
            self.moves.keep(|mv| board.gives_direct_check(mv));
        }
        if self.moves.is_empty() {
            return;
        }
        let rows = histories.quiet_rows(board, &self.context);
        self.moves.score_by(|mv| {
            let gives_direct_check = board.gives_direct_check(mv);
            let gives_safe_check = gives_direct_check
                && (!rows.touches_attacked_square(mv) || board.see_at_least(mv, -SAFE_CHECK_LOSS));
            let bonus = i32::from(gives_safe_check) * parameters.check_bonus();
            let flags = MoveFlags {
                gives_direct_check,
                gives_safe_check,
            };
            (rows.history_score(board, mv, parameters) + bonus, flags)
        });
    }
}

#[cfg(test)]
mod tests;
