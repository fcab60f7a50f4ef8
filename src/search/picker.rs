//! The staged giver of moves: what is likely to cut and cheap to find comes first.
//!
//! Order: table move, winning captures, equal captures, killers, losing captures, quiet moves (ice's order); a
//! parameter puts the losing captures last. Moves are generated when their stage is reached, and the best of a stage is
//! selected when it is needed, because most are never asked for (Winglet).

use arrayvec::ArrayVec;

use crate::board::{Board, Checks, MoveSink, Which, see_value};
use crate::config::Parameters;
use crate::types::{MAX_MOVES, Move, MoveList, PieceKind};

use super::history::History;
use super::statistics::CutGroup;

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// A list of moves to be scored.
#[derive(Default)]
struct ScoredList(ArrayVec<ScoredMove, MAX_MOVES>);

impl MoveSink for ScoredList {
    #[inline(always)]
    fn add(&mut self, mv: Move) {
        self.0.push(ScoredMove { mv, score: 0 });
    }
}

impl ScoredList {
    /// Takes out the move with the highest score. A sorted list has it at its end.
    #[inline]
    fn take_best(&mut self, sorted: bool) -> Option<ScoredMove> {
        if sorted {
            return self.0.pop();
        }
        let mut best = 0;
        let mut best_score = self.0.first()?.score;
        for (index, candidate) in self.0.iter().enumerate().skip(1) {
            if candidate.score > best_score {
                (best, best_score) = (index, candidate.score);
            }
        }
        self.0.swap_pop(best)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    WinningCaptures,
    EqualCaptures,
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
    /// Noisy moves that lose no material by SEE.
    GoodNoisy,
    /// Every noisy move.
    Noisy,
}

/// Gives the legal moves of one node, each once. Borrows its surroundings per call, so that building one is free.
pub(super) struct Picker {
    stage: Stage,
    scope: Scope,
    checks: Checks,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    moves: ScoredList,
    equal: MoveList,
    losing: MoveList,
    given: usize,
}

impl Picker {
    /// All moves of a node. The table move and the killers may be any moves: they are checked for legality.
    pub fn all(checks: Checks, table_move: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker::new(Scope::All, checks, table_move, killers)
    }

    /// For quiescence: noisy moves, and of those only the ones that lose no material where `see` says so.
    pub fn noisy(checks: Checks, table_move: Option<Move>, see: bool) -> Picker {
        let scope = if see { Scope::GoodNoisy } else { Scope::Noisy };
        Picker::new(
            scope,
            checks,
            table_move.filter(|mv| mv.is_noisy()),
            [None; 2],
        )
    }

