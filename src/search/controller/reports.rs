//! What the controller makes of its workers' reports: lines of thinking, status, the answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::messages::{Bound, Purpose, SearchEvent, SearchId, SearchInfo, SearchStatus};

use super::{Controller, VOTING_TIME};
use crate::search::active::Active;
use crate::search::job::Progress;
use crate::search::pool::Report;
use crate::search::stop::RunId;
use crate::search::vote;
use crate::types::MAX_DEPTH;

/// Between two lines of thinking that no finished iteration asks for.
const LINE_INTERVAL: Duration = Duration::from_millis(50);

/// So many lines may come one right after the other; where nothing is left to search, depths are finished by the
/// hundred.
const LINES_AT_ONCE: usize = 40;

impl Active {
    /// Whether a line of a finished depth may wait: many were shown, and its move is that of the last.
    fn says_no_news(&self, info: &SearchInfo) -> bool {
        let last_move = self.last_line.as_ref().map(|(_, last)| last.pv.first());
        self.lines >= LINES_AT_ONCE && last_move == Some(info.pv.first())
    }
}

impl Controller {
    pub(super) fn hear(&mut self, report: Report) {
        match report {
            Report::Progress(run, progress) => self.hear_progress(run, progress),
            Report::Finished(run, result) => {
                let Some(active) = self.active.as_mut().filter(|active| active.run == run) else {
                    return;
                };
                active.running -= 1;
                if result.worker == 0 {
                    active.votes_until = Some(Instant::now() + VOTING_TIME);
                }
                active.results.push(*result);
                if active.running == 0 {
                    self.settle();
                    self.proceed();
                }
            }
        }
    }

    fn hear_progress(&mut self, run: RunId, progress: Progress) {
        let stopped = self.pool.shared.gate.is_stopped(run);
        let shared = Arc::clone(&self.pool.shared);
        let multi_pv = self.config.multi_pv;
        let Some(active) = self
            .active
            .as_mut()
            .filter(|active| active.run == run && !active.abandoned)
        else {
            return;
        };
        match progress {
            Progress::Line(info) if active.is_beyond_new_depth(info.depth) => {}
            Progress::Line(mut info) => {
                active.line_depth = info.depth;
                info.time = active.elapsed(&shared);
                info.nodes = active.spent(&shared).nodes.max(info.nodes);
                let recent = active
                    .last_line
                    .as_ref()
                    .is_some_and(|(at, _)| at.elapsed() < LINE_INTERVAL);
                let one_line = active.wanted.request.purpose != Purpose::Analyse || multi_pv <= 1;
                if recent && info.bound == Bound::Exact && one_line && active.says_no_news(&info) {
                    active.held_line = Some(info);
                } else if info.bound == Bound::Exact || !recent {
                    active.held_line = None;
                    active.lines += 1;
                    active.last_line = Some((Instant::now(), info.clone()));
                    let id = active.wanted.request.id;
                    self.emit(SearchEvent::Info(id, info));
                }
            }
            Progress::Iteration(effort) => {
                active.last_iteration = Some((active.elapsed(&shared), effort));
                active.completed_depth = active.line_depth;
                let is_over = active.has_thought_enough() || active.has_reached_new_limits(&shared);
                if !stopped && is_over {
                    self.stop();
                }
            }
        }
    }

    /// Answers, if the search has ended and a move is owed.
    pub(super) fn settle(&mut self) {
        let Some(active) = self
            .active
            .as_mut()
            .filter(|active| active.running == 0 && !active.restarting)
        else {
            return;
        };
        if active.abandoned {
            self.active = None;
            return;
        }
        active.votes_until = None;
        self.answer();
    }

    /// Answers with what has been found, if a move is owed; workers that have not voted yet are not waited for.
    pub(super) fn answer(&mut self) {
        let Some(active) = &mut self.active else {
            return;
        };
        if let Some(info) = active.held_line.take() {
            active.last_line = Some((Instant::now(), info.clone()));
            let event = SearchEvent::Info(active.wanted.request.id, info);
            self.emit(event);
        }
        let Some(active) = &self.active else { return };
        if active.wanted.request.purpose != Purpose::Play || active.wanted.paused.is_some() {
            return;
        }
        let Some(mut active) = self.active.take() else {
            return;
        };
        let id = active.wanted.request.id;
        let shared = &self.pool.shared;
        let (time, nodes) = (active.elapsed(shared), active.spent(shared).nodes);
        let time_of_budget = active.elapsed_of_budget(shared);
        let nodes_of_budget = active.nodes_of_budget(shared);
        let Some(result) = vote::choose(&active.results) else {
            return;
        };
        let last_line = active.last_line.as_ref().map(|(_, info)| info);
        let shown = last_line.and_then(|info| info.pv.first().copied());
        let shown_depth = last_line.map_or(1, |info| info.depth);
        let depth_limit = active.wanted.request.limits.depth.unwrap_or(MAX_DEPTH);
        if result.best.is_some() && (shown != result.best || result.worker != 0) {
            // The last line shown must begin with the move played, and only those of the first worker were shown so
            // far.
            let info = SearchInfo {
                depth: result.depth.min(depth_limit).max(shown_depth),
                selective_depth: result.selective_depth,
                score: result.score,
                bound: result.bound,
                time,
                nodes,
                table_hits: 0,
                rank: 0,
                pv: result.line.to_vec(),
            };
            self.emit(SearchEvent::Info(id, info));
        }
        self.emit(SearchEvent::Best {
            id,
            best: result.best,
            ponder: result.ponder,
            score: result.score,
            time: time_of_budget,
            nodes: nodes_of_budget,
        });
        if active.running > 0 {
            // The next search must wait for them.
            active.abandoned = true;
            self.active = Some(active);
        }
    }

    pub(super) fn emit(&self, event: SearchEvent) {
        // Nobody listens any more only when the program is ending.
        let _ = self.events.send(event);
    }

    pub(super) fn report_status(&mut self, id: SearchId) {
        let shared = Arc::clone(&self.pool.shared);
        let Some(active) = self.active_with(id) else {
            // It waits for its turn: nothing is done yet.
            if let Some(wanted) = self.wanted_with(id) {
                let moves_total = wanted.root_moves().len() as u32;
                let status = SearchStatus {
                    moves_left: moves_total,
                    moves_total,
                    ..SearchStatus::default()
                };
                self.emit(SearchEvent::Status(id, status));
            }
            return;
        };
        let (depth, moves_left, moves_total, current) = shared.status.read();
        let status = SearchStatus {
            time: active.elapsed(&shared),
            nodes: active.spent(&shared).nodes,
            depth,
            moves_left,
            moves_total,
            current,
        };
        self.emit(SearchEvent::Status(id, status));
    }
}
