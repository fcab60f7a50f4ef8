//! Analysis mode, and the user's constraints on searches (`exclude`, `include`, `setscore`).

use std::time::Instant;

use crate::messages::{Limits, Purpose, SearchOrder, SearchStatus};
use crate::notation::parse_move;
use crate::protocol::command::RootMoves;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::types::{Depth, MoveList, Score};

use super::mode::Mode;
use super::state::Machine;

impl Machine {
    /// `analyze`: searches the current position until it changes.
    pub(super) fn analyze(&mut self, now: Instant) {
        if matches!(
            self.mode,
            Mode::Analysing {
                search: Some(_),
                ..
            }
        ) {
            return;
        }
        self.stop_search(now);
        self.mode = Mode::Analysing {
            search: None,
            best_so_far: None,
        };
        self.restart_analysis(now);
    }

    /// `exit`: changes from analysis to force mode.
    pub(super) fn exit(&mut self, now: Instant) {
        if self.mode.is_analysing() {
            self.stop_search(now);
            self.mode = Mode::Force;
        }
    }

    /// Starts a new search of the current position in analysis mode, unless it has no moves to search.
    pub(super) fn restart_analysis(&mut self, now: Instant) {
        let Mode::Analysing { search: old, .. } = self.mode else {
            return;
        };
        if let Some(id) = old {
            self.order(SearchOrder::Abandon(id));
        }
        let has_moves = !self.constraints.remaining_moves(&self.game).is_empty();
        let position = self.game.position().filter(|_| has_moves).cloned();
        let search = position.map(|position| {
            let excluded = self.constraints.excluded_moves().to_vec();
            // `sd` does not apply: XBoard sends the limit of its games to analysis engines, too.
            let limits = Limits::default();
            self.start_search(Purpose::Analyse, position, limits, excluded, now)
        });
        self.mode = Mode::Analysing {
            search,
            best_so_far: None,
        };
    }

    /// `.`: reports the progress of analysis, or of the search for a move.
    pub(super) fn status(&mut self) {
        let is_analysing = self.mode.is_analysing();
        match self.mode.search() {
            Some(id) if is_analysing || self.mode.search_for_move().is_some() => {
                self.order(SearchOrder::ReportStatus(id));
            }
            None if is_analysing => {
                let moves_total = self.constraints.remaining_moves(&self.game).len() as u32;
                let status = SearchStatus {
                    moves_total,
                    ..SearchStatus::default()
                };
                self.reply(Reply::Status(status, self.game.variant()));
            }
            _ => {}
        }
    }

    /// `exclude`: excludes root moves from the search.
    pub(super) fn exclude(&mut self, moves: &RootMoves, line: &str, now: Instant) {
        if let Some(moves) = self.root_moves(moves, line)
            && self.constraints.exclude(&moves)
        {
            self.on_root_moves_changed(now);
        }
    }

    /// `include`: includes root moves again.
    pub(super) fn include(&mut self, moves: &RootMoves, line: &str, now: Instant) {
        if let Some(moves) = self.root_moves(moves, line)
            && self.constraints.include(&moves)
        {
            self.on_root_moves_changed(now);
        }
    }

    fn on_root_moves_changed(&mut self, now: Instant) {
        match self.mode {
            Mode::Analysing { .. } => self.restart_analysis(now),
            Mode::Thinking { .. } => self.restart_search(now),
            // A ponder search has another root; the other modes have no search.
            _ => {}
        }
    }

    /// `setscore`: sets the score of the current position for searches that start from now on. A running search for a
    /// move continues without it.
    pub(super) fn set_score(&mut self, score: Score, depth: Depth, line: &str, now: Instant) {
        let Some(position) = self.game.position() else {
            return self.reject(ErrorKind::NotLegalNow, line);
        };
        self.constraints
            .set_score(position.board().key(), score, depth);
        match self.mode {
            Mode::Analysing { .. } => self.restart_analysis(now),
            Mode::Pondering { engine, search, .. } => {
                self.order(SearchOrder::Abandon(search));
                self.mode = Mode::Waiting { engine };
                self.start_pondering(now);
            }
            _ => {}
        }
    }

    /// Returns the legal moves that `exclude` or `include` names. Rejects the command if one of them is not legal.
    fn root_moves(&mut self, moves: &RootMoves, line: &str) -> Option<MoveList> {
        let parsed = self.game.position().and_then(|position| match moves {
            RootMoves::All => Some(position.legal_moves()),
            RootMoves::These(texts) if texts.len() > position.legal_moves().len() => None,
            RootMoves::These(texts) => texts
                .iter()
                .map(|text| parse_move(position, text).ok())
                .collect(),
        });
        if parsed.is_none() {
            self.reject(ErrorKind::BadArgument, line);
        }
        parsed
    }
}