    fn new(
        scope: Scope,
        checks: Checks,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Picker {
        Picker {
            stage: Stage::TableMove,
            scope,
            checks,
            table_move,
            killers,
            moves: ScoredList::default(),
            equal: MoveList::new(),
            losing: MoveList::new(),
            given: 0,
        }
    }

    /// The next move and the group it belongs to.
    #[inline]
    pub fn next(
        &mut self,
        board: &Board,
        history: &History,
        parameters: &Parameters,
    ) -> Option<(Move, CutGroup)> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.table_move = self
                        .table_move
                        .filter(|&mv| board.is_legal_with(&self.checks, mv));
                    if let Some(mv) = self.table_move {
                        return Some((mv, CutGroup::TableMove));
                    }
                }
                Stage::GenerateNoisy => {
                    self.stage = Stage::WinningCaptures;
                    self.generate_noisy(board, parameters);
                }
                Stage::WinningCaptures => {
                    match self.moves.take_best(parameters.sort_moves() != 0) {
                        Some(ScoredMove { mv, .. }) => {
                            if let Some(found) = self.classify(board, mv) {
                                return Some(found);
                            }
                        }
                        None => self.stage = Stage::EqualCaptures,
                    }
                }
                Stage::EqualCaptures => match self.equal.get(self.given).copied() {
                    Some(mv) => {
                        self.given += 1;
                        return Some((mv, CutGroup::EqualCapture));
                    }
                    None if self.scope == Scope::GoodNoisy => self.stage = Stage::Done,
                    None if self.scope == Scope::Noisy => {
                        self.start_losing(Stage::LosingCapturesLate)
                    }
                    None => self.stage = Stage::NewestKiller,
                },
                Stage::NewestKiller => {
                    self.stage = Stage::OlderKiller;
                    if let Some(mv) = self.legal_killer(board, 0) {
                        return Some((mv, CutGroup::Killer));
                    }
                }
                Stage::OlderKiller => {
                    if parameters.losing_captures_last() != 0 {
                        self.stage = Stage::GenerateQuiets;
                    } else {
                        self.start_losing(Stage::LosingCapturesEarly);
                    }
                    if let Some(mv) = self.legal_killer(board, 1) {
                        return Some((mv, CutGroup::Killer));
                    }
                }
                Stage::LosingCapturesEarly | Stage::LosingCapturesLate => {
                    if let Some(mv) = self.losing.get(self.given).copied() {
                        self.given += 1;
                        return Some((mv, CutGroup::LosingCapture));
                    }
                    self.stage = match self.stage {
                        Stage::LosingCapturesEarly => Stage::GenerateQuiets,
                        _ => Stage::Done,
                    };
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    self.generate_quiets(board, history, parameters);
                }
                Stage::Quiets => match self.moves.take_best(parameters.sort_moves() != 0) {
                    Some(ScoredMove { mv, .. }) => {
                        if !self.was_given(mv) {
                            return Some((mv, CutGroup::Quiet));
                        }
                    }
                    None if parameters.losing_captures_last() != 0 => {
                        self.start_losing(Stage::LosingCapturesLate)
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn start_losing(&mut self, stage: Stage) {
        self.given = 0;
        self.stage = stage;
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
        self.killers[index]
    }

    /// Returns a winning capture; puts others where they come later.
    #[inline]
    fn classify(&mut self, board: &Board, mv: Move) -> Option<(Move, CutGroup)> {
        if Some(mv) == self.table_move {
            return None;
        }
        // An underpromotion is better than the queen so rarely that it waits with the losing captures.
        if mv.promotion().is_some_and(|kind| kind != PieceKind::Queen) {
            self.losing.push(mv);
        } else if self.scope == Scope::Noisy || board.see_at_least(mv, 1) {
            return Some((mv, CutGroup::WinningCapture));
        } else if board.see_at_least(mv, 0) {
            self.equal.push(mv);
        } else {
            self.losing.push(mv);
        }
        None
    }

    /// Most valuable victim first, least valuable attacker first among equals.
    fn generate_noisy(&mut self, board: &Board, parameters: &Parameters) {
        board.generate(&self.checks, Which::Noisy, &mut self.moves);
        for scored in &mut self.moves.0 {
            let victim = match board.piece_on(scored.mv.to()) {
                Some(piece) => see_value(piece.kind),
                None if scored.mv.is_capture() => see_value(PieceKind::Pawn), // en passant
                None => 0,
            };
            let attacker = board
                .piece_on(scored.mv.from())
                .map_or(0, |piece| piece.kind.index() as i32);
            let promotion = scored.mv.promotion().map_or(0, see_value);
            scored.score = (victim + promotion) * 8 - attacker;
        }
        self.sort_if(parameters);
    }

    fn generate_quiets(&mut self, board: &Board, history: &History, parameters: &Parameters) {
        self.moves.0.clear();
        board.generate(&self.checks, Which::Quiet, &mut self.moves);
        if parameters.history() != 0 {
            let side = board.side_to_move();
            for scored in &mut self.moves.0 {
                scored.score = history.get(side, scored.mv);
            }
        }
        self.sort_if(parameters);
    }

    /// The alternative to picking one at a time, to be measured against it.
    fn sort_if(&mut self, parameters: &Parameters) {
        if parameters.sort_moves() != 0 {
            self.moves.0.sort_by_key(|scored| scored.score);
        }
    }
}

#[cfg(test)]
mod tests;
