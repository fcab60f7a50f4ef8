//! The protocol machine in this process, with a pretended search and a clock that only scripts move.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gaur::messages::{
    Bound, Limits, Purpose, SearchEvent, SearchId, SearchInfo, SearchOrder, SearchRequest,
    SearchStatus,
};
use gaur::notation::{parse_move, write_coordinate, write_fen};
use gaur::protocol::format;
use gaur::protocol::machine::{Action, Machine, MachineSettings};
use gaur::rules::Position;
use gaur::types::{Move, Ply, Score};

use crate::directive::{Best, Directive, Expectation, Info, Status, Task, Value};
use crate::peer::{Peer, Received};

/// How many lines of thinking the search that answers by itself prints about one position.
const INFOS_BY_ITSELF: u32 = 3;

/// The machine and everything it is connected to here.
pub struct InProcess {
    machine: Machine,
    lines: VecDeque<String>,
    search: PretendedSearch,
    started: Instant,
    /// What the clock has been moved on by.
    passed: Duration,
    has_quit: bool,
}

/// What the machine believes to be a search.
struct PretendedSearch {
    /// It answers on its own when a script waits, because the script has no `@` lines.
    by_itself: bool,
    running: Option<Running>,
    /// The search before the present one, for answers that come too late.
    previous: Option<SearchRequest>,
    /// At the last `@ expect`.
    last_seen: Option<SearchId>,
    /// `@ hold`: settings are taken over when the script says so.
    hold: bool,
    unconfigured: usize,
    status_wanted: bool,
}

struct Running {
    request: SearchRequest,
    hit: bool,
    hurried: bool,
    paused: bool,
    infos: u32,
}

impl InProcess {
    /// A fresh machine. `by_itself`: see [`PretendedSearch::by_itself`].
    pub fn new(by_itself: bool) -> InProcess {
        InProcess {
            machine: Machine::new(MachineSettings {
                terminal: false,
                ..MachineSettings::default()
            }),
            lines: VecDeque::new(),
            search: PretendedSearch {
                by_itself,
                running: None,
                previous: None,
                last_seen: None,
                hold: false,
                unconfigured: 0,
                status_wanted: false,
            },
            started: Instant::now(),
            passed: Duration::ZERO,
            has_quit: false,
        }
    }

    fn instant(&self) -> Instant {
        self.started + self.passed
    }

    /// Carries out what the machine wants, and what the search says to it at once.
    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Reply(reply) => self
                    .lines
                    .extend(format::write(&reply).lines().map(str::to_string)),
                Action::Search(order) => {
                    if let Some(event) = self.search.obey(order) {
                        self.tell(event);
                    }
                }
                Action::Quit => self.has_quit = true,
            }
        }
    }

    fn tell(&mut self, event: SearchEvent) {
        let actions = self.machine.on_event(event, self.instant());
        self.carry_out(actions);
    }
}

impl Peer for InProcess {
    fn send(&mut self, line: &str) -> Result<(), String> {
        if self.has_quit {
            return Err("the machine has quit".to_string());
        }
        let actions = self.machine.on_line(line, self.instant());
        self.carry_out(actions);
        Ok(())
    }

