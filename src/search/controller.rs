//! The controller: one active search, its time, its end.
//!
//! A thread that waits for orders, for reports of the workers, and for the hard deadline, whichever comes first.
//! It alone reads the clock for the search; the tree below never does. Soft limits are judged when an iteration ends.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::Config;
use crate::messages::{
    Bound, Limits, Purpose, SearchEvent, SearchId, SearchInfo, SearchOrder, SearchRequest,
    SearchStatus,
};
use crate::types::{MAX_DEPTH, Move};

use super::job::{Job, Progress, RunResult};
use super::pool::{Pool, Report};
use super::stop::RunId;

/// Between two lines of thinking that no finished iteration asks for.
const LINE_INTERVAL: Duration = Duration::from_millis(50);

/// The two ends of the channels to a search, and its thread.
pub struct SearchHandle {
    /// Takes orders.
    pub orders: Sender<SearchOrder>,
    /// Gives events.
    pub events: Receiver<SearchEvent>,
    /// Ends after [`SearchOrder::Quit`], or when `orders` is dropped.
    pub thread: JoinHandle<()>,
}

/// Starts the search side of an engine.
///
/// # Errors
/// If the system grants no thread.
pub fn start(config: Config) -> std::io::Result<SearchHandle> {
    let (orders, order_receiver) = unbounded();
    let (event_sender, events) = unbounded();
    let thread = std::thread::Builder::new()
        .name("controller".into())
        .spawn(move || Controller::new(config, event_sender).run(&order_receiver))?;
    Ok(SearchHandle {
        orders,
        events,
        thread,
    })
}

/// The search being done.
struct Active {
    request: SearchRequest,
    run: RunId,
    /// Workers that have not finished this run.
    running: usize,
    /// From which its time counts, moved on by pauses.
    started: Instant,
    /// When the search was frozen.
    paused: Option<Instant>,
    /// What the first worker found, once it has finished.
    result: Option<RunResult>,
    /// Nobody wants the answer any more.
    abandoned: bool,
    /// Stopped to be started again with a new configuration.
    restarting: bool,
    last_line: Option<(Instant, SearchInfo)>,
    root_moves: Vec<Move>,
}

struct Controller {
    config: Config,
    pool: Pool,
    events: Sender<SearchEvent>,
    active: Option<Active>,
    /// Waits until the abandoned one has ended.
    next: Option<SearchRequest>,
    new_config: Option<Config>,
    forget: bool,
    last_run: RunId,
    random: ChaCha8Rng,
    variety_seed: u64,
}

impl Controller {
    fn new(config: Config, events: Sender<SearchEvent>) -> Controller {
        // The standard library's hash keys come from the system's random source.
        let moment = RandomState::new().build_hasher().finish();
        let mut random = ChaCha8Rng::seed_from_u64(moment);
        Controller {
            pool: new_pool(&config),
            config,
            events,
            active: None,
            next: None,
            new_config: None,
            forget: false,
            last_run: RunId::default(),
            variety_seed: random.next_u64(),
            random,
        }
    }

    fn run(mut self, orders: &Receiver<SearchOrder>) {
        loop {
            let deadline = self.deadline().map_or_else(never, crossbeam_channel::at);
            let reports = self.pool.reports.clone();
            select! {
                recv(orders) -> order => match order {
                    Ok(SearchOrder::Quit) | Err(_) => break,
                    Ok(order) => self.obey(order),
                },
                recv(reports) -> report => if let Ok(report) = report {
                    self.hear(report);
                },
                recv(deadline) -> _ => self.stop(),
            }
        }
        self.pool.shared.gate.stop_through(RunId(u64::MAX));
    }

    fn obey(&mut self, order: SearchOrder) {
        match order {
            SearchOrder::Start(request) => {
                self.abandon();
                self.next = Some(*request);
                self.proceed();
            }
            SearchOrder::PonderHit {
                id,
                limits,
                started,
            } => self.ponder_hit(id, limits, started),
            SearchOrder::MoveNow(id) => {
                if self
                    .active_with(id)
                    .is_some_and(|active| active.request.purpose == Purpose::Play)
                {
                    self.stop();
                }
            }
            SearchOrder::Abandon(id) => {
                if self.next.as_ref().is_some_and(|next| next.id == id) {
                    self.next = None;
                }
                if self.active_with(id).is_some() {
                    self.abandon();
                    self.proceed();
                }
            }
            SearchOrder::Pause(id) => self.pause(id),
            SearchOrder::Resume(id) => self.resume(id),
            SearchOrder::ReportStatus(id) => self.report_status(id),
            SearchOrder::Configure(config) => self.configure(*config),
            SearchOrder::NewGame => {
                self.forget = true;
                self.variety_seed = self.random.next_u64();
                self.proceed();
            }
            SearchOrder::Quit => {}
        }
    }

