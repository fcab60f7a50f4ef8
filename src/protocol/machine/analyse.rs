//! Analysis, and the set of root moves that are not to be considered.

use std::time::Instant;

use super::{Machine, Mode};
use crate::messages::{Limits, Purpose, SearchOrder, SearchStatus};
use crate::notation::parse_move;
use crate::protocol::command::RootMoves;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::Position;
use crate::types::{Depth, Move, MoveList, Score};

impl Machine {
    /// `analyze`: search the present position until something changes.
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
        self.settle(now);
        self.mode = Mode::Analysing {
            search: None,
            best_so_far: None,
        };
        self.restart_analysis(now);
    }

    /// `exit`: back to force mode.
    pub(super) fn exit(&mut self, now: Instant) {
        if self.mode.is_analysing() {
            self.settle(now);
            self.mode = Mode::Force;
        }
    }

    /// In analysis: searches the position as it is now, if there is anything to search.
    pub(super) fn restart_analysis(&mut self, now: Instant) {
        let Mode::Analysing { search: old, .. } = self.mode else {
            return;
        };
        if let Some(id) = old {
            self.order(SearchOrder::Abandon(id));
        }
        let position = self
            .game
            .position()
            .filter(|_| !self.considered().is_empty())
            .cloned();
        let search = position.map(|position| {
            let excluded = self.excluded.clone();
            // Not even `sd`: XBoard sends it for its games, also to engines that are to analyse.
            let limits = Limits::default();
            self.start_search(Purpose::Analyse, position, limits, excluded, now)
        });
        self.mode = Mode::Analysing {
            search,
            best_so_far: None,
        };
    }

    /// `.`: how far is the search?
    pub(super) fn status(&mut self) {
        let analysing = self.mode.is_analysing();
        match self.mode.search() {
            Some(id) if analysing || self.mode.thinking().is_some() => {
                self.order(SearchOrder::ReportStatus(id));
            }
            None if analysing => {
                let moves_total = self.considered().len() as u32;
                let status = SearchStatus {
                    moves_total,
                    ..SearchStatus::default()
                };
                self.say(Reply::Status(status, self.game.variant()));
            }
            _ => {}
        }
    }

    /// `exclude`: do not consider this root move, or none at all.
    pub(super) fn exclude(&mut self, moves: &RootMoves, line: &str, now: Instant) {
        let Some(named) = self.named(moves, line) else {
            return;
        };
        let before = self.excluded.len();
        for mv in named {
            if !self.excluded.contains(&mv) {
                self.excluded.push(mv);
            }
        }
        self.root_moves_changed(self.excluded.len() != before, now);
    }

    /// `include`: consider this root move again, or all of them.
    pub(super) fn include(&mut self, moves: &RootMoves, line: &str, now: Instant) {
        let Some(named) = self.named(moves, line) else {
            return;
        };
        let before = self.excluded.len();
        self.excluded.retain(|mv| !named.contains(mv));
        self.root_moves_changed(self.excluded.len() != before, now);
    }

    fn root_moves_changed(&mut self, changed: bool, now: Instant) {
        match self.mode {
            _ if !changed => {}
            Mode::Analysing { .. } => self.restart_analysis(now),
            Mode::Thinking { .. } => self.rethink(now),
            // Pondering is about another position; the rest thinks about none.
            _ => {}
        }
    }

    /// `setscore`: what the present position counts in searches that begin from now on. A move that is being thought
    /// about is thought to its end.
    pub(super) fn set_score(&mut self, score: Score, depth: Depth, line: &str, now: Instant) {
        let Some(position) = self.game.position() else {
            return self.refuse(ErrorKind::NotLegalNow, line);
        };
        self.score_overrides
            .set(position.board().key(), score, depth);
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

    /// The legal moves that `exclude` or `include` names; refuses those that are none.
    fn named(&mut self, moves: &RootMoves, line: &str) -> Option<MoveList> {
        let named = self.game.position().and_then(|position| match moves {
            RootMoves::All => Some(position.legal_moves()),
            RootMoves::These(texts) if texts.len() > position.legal_moves().len() => None,
            RootMoves::These(texts) => texts
                .iter()
                .map(|text| parse_move(position, text).ok())
                .collect(),
        });
        if named.is_none() {
            self.refuse(ErrorKind::BadArgument, line);
        }
        named
    }

    /// The legal moves that are not excluded.
    fn considered(&self) -> MoveList {
        let legal = self
            .game
            .position()
            .map_or_else(MoveList::new, Position::legal_moves);
        legal
            .into_iter()
            .filter(|mv| !self.excluded.contains(mv))
            .collect()
    }

    /// The excluded moves for a search that must end in a move: when nothing would be left, nothing is excluded.
    pub(super) fn excluded_but_not_all(&self, position: &Position) -> Vec<Move> {
        let left = position
            .legal_moves()
            .iter()
            .any(|mv| !self.excluded.contains(mv));
        if left {
            self.excluded.clone()
        } else {
            Vec::new()
        }
    }
}