    fn receive(&mut self, patience: Duration) -> Received {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Received::Line(line);
            }
            if self.has_quit {
                return Received::Closed;
            }
            match self.search.next_by_itself() {
                Some(event) => self.tell(event),
                None => {
                    self.passed += patience;
                    return Received::Nothing;
                }
            }
        }
    }

    fn receive_silently(&mut self, time: Duration) -> Received {
        match self.lines.pop_front() {
            Some(line) => Received::Line(line),
            None => {
                self.passed += time;
                Received::Nothing
            }
        }
    }

    fn wait(&mut self, time: Duration) {
        self.passed += time;
    }

    fn now(&self) -> Duration {
        self.passed
    }

    fn pretend(&mut self, directive: &Directive) -> Result<(), String> {
        match directive {
            Directive::Best(best) => {
                let event = self.search.best(best)?;
                self.tell(event);
            }
            Directive::LateBest(best) => {
                let request = self.search.previous()?;
                self.tell(best_event(request, best)?);
            }
            Directive::Info(info) => {
                let request = &self.search.running()?.request;
                self.tell(info_event(request, info)?);
            }
            Directive::LateInfo(info) => {
                let request = self.search.previous()?;
                self.tell(info_event(request, info)?);
            }
            Directive::Status(status) => {
                if !std::mem::take(&mut self.search.status_wanted) {
                    return Err("nobody asked for a status".to_string());
                }
                let request = &self.search.running()?.request;
                self.tell(status_event(request, status)?);
            }
            Directive::Hold => self.search.hold = true,
            Directive::Configured => {
                self.search.unconfigured = self
                    .search
                    .unconfigured
                    .checked_sub(1)
                    .ok_or("no settings are waiting to be taken over")?;
                self.tell(SearchEvent::Configured);
            }
            Directive::Expect(expectation) => self.search.expect(expectation)?,
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<String>, String> {
        if !self.has_quit {
            self.send("quit")?;
        }
        if !self.has_quit {
            return Err("the machine did not quit".to_string());
        }
        Ok(self.lines.drain(..).collect())
    }
}

impl PretendedSearch {
    /// Takes an order; returns what the search says to it at once.
    fn obey(&mut self, order: SearchOrder) -> Option<SearchEvent> {
        match order {
            SearchOrder::Start(request) => {
                self.forget();
                self.running = Some(Running {
                    request: *request,
                    hit: false,
                    hurried: false,
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
            SearchOrder::MoveNow(id) if self.is_running(id) => {
                if let Some(running) = &mut self.running {
                    running.hurried = true;
                }
            }
            SearchOrder::Pause(id) if self.is_running(id) => self.set_paused(true),
            SearchOrder::Resume(id) if self.is_running(id) => self.set_paused(false),
            SearchOrder::ReportStatus(id) if self.is_running(id) => {
                self.status_wanted = true;
                return self.status_by_itself();
            }
            SearchOrder::Configure(_) if self.hold => self.unconfigured += 1,
            SearchOrder::Configure(_) => return Some(SearchEvent::Configured),
            SearchOrder::Quit => self.forget(),
            // To a search that is no longer there, or of no consequence here.
            SearchOrder::Abandon(_)
            | SearchOrder::PonderHit { .. }
            | SearchOrder::MoveNow(_)
            | SearchOrder::Pause(_)
            | SearchOrder::Resume(_)
            | SearchOrder::ReportStatus(_)
            | SearchOrder::NewGame => {}
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

    fn previous(&self) -> Result<&SearchRequest, String> {
        self.previous
            .as_ref()
            .ok_or_else(|| "there was no search before".to_string())
    }

    /// The end of the running search, in the words of the script.
    fn best(&mut self, best: &Best) -> Result<SearchEvent, String> {
        let running = self.running()?;
        if running.request.purpose != Purpose::Play {
            return Err("the running search does not owe a move".to_string());
        }
        let event = best_event(&running.request, best)?;
        self.forget();
        Ok(event)
    }

    /// What a search that speaks by itself says next when somebody waits for it.
    fn next_by_itself(&mut self) -> Option<SearchEvent> {
        let running = self.running.as_mut().filter(|running| !running.paused)?;
        let request = &running.request;
        let legal = request.position.legal_moves();
        let best = legal
            .iter()
            .copied()
            .find(|mv| !request.excluded.contains(mv));
        if !self.by_itself {
            return None;
        }
        let chatty = match request.purpose {
            Purpose::Play => 1,
            Purpose::Analyse => INFOS_BY_ITSELF,
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
                table_hits: 0,
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
        };
        self.forget();
        Some(event)
    }

    fn status_by_itself(&mut self) -> Option<SearchEvent> {
        if !self.by_itself {
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

    /// Compares what is going on with what the script demands.
    fn expect(&mut self, wanted: &Expectation) -> Result<(), String> {
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
            "it is not a fresh search",
        );
        demand(
            !wanted.same || last_seen == Some(request.id),
            "it is not the same search",
        );
        demand(!wanted.hit || running.hit, "it was not a ponder search");
        demand(running.hurried == wanted.hurried, "told to move now or not");
        demand(running.paused == wanted.paused, "paused or not");
        expect_limits(&request.limits, wanted, &mut demand);
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

fn best_event(request: &SearchRequest, best: &Best) -> Result<SearchEvent, String> {
    let mut position = request.position.clone();
    let mut names = best.best.iter().chain(&best.ponder);
    let mut next = || {
        names
            .next()
            .map(|name| play(&mut position, name))
            .transpose()
    };
    Ok(SearchEvent::Best {
        id: request.id,
        best: next()?,
        ponder: next()?,
        score: score(best.score),
    })
}

fn info_event(request: &SearchRequest, info: &Info) -> Result<SearchEvent, String> {
    let mut position = request.position.clone();
    let pv = info
        .pv
        .iter()
        .map(|name| play(&mut position, name))
        .collect::<Result<Vec<Move>, String>>()?;
    Ok(SearchEvent::Info(
        request.id,
        SearchInfo {
            depth: info.depth,
            selective_depth: info.selective_depth,
            score: score(info.score),
            bound: match info.bound {
                -1 => Bound::Upper,
                1 => Bound::Lower,
                _ => Bound::Exact,
            },
            time: Duration::from_millis(info.time * 10),
            nodes: info.nodes,
            table_hits: 0,
            pv,
        },
    ))
}

fn status_event(request: &SearchRequest, status: &Status) -> Result<SearchEvent, String> {
    let [time, nodes, depth, left, total] = status.numbers;
    let small = |number: u64| u32::try_from(number).map_err(|error| error.to_string());
    let mut position = request.position.clone();
    let current = status
        .current
        .as_ref()
        .map(|name| play(&mut position, name))
        .transpose()?;
    Ok(SearchEvent::Status(
        request.id,
        SearchStatus {
            time: Duration::from_millis(time * 10),
            nodes,
            depth: i32::try_from(depth).map_err(|error| error.to_string())?,
            moves_left: small(left)?,
            moves_total: small(total)?,
            current,
        },
    ))
}

/// Plays a move that a script names, in the position that is being searched.
fn play(position: &mut Position, name: &str) -> Result<Move, String> {
    let mv = parse_move(position, name)
        .map_err(|error| format!("the script's move {name} cannot be played: {error}"))?;
    let _ = position.play(mv);
    Ok(mv)
}

/// A mate in N moves is a mate in 2N-1 half-moves for the side to move, in 2N against it.
fn score(value: Value) -> Score {
    match value {
        Value::Centipawns(centipawns) => Score(centipawns),
        Value::Mate(moves) if moves > 0 => Score::mate_in(Ply(plies(2 * moves - 1))),
        Value::Mate(moves) => Score::mated_in(Ply(plies(-2 * moves))),
    }
}

fn plies<T: TryFrom<i32> + Default>(number: i32) -> T {
    T::try_from(number).unwrap_or_default()
}