    fn active_with(&mut self, id: SearchId) -> Option<&mut Active> {
        self.active
            .as_mut()
            .filter(|active| active.request.id == id && !active.abandoned)
    }

    /// When the running search must stop.
    fn deadline(&self) -> Option<Instant> {
        let active = self.active.as_ref()?;
        let owed = active.request.purpose == Purpose::Play
            && active.running > 0
            && active.paused.is_none();
        let stopped = self.pool.shared.gate.is_stopped(active.run);
        let budget = active.request.limits.budget.filter(|_| owed && !stopped)?;
        active.started.checked_add(budget.hard)
    }

    /// Ends the running search; its answer stays wanted.
    fn stop(&mut self) {
        if let Some(active) = &self.active {
            self.pool.shared.gate.stop_through(active.run);
        }
    }

    fn abandon(&mut self) {
        if let Some(active) = &mut self.active {
            active.abandoned = true;
        }
        self.stop();
    }

    /// Takes up what has been waiting for the workers to be free.
    fn proceed(&mut self) {
        if self
            .active
            .as_ref()
            .is_some_and(|active| active.running > 0)
        {
            return;
        }
        if self.active.as_ref().is_some_and(|active| active.abandoned) {
            self.active = None;
        }
        if let Some(config) = self.new_config.take() {
            self.apply(config);
        }
        if std::mem::take(&mut self.forget) {
            self.pool.forget();
        }
        if let Some(active) = self.active.take_if(|active| active.restarting) {
            let paused = active.paused;
            self.launch(active.request, active.started);
            if let (Some(active), Some(since)) = (&mut self.active, paused) {
                active.paused = Some(since);
                self.pool.shared.gate.set_frozen(true);
            }
        }
        if self.active.is_none()
            && let Some(request) = self.next.take()
        {
            let started = request.started;
            self.launch(request, started);
        }
    }

    fn launch(&mut self, request: SearchRequest, started: Instant) {
        self.last_run = RunId(self.last_run.0 + 1);
        let run = self.last_run;
        let root_moves: Vec<Move> = request
            .position
            .legal_moves()
            .into_iter()
            .filter(|mv| !request.excluded.contains(mv))
            .collect();
        let shared = &self.pool.shared;
        shared.status.reset(root_moves.len());
        shared.gate.set_frozen(false);
        shared.table.age();
        let job = Job {
            run,
            position: request.position.clone(),
            root_moves: root_moves.clone(),
            depth: request
                .limits
                .depth
                .unwrap_or(MAX_DEPTH)
                .clamp(1, MAX_DEPTH),
            nodes: request
                .limits
                .nodes
                .filter(|_| request.purpose == Purpose::Play),
            multi_pv: if request.purpose == Purpose::Analyse {
                self.config.multi_pv.max(1)
            } else {
                1
            },
            variety: self.config.variety,
            variety_seed: self.variety_seed,
        };
        self.active = Some(Active {
            request,
            run,
            running: self.pool.len(),
            started,
            paused: None,
            result: None,
            abandoned: false,
            restarting: false,
            last_line: None,
            root_moves,
        });
        self.pool.start(job);
    }

    fn ponder_hit(&mut self, id: SearchId, limits: Limits, started: Instant) {
        let Some(active) = self.active_with(id) else {
            return;
        };
        active.request.purpose = Purpose::Play;
        active.request.limits = limits;
        active.started = started;
        if limits.nodes.is_some() {
            // The workers did not count for a limit so far.
            self.restart();
        }
        self.settle();
    }

    fn pause(&mut self, id: SearchId) {
        if let Some(active) = self.active_with(id)
            && active.paused.is_none()
        {
            active.paused = Some(Instant::now());
            self.pool.shared.gate.set_frozen(true);
        }
    }

    fn resume(&mut self, id: SearchId) {
        if let Some(active) = self.active_with(id)
            && let Some(since) = active.paused.take()
        {
            active.started += since.elapsed();
            self.pool.shared.gate.set_frozen(false);
            self.settle();
        }
    }

    fn report_status(&mut self, id: SearchId) {
        let shared = std::sync::Arc::clone(&self.pool.shared);
        let Some(active) = self.active_with(id) else {
            return;
        };
        let (depth, moves_left, moves_total, current) = shared.status.read();
        let status = SearchStatus {
            time: active.elapsed(),
            nodes: shared.nodes(),
            depth,
            moves_left,
            moves_total,
            current,
        };
        self.emit(SearchEvent::Status(id, status));
    }

