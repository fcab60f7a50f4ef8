//! The staged giver of moves: what is likely to cut and cheap to find comes first.
//!
//! Order: table move, good captures, killers, quiet moves, losing captures; a parameter puts the losing
//! captures before the quiet moves (ice's order). Moves are generated when their stage is reached, and the best of a
//! stage is selected when it is needed, because most are never asked for (Winglet).

use crate::board::{Board, CheckInfo, MoveFilter, see_value};
use crate::config::Parameters;
use crate::types::{Move, MoveList, PieceKind};

use super::history::{Context, Histories};
use super::scored::{Remarks, Scored, ScoredList};
use super::statistics::CutGroup;
use super::table::Table;

/// A capture may lose one centipawn for so much of its score and still count as good: a quarter of what it takes, and
/// more or less by its history.
const MERIT_PER_CENTIPAWN: i32 = 64;

/// A move to be tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picked {
    pub mv: Move,
    pub group: CutGroup,
    /// What histories think of it; 0 where nobody asks.
    pub merit: i32,
    /// A quiet move that gives check directly; false where nobody asks.
    pub checks: bool,
}

impl Picked {
    /// A quiet move from a list that was scored.
    #[inline]
    fn quiet(scored: Scored, parameters: &Parameters) -> Picked {
        let bonus = i32::from(scored.remarks.checks_safely) * parameters.check_bonus();
        Picked {
            mv: scored.mv,
            group: CutGroup::Quiet,
            merit: scored.score - bonus,
            checks: scored.remarks.checks,
        }
    }

    /// A move whose merit nobody asks for: the first of a node, which is neither reduced nor left out, and those of
    /// quiescence and ProbCut.
    pub fn unjudged(mv: Move, group: CutGroup) -> Picked {
        Picked {
            mv,
            group,
            merit: 0,
            checks: false,
        }
    }

    /// A move whose merit is not known from a list that was scored.
    pub fn unscored(
        mv: Move,
        group: CutGroup,
        context: &Context,
        board: &Board,
        histories: &Histories,
    ) -> Picked {
        let merit = if mv.is_noisy() {
            histories.capture(board, mv)
        } else {
            histories.quiet(board, context, mv)
        };
        Picked {
            mv,
            group,
            merit,
            checks: !mv.is_noisy() && board.gives_direct_check(mv),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodCaptures,
    NewestKiller,
    OlderKiller,
    LosingCapturesEarly,
    GenerateQuiets,
    Quiets,
    LosingCapturesLate,
    Done,
}

/// What a picker gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Every legal move.
    All,
    /// Noisy moves that win at least so many centipawns by SEE.
    NoisyFrom(i32),
    /// Every noisy move.
    Noisy,
}

/// Gives the legal moves of one node, each once. Borrows its surroundings per call, so that building one is free.
pub(super) struct Picker {
    stage: Stage,
    scope: Scope,
    checks: CheckInfo,
    context: Context,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// No more quiet moves are wanted.
    quiets_skipped: bool,
    /// Only those that give check directly.
    only_checks: bool,
    /// And these, though the scope is noisy moves.
    adds_checks: bool,
    moves: ScoredList,
    losing: MoveList,
    given: usize,
}

impl Picker {
    /// All moves of a node. The table move and the killers may be any moves: they are checked for legality.
    pub fn all(
        checks: CheckInfo,
        context: Context,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        Picker::new(Scope::All, checks, context, table_move, killers)
    }

    /// Noisy moves, and of those only the ones that win at least `threshold` centipawns by SEE, if there is one. The
    /// table move comes in any case, if it is noisy.
    pub fn noisy(
        checks: CheckInfo,
        context: Context,
        table_move: Option<Move>,
        threshold: Option<i32>,
    ) -> Picker {
        let scope = threshold.map_or(Scope::Noisy, Scope::NoisyFrom);
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Picker::new(scope, checks, context, table_move, [None; 2])
    }

    /// The same, and then the quiet moves that give check directly.
    pub fn and_checks(self) -> Picker {
        Picker {
            only_checks: true,
            adds_checks: true,
            ..self
        }
    }

    fn new(
        scope: Scope,
        checks: CheckInfo,
        context: Context,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        Picker {
            stage: Stage::TableMove,
            scope,
            checks,
            context,
            table_move,
            killers,
            quiets_skipped: false,
            only_checks: false,
            adds_checks: false,
            moves: ScoredList::default(),
            losing: MoveList::new(),
            given: 0,
        }
    }

    /// What the worth of moves depends on here.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// From now on only captures and promotions.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// From now on only captures, promotions and quiet moves that give check directly.
    #[inline]
    pub fn skip_all_but_checks(&mut self) {
        if !self.only_checks && self.stage == Stage::Quiets {
            self.moves.keep_scored(|remarks| remarks.checks);
        }
        self.only_checks = true;
    }

