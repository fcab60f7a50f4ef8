//! Simulated search: records the orders of the protocol machine and sends the events that the script states.

use std::time::Duration;

use gaur::messages::{
    Bound, Limits, Purpose, SearchEvent, SearchId, SearchInfo, SearchOrder, SearchRequest,
    SearchStatus, TimeSource,
};
use gaur::notation::{write_coordinate, write_fen};
use gaur::types::Score;

use crate::directive::{Best, Expectation, Task};
use crate::events::best_event;

/// Number of thinking lines that an autonomous search sends for one position.
const AUTONOMOUS_INFOS: u32 = 3;

/// Replacement for the search threads.
pub struct SimulatedSearch {
    /// Set if the script has no `@` lines: the search then sends events by itself while the script waits.
    is_autonomous: bool,
    running: Option<Running>,
    /// Previous search, for late events.
    previous: Option<SearchRequest>,
    /// Search at the last `@ expect`.
    last_seen: Option<SearchId>,
    /// Set by `@ hold`: settings are applied at `@ configured`.
    hold: bool,
    unconfigured: usize,
    status_wanted: bool,
}

struct Running {
    request: SearchRequest,
    hit: bool,
    moves_now: bool,
    paused: bool,
    infos: u32,
}

impl SimulatedSearch {
    /// Creates a simulated search without a running search.
    pub fn new(is_autonomous: bool) -> SimulatedSearch {
        SimulatedSearch {
            is_autonomous,
            running: None,
            previous: None,
            last_seen: None,
            hold: false,
            unconfigured: 0,
            status_wanted: false,
        }
    }

    /// Returns the request of the running search.
    pub fn current(&self) -> Result<&SearchRequest, String> {
        Ok(&self.running()?.request)
    }

    /// Returns the request of the running search if its status was requested.
    pub fn asked_for_status(&mut self) -> Result<&SearchRequest, String> {
        if !std::mem::take(&mut self.status_wanted) {
            return Err("no status was requested".to_string());
        }
        self.current()
    }

    /// Delays settings from now on.
    pub fn hold_settings(&mut self) {
        self.hold = true;
    }

    /// Applies the oldest delayed settings.
    pub fn apply_settings(&mut self) -> Result<(), String> {
        self.unconfigured = self
            .unconfigured
            .checked_sub(1)
            .ok_or("no settings are waiting")?;
        Ok(())
    }

    /// Handles an order and returns the immediate event, if any.
    pub fn handle_order(&mut self, order: SearchOrder) -> Option<SearchEvent> {
        match order {
            SearchOrder::Start(request) => {
                self.forget();
                self.running = Some(Running {
                    request: *request,
                    hit: false,
                    moves_now: false,
                    paused: false,
                    infos: 0,
                });
            }
            SearchOrder::Abandon(id) if self.is_running(id) => self.forget(),
            SearchOrder::PonderHit {
                id,
                limits,
                started,
            } if self.is_running(id) => {
                if let Some(running) = &mut self.running {
                    running.request.purpose = Purpose::Play;
                    running.request.limits = limits;
                    running.request.started = started;
                    running.hit = true;
                }
            }
            SearchOrder::SetLimits { id, limits } if self.is_running(id) => {
                if let Some(running) = &mut self.running {
                    running.request.limits = limits;
                }
            }
            SearchOrder::MoveNow(id) if self.is_running(id) => {
                if let Some(running) = &mut self.running {
                    running.moves_now = true;
                }
            }
            SearchOrder::Pause(id) if self.is_running(id) => self.set_paused(true),
            SearchOrder::Resume(id) if self.is_running(id) => self.set_paused(false),
            SearchOrder::ReportStatus(id) if self.is_running(id) => {
                self.status_wanted = true;
                return self.status_by_itself();
            }
            SearchOrder::Configure(_) | SearchOrder::NewGame if self.hold => self.unconfigured += 1,
            SearchOrder::Configure(_) | SearchOrder::NewGame => {
                return Some(SearchEvent::Configured);
            }
            SearchOrder::Quit => self.forget(),
            // For a search that has ended, or without effect here.
            SearchOrder::Abandon(_)
            | SearchOrder::PonderHit { .. }
            | SearchOrder::SetLimits { .. }
            | SearchOrder::MoveNow(_)
            | SearchOrder::Pause(_)
            | SearchOrder::Resume(_)
            | SearchOrder::ReportStatus(_)
            | SearchOrder::UseNetwork(_)
            | SearchOrder::UseTablebases(_)
            | SearchOrder::ConfirmNow => {}
        }
        None
    }