    /// A search that owes a move keeps its table; any other is stopped, and goes on with the new settings.
    fn configure(&mut self, config: Config) {
        self.new_config = Some(config);
        let may_wait = self.active.as_ref().is_some_and(|active| {
            active.running > 0 && !active.abandoned && active.request.purpose == Purpose::Play
        });
        if !may_wait {
            self.restart();
        }
        self.proceed();
        self.emit(SearchEvent::Configured);
    }

    /// Stops the running search to start it again from its first iteration.
    fn restart(&mut self) {
        if let Some(active) = self
            .active
            .as_mut()
            .filter(|active| active.running > 0 && !active.abandoned)
        {
            active.restarting = true;
        }
        self.stop();
    }

    fn apply(&mut self, config: Config) {
        let same_workers = config.hash_megabytes == self.config.hash_megabytes
            && config.threads == self.config.threads
            && config.parameters == self.config.parameters;
        if !same_workers {
            // The old table must be gone before the new one is made: both may not fit.
            self.pool = Pool::new(0, 0, config.parameters);
            self.pool = new_pool(&config);
        }
        self.config = config;
    }

    fn hear(&mut self, report: Report) {
        match report {
            Report::Progress(run, progress) => self.hear_progress(run, progress),
            Report::Finished {
                run,
                worker,
                result,
            } => {
                let Some(active) = self.active.as_mut().filter(|active| active.run == run) else {
                    return;
                };
                active.running -= 1;
                if worker == 0 {
                    active.result = Some(result);
                }
                if active.running == 0 {
                    self.settle();
                    self.proceed();
                }
            }
        }
    }

    fn hear_progress(&mut self, run: RunId, progress: Progress) {
        let stopped = self.pool.shared.gate.is_stopped(run);
        let nodes = self.pool.shared.nodes();
        let Some(active) = self
            .active
            .as_mut()
            .filter(|active| active.run == run && !active.abandoned)
        else {
            return;
        };
        match progress {
            Progress::Line(mut info) => {
                info.time = active.elapsed();
                info.nodes = nodes.max(info.nodes);
                let recent = active
                    .last_line
                    .as_ref()
                    .is_some_and(|(at, _)| at.elapsed() < LINE_INTERVAL);
                if info.bound == Bound::Exact || !recent {
                    active.last_line = Some((Instant::now(), info.clone()));
                    let id = active.request.id;
                    self.emit(SearchEvent::Info(id, info));
                }
            }
            Progress::Iteration => {
                if !stopped && active.should_stop_after_iteration() {
                    self.stop();
                }
            }
        }
    }

    /// Answers, if the search has ended and a move is owed.
    fn settle(&mut self) {
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
        if active.request.purpose != Purpose::Play || active.paused.is_some() {
            return;
        }
        let Some(active) = self.active.take() else {
            return;
        };
        let Some(result) = active.result else { return };
        let id = active.request.id;
        let time = active.started.elapsed();
        let shown = active
            .last_line
            .as_ref()
            .and_then(|(_, info)| info.pv.first().copied());
        if result.best.is_some() && shown != result.best {
            // The last line shown must begin with the move played.
            let info = SearchInfo {
                depth: result.depth.max(1),
                selective_depth: result.selective_depth,
                score: result.score,
                bound: Bound::Exact,
                time,
                nodes: self.pool.shared.nodes(),
                table_hits: 0,
                pv: result.line.clone(),
            };
            self.emit(SearchEvent::Info(id, info));
        }
        self.emit(SearchEvent::Best {
            id,
            best: result.best,
            ponder: result.ponder,
            score: result.score,
        });
    }

    fn emit(&self, event: SearchEvent) {
        // Nobody listens any more only when the program is ending.
        let _ = self.events.send(event);
    }
}

/// The workers a configuration asks for, no more than the machine has processors.
fn new_pool(config: &Config) -> Pool {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Pool::new(
        config.hash_megabytes,
        config.threads.clamp(1, processors),
        config.parameters,
    )
}

impl Active {
    /// Time used, pauses not counted.
    fn elapsed(&self) -> Duration {
        self.paused.map_or_else(
            || self.started.elapsed(),
            |since| since.saturating_duration_since(self.started),
        )
    }

    /// Whether to answer now rather than begin the next iteration.
    fn should_stop_after_iteration(&self) -> bool {
        if self.request.purpose != Purpose::Play {
            return false;
        }
        let Some(budget) = self.request.limits.budget else {
            return false;
        };
        self.root_moves.len() == 1 || self.elapsed() >= budget.soft
    }
}

#[cfg(test)]
mod tests;