    /// The next move and the group it belongs to. `table` is only told what will be wanted soon.
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
                        .filter(|&mv| board.is_legal_with(&self.checks, mv));
                    if let Some(mv) = self.table_move {
                        return Some(Picked::unjudged(mv, CutGroup::TableMove));
                    }
                }
                Stage::GenerateNoisy => {
                    self.stage = Stage::GoodCaptures;
                    self.generate_noisy(board, histories);
                }
                Stage::GoodCaptures => match self.moves.take_best() {
                    Some(Scored { mv, score, .. }) => {
                        // Judging the exchange takes as long as fetching what the table knows of its outcome.
                        table.prefetch(board.approximate_key_after(mv));
                        if self.is_good(board, mv, score) {
                            let group = CutGroup::GoodCapture;
                            return Some(if self.scope == Scope::All {
                                self.unscored(mv, group, board, histories)
                            } else {
                                Picked::unjudged(mv, group)
                            });
                        }
                    }
                    None => self.stage = self.after_good_captures(),
                },
                Stage::NewestKiller => {
                    self.stage = Stage::OlderKiller;
                    if let Some(mv) = self.legal_killer(board, 0) {
                        return Some(self.unscored(mv, CutGroup::Killer, board, histories));
                    }
                }
                Stage::OlderKiller => {
                    self.stage = if parameters.losing_captures_last() {
                        Stage::GenerateQuiets
                    } else {
                        Stage::LosingCapturesEarly
                    };
                    if let Some(mv) = self.legal_killer(board, 1) {
                        return Some(self.unscored(mv, CutGroup::Killer, board, histories));
                    }
                }
                Stage::LosingCapturesEarly | Stage::LosingCapturesLate => {
                    if let Some(mv) = self.losing.get(self.given).copied() {
                        self.given += 1;
                        return Some(self.unscored(mv, CutGroup::LosingCapture, board, histories));
                    }
                    self.stage = match self.stage {
                        Stage::LosingCapturesEarly => Stage::GenerateQuiets,
                        _ => Stage::Done,
                    };
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    self.moves.clear();
                    if !self.quiets_skipped {
                        self.generate_quiets(board, histories, parameters);
                    }
                }
                Stage::Quiets => match self.moves.take(parameters.history()) {
                    Some(scored) if !self.quiets_skipped => {
                        if !self.was_given(scored.mv) {
                            return Some(Picked::quiet(scored, parameters));
                        }
                    }
                    _ if matches!(self.scope, Scope::NoisyFrom(_)) => self.stage = Stage::Done,
                    // After the early ones none are left.
                    _ => self.stage = Stage::LosingCapturesLate,
                },
                Stage::Done => return None,
            }
        }
    }

    /// A move that was not scored with others.
    fn unscored(&self, mv: Move, group: CutGroup, board: &Board, histories: &Histories) -> Picked {
        Picked::unscored(mv, group, &self.context, board, histories)
    }

    #[inline]
    fn after_good_captures(&self) -> Stage {
        match self.scope {
            Scope::All if self.quiets_skipped => Stage::LosingCapturesLate,
            Scope::All => Stage::NewestKiller,
            _ if self.adds_checks => Stage::GenerateQuiets,
            Scope::NoisyFrom(_) => Stage::Done,
            Scope::Noisy => Stage::LosingCapturesLate,
        }
    }

    /// Whether a quiet move has already come as table move or killer. Killers not legal here were set to `None`.
    #[inline]
    fn was_given(&self, mv: Move) -> bool {
        Some(mv) == self.table_move || self.killers.contains(&Some(mv))
    }

    fn legal_killer(&mut self, board: &Board, index: usize) -> Option<Move> {
        let usable = |mv: &Move| {
            !mv.is_noisy() && Some(*mv) != self.table_move && board.is_legal_with(&self.checks, *mv)
        };
        self.killers[index] = self.killers[index].filter(usable);
        self.killers[index].filter(|&mv| {
            !self.quiets_skipped && (!self.only_checks || board.gives_direct_check(mv))
        })
    }

    /// Whether a noisy move is to come now; one that is to come later, if at all, is put aside.
    #[inline]
    fn is_good(&mut self, board: &Board, mv: Move, score: i32) -> bool {
        if Some(mv) == self.table_move {
            return false;
        }
        // An underpromotion is better than the queen so rarely that it waits with the losing captures.
        let is_underpromotion = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
        let is_good = !is_underpromotion
            && match self.scope {
                Scope::All => board.see_at_least(mv, -score / MERIT_PER_CENTIPAWN),
                Scope::NoisyFrom(threshold) => board.see_at_least(mv, threshold),
                Scope::Noisy => true,
            };
        if !is_good {
            self.losing.push(mv);
        }
        is_good
    }

    /// Most valuable victim first, corrected by what captures of this kind have brought.
    fn generate_noisy(&mut self, board: &Board, histories: &Histories) {
        board.generate(&self.checks, MoveFilter::Noisy, &mut self.moves);
        self.moves.score_by(|mv| {
            let victim = match board.piece_on(mv.to()) {
                Some(piece) => see_value(piece.kind),
                None if mv.is_capture() => see_value(PieceKind::Pawn), // en passant
                None => 0,
            };
            let promotion = mv.promotion().map_or(0, see_value);
            let history = histories.capture(board, mv);
            ((victim + promotion) * 16 + history, Remarks::default())
        });
    }

    fn generate_quiets(&mut self, board: &Board, histories: &Histories, parameters: &Parameters) {
        board.generate(&self.checks, MoveFilter::Quiet, &mut self.moves);
        if self.only_checks {
            self.moves.keep(|mv| board.gives_direct_check(mv));
        }
        if self.moves.is_empty() {
            return;
        }
        let rows = histories.rows(board, &self.context);
        self.moves.score_by(|mv| {
            let checks = board.gives_direct_check(mv);
            let checks_safely = checks && (!rows.is_in_danger(mv) || board.see_at_least(mv, -75));
            let bonus = i32::from(checks_safely) * parameters.check_bonus();
            let remarks = Remarks {
                checks,
                checks_safely,
            };
            (rows.merit(board, mv) + bonus, remarks)
        });
    }
}

#[cfg(test)]
mod tests;