    fn is_running(&self, id: SearchId) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.request.id == id)
    }

    fn set_paused(&mut self, paused: bool) {
        if let Some(running) = &mut self.running {
            running.paused = paused;
        }
    }

    fn forget(&mut self) {
        if let Some(running) = self.running.take() {
            self.previous = Some(running.request);
        }
        self.status_wanted = false;
    }

    fn running(&self) -> Result<&Running, String> {
        self.running
            .as_ref()
            .ok_or_else(|| "no search is running".to_string())
    }

    /// Returns the request of the previous search.
    pub fn previous(&self) -> Result<&SearchRequest, String> {
        self.previous
            .as_ref()
            .ok_or_else(|| "there was no search before".to_string())
    }

    /// Ends the running search with the result that the script states.
    pub fn best(&mut self, best: &Best) -> Result<SearchEvent, String> {
        let running = self.running()?;
        if running.request.purpose != Purpose::Play {
            return Err("the running search is not for a move".to_string());
        }
        let event = best_event(&running.request, best)?;
        self.forget();
        Ok(event)
    }

    /// Returns the next event of an autonomous search.
    pub fn next_by_itself(&mut self) -> Option<SearchEvent> {
        let running = self.running.as_mut().filter(|running| !running.paused)?;
        let request = &running.request;
        let legal = request.position.legal_moves();
        let best = legal
            .iter()
            .copied()
            .find(|mv| !request.excluded.contains(mv));
        if !self.is_autonomous {
            return None;
        }
        let chatty = match request.purpose {
            Purpose::Play => 1,
            Purpose::Analyse => AUTONOMOUS_INFOS,
            Purpose::Ponder => 0,
        };
        if running.infos < chatty
            && let Some(best) = best
        {
            running.infos += 1;
            let info = SearchInfo {
                depth: 1,
                selective_depth: 1,
                score: Score::DRAW,
                bound: Bound::Exact,
                time: Duration::ZERO,
                nodes: u64::from(running.infos),
                tablebase_hits: 0,
                rank: 0,
                pv: vec![best],
            };
            return Some(SearchEvent::Info(request.id, info));
        }
        if request.purpose != Purpose::Play {
            return None;
        }
        let event = SearchEvent::Best {
            id: request.id,
            best,
            ponder: None,
            score: Score::DRAW,
            time: Duration::ZERO,
            nodes: 0,
            is_tablebase_draw: false,
        };
        self.forget();
        Some(event)
    }

    fn status_by_itself(&mut self) -> Option<SearchEvent> {
        if !self.is_autonomous {
            return None;
        }
        self.status_wanted = false;
        let request = &self.running.as_ref()?.request;
        let legal = request.position.legal_moves();
        let total = legal.len() - request.excluded.len();
        let status = SearchStatus {
            moves_total: u32::try_from(total).unwrap_or(u32::MAX),
            ..SearchStatus::default()
        };
        Some(SearchEvent::Status(request.id, status))
    }

    /// Compares the running search with the conditions of the script.
    pub fn expect(&mut self, wanted: &Expectation) -> Result<(), String> {
        let last_seen = self.last_seen;
        self.last_seen = self.running.as_ref().map(|running| running.request.id);
        let Some(running) = &self.running else {
            return match wanted.task {
                Task::Idle => Ok(()),
                _ => Err(format!(
                    "expected {:?}, but no search is running",
                    wanted.task
                )),
            };
        };
        let request = &running.request;
        let task = match request.purpose {
            Purpose::Play => Task::Thinking,
            Purpose::Ponder => Task::Pondering,
            Purpose::Analyse => Task::Analysing,
        };
        let mut complaints = Vec::new();
        let mut demand = |holds: bool, complaint: &str| {
            if !holds {
                complaints.push(complaint.to_string());
            }
        };
        demand(task == wanted.task, &format!("it is {task:?}"));
        demand(
            !wanted.fresh || last_seen != Some(request.id),
            "the search is not new",
        );
        demand(
            !wanted.same || last_seen == Some(request.id),
            "the search is not the same",
        );
        demand(
            !wanted.hit || running.hit,
            "the search was not a ponder search",
        );
        demand(running.moves_now == wanted.moves_now, "move-now differs");
        demand(running.paused == wanted.paused, "paused differs");
        expect_limits(&request.limits, wanted, &mut demand);
        if let Some(processor) = wanted.processor_time {
            demand(
                (request.time_source == TimeSource::Processor) == processor,
                &format!("its time is {:?}", request.time_source),
            );
        }
        if let Some(elo) = wanted.elo {
            let actual = request.strength.map(|strength| strength.elo);
            demand(actual == elo, &format!("its strength is {actual:?}"));
        }
        if let Some(moves) = &wanted.excluded {
            let variant = request.position.variant();
            let mut excluded: Vec<String> = request
                .excluded
                .iter()
                .map(|mv| write_coordinate(*mv, variant))
                .collect();
            excluded.sort();
            demand(excluded == *moves, &format!("excluded are {excluded:?}"));
        }
        if let Some(fen) = &wanted.fen {
            let fields = fen.split(' ').count();
            let actual = write_fen(request.position.board(), request.position.variant());
            let begins: Vec<&str> = actual.split(' ').take(fields).collect();
            demand(begins.join(" ") == *fen, &format!("it is about {actual}"));
        }
        if complaints.is_empty() {
            Ok(())
        } else {
            Err(format!("the search: {}", complaints.join("; ")))
        }
    }
}

fn expect_limits(limits: &Limits, wanted: &Expectation, demand: &mut impl FnMut(bool, &str)) {
    if let Some(depth) = wanted.depth {
        demand(limits.depth == depth, &format!("depth {:?}", limits.depth));
    }
    if let Some(nodes) = wanted.nodes {
        demand(limits.nodes == nodes, &format!("nodes {:?}", limits.nodes));
    }
    if let Some(timed) = wanted.timed {
        demand(
            limits.budget.is_some() == timed,
            &format!("time {:?}", limits.budget),
        );
    }
    let soft = limits.budget.map(|budget| budget.soft);
    let hard = limits.budget.map(|budget| budget.hard);
    let bounds = [
        ("soft", soft, wanted.soft_at_least, wanted.soft_at_most),
        ("hard", hard, wanted.hard_at_least, wanted.hard_at_most),
    ];
    for (name, actual, least, most) in bounds {
        let complaint = format!("{name} limit {actual:?}");
        if let Some(least) = least {
            let least = Duration::from_millis(least);
            demand(actual.is_none_or(|actual| actual >= least), &complaint);
        }
        if let Some(most) = most {
            let most = Duration::from_millis(most);
            demand(actual.is_some_and(|actual| actual <= most), &complaint);
        }
    }
}
