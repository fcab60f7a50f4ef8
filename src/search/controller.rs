//! The controller: one active search, its time, its end.
//!
//! A thread that waits for orders, for reports of the workers, and for the hard deadline, whichever comes first.
//! It alone decides when time is up: workers read the clock only to bound the time between two polls. Soft limits are
//! checked when an iteration ends.

mod memory;
mod reports;

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::{Config, EvaluationChoice};
use crate::eval::Evaluation;
use crate::messages::{
    Limits, Purpose, ScoreOverrides, SearchEvent, SearchId, SearchOrder, TimeSource,
};
use crate::types::MAX_DEPTH;

use super::active::{Active, Wanted};
use super::job::{Job, RunResult};
use super::pool::Pool;
use super::setup::SearchSetup;
use super::stop::RunId;
use memory::{new_table, worker_count};

/// The least time before processor time, or nodes that the workers do not count, are looked at again.
const COST_STEP: Duration = Duration::from_millis(1);

/// How long the first worker's answer waits at most for the others' votes: they see a stop within a fraction of this,
/// unless they wait for a processor themselves.
const VOTING_TIME: Duration = Duration::from_millis(4);

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
        .spawn(move || Controller::new(config, order_receiver, event_sender).run())?;
    Ok(SearchHandle {
        orders,
        events,
        thread,
    })
}

struct Controller {
    config: Config,
    /// What the workers think with.
    setup: SearchSetup,
    pool: Pool,
    orders: Receiver<SearchOrder>,
    events: Sender<SearchEvent>,
    active: Option<Active>,
    /// Waits until the abandoned one has ended.
    next: Option<Wanted>,
    /// What is to count as soon as no move is owed.
    new_config: Option<(Config, SearchSetup)>,
    /// What the last configurations have asked for in vain.
    refused: Option<EvaluationChoice>,
    forget: bool,
    /// Settings and new games that have not been confirmed.
    unconfirmed: usize,
    last_run: RunId,
    random: ChaCha8Rng,
    variety_seed: u64,
    /// The scores given by the user that the table's contents are built on.
    score_overrides: ScoreOverrides,
}

impl Controller {
    fn new(
        config: Config,
        orders: Receiver<SearchOrder>,
        events: Sender<SearchEvent>,
    ) -> Controller {
        // The standard library's hash keys come from the system's random source.
        let moment = RandomState::new().build_hasher().finish();
        let mut random = ChaCha8Rng::seed_from_u64(moment);
        let mut setup = SearchSetup::from_config(&config).unwrap_or_default();
        setup.parameters = config.parameters;
        Controller {
            pool: Pool::new(new_table(&config), worker_count(&config), &setup),
            setup,
            config,
            orders,
            events,
            active: None,
            next: None,
            new_config: None,
            refused: None,
            forget: false,
            unconfirmed: 0,
            last_run: RunId::default(),
            variety_seed: random.next_u64(),
            random,
            score_overrides: ScoreOverrides::default(),
        }
    }

    fn run(mut self) {
        loop {
            self.prepare_table();
            self.confirm();
            let deadline = self.deadline().map_or_else(never, crossbeam_channel::at);
            let (orders, reports) = (self.orders.clone(), self.pool.reports.clone());
            select! {
                recv(orders) -> order => match order {
                    Ok(SearchOrder::Quit) | Err(_) => break,
                    Ok(order) => self.obey(order),
                },
                recv(reports) -> report => if let Ok(report) = report {
                    self.hear(report);
                },
                recv(deadline) -> _ => self.stop_if_due(),
            }
        }
        self.pool.shared.gate.stop_through(RunId(u64::MAX));
    }

    fn obey(&mut self, order: SearchOrder) {
        match order {
            SearchOrder::Start(request) => {
                self.abandon();
                self.next = Some(Wanted::new(*request));
                self.proceed();
            }
            SearchOrder::PonderHit {
                id,
                limits,
                started,
            } => self.ponder_hit(id, limits, started),
            SearchOrder::SetLimits { id, limits } => self.set_limits(id, limits),
            SearchOrder::MoveNow(id) => self.move_now(id),
            SearchOrder::Abandon(id) => {
                self.next.take_if(|next| next.request.id == id);
                if self.active_with(id).is_some() {
                    self.abandon();
                    self.proceed();
                }
            }
            SearchOrder::Pause(id) => self.pause(id),
            SearchOrder::Resume(id) => self.resume(id),
            SearchOrder::ReportStatus(id) => self.report_status(id),
            SearchOrder::Configure(config) => self.configure(*config),
            SearchOrder::NewGame => self.new_game(),
            // Its arrival has ended what it is about.
            SearchOrder::Hurry | SearchOrder::Quit => {}
        }
    }

    fn active_with(&mut self, id: SearchId) -> Option<&mut Active> {
        self.active
            .as_mut()
            .filter(|active| active.wanted.request.id == id && !active.abandoned)
    }

    /// The search with this number, whether it is being done or still waits for its turn.
    fn wanted_with(&mut self, id: SearchId) -> Option<&mut Wanted> {
        let next = self.next.as_mut().filter(|next| next.request.id == id);
        let active = self
            .active
            .as_mut()
            .filter(|active| !active.abandoned)
            .map(|active| &mut active.wanted);
        next.or(active.filter(|active| active.request.id == id))
    }

    /// When to see whether the running search must stop.
    fn deadline(&self) -> Option<Instant> {
        let active = self.active.as_ref()?;
        if active.votes_until.is_some() {
            return active.votes_until;
        }
        let request = &active.wanted.request;
        let is_due = request.purpose == Purpose::Play
            && active.running > 0
            && active.wanted.paused.is_none();
        let stopped = self.pool.shared.gate.is_stopped(active.run);
        if !is_due || stopped {
            return None;
        }
        if active.has_new_limits && request.limits.nodes.is_some() {
            return Instant::now().checked_add(COST_STEP);
        }
        let budget = request.limits.budget?;
        match request.time_source {
            TimeSource::Wall => request.started.checked_add(budget.hard),
            TimeSource::Processor => {
                // No sooner can so many threads have used it up.
                let used = active.elapsed_of_budget(&self.pool.shared);
                let left = budget.hard.saturating_sub(used) / active.running as u32;
                Instant::now().checked_add(left.max(COST_STEP))
            }
        }
    }

    /// The moment has come that [`Controller::deadline`] named. Threads that wait for a processor use no time of one.
    fn stop_if_due(&mut self) {
        let Some(active) = &mut self.active else {
            return;
        };
        if active.votes_until.take().is_some() {
            if !active.abandoned && !active.restarting {
                self.answer();
            }
            return;
        }
        let request = &active.wanted.request;
        let used = active.elapsed_of_budget(&self.pool.shared);
        let budget = request.limits.budget;
        let is_over = match budget {
            Some(budget) => request.time_source == TimeSource::Wall || used >= budget.hard,
            None => active.has_reached_new_limits(&self.pool.shared),
        };
        if is_over {
            self.stop();
        }
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
        self.active.take_if(|active| active.abandoned);
        if let Some(active) = self.active.as_mut().filter(|active| active.restarting) {
            active.wanted.lost = active.elapsed(&self.pool.shared);
            active.wanted.earlier = active.spent(&self.pool.shared);
        }
        if let Some(next) = self.next.as_ref().filter(|_| self.active.is_none())
            && next.request.score_overrides != self.score_overrides
        {
            self.score_overrides
                .clone_from(&next.request.score_overrides);
            self.forget = true;
        }
        if let Some((config, setup)) = self.new_config.take() {
            self.forget |= self.needs_new_pool(&config, &setup);
            (self.config, self.setup) = (config, setup);
        }
        if self.forget {
            self.forget = false;
            self.renew_pool();
        }
        if let Some(active) = self.active.take_if(|active| active.restarting) {
            self.launch(active.wanted);
        }
        if self.active.is_none()
            && let Some(next) = self.next.take()
        {
            self.launch(next);
        }
    }

    fn launch(&mut self, wanted: Wanted) {
        self.last_run = RunId(self.last_run.0 + 1);
        let run = self.last_run;
        let request = &wanted.request;
        let root_moves = wanted.root_moves();
        let shared = &self.pool.shared;
        shared.reset_counters();
        shared.status.reset(root_moves.len());
        shared.gate.set_frozen(wanted.paused.is_some());
        self.use_table_for(request);
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
            soft_nodes: None,
            multi_pv: if request.purpose == Purpose::Analyse {
                self.config.multi_pv.max(1)
            } else {
                1
            },
            score_overrides: request.score_overrides.clone(),
            time_source: request.time_source,
            measure_processor_time: request.time_source == TimeSource::Processor,
            variety: self.config.variety,
            variety_seed: self.variety_seed,
        };
        if wanted.move_now {
            shared.gate.stop_through(run);
        }
        let running = self.pool.start(job);
        // Without any worker the first move must do.
        let unsearched = (running == 0).then(|| RunResult::unsearched(root_moves.first().copied()));
        self.active = Some(Active {
            wanted,
            run,
            running,
            results: unsearched.into_iter().collect(),
            votes_until: None,
            abandoned: false,
            restarting: false,
            has_new_limits: false,
            line_depth: 0,
            completed_depth: 0,
            last_iteration: None,
            last_line: None,
            lines: 0,
            held_line: None,
            root_moves,
        });
        self.settle();
    }

    fn ponder_hit(&mut self, id: SearchId, limits: Limits, started: Instant) {
        let Some(wanted) = self.wanted_with(id) else {
            return;
        };
        let other_depth = wanted.request.limits.depth != limits.depth;
        wanted.request.purpose = Purpose::Play;
        wanted.request.limits = limits;
        wanted.request.started = started;
        let shared = Arc::clone(&self.pool.shared);
        let Some(active) = self.active_with(id) else {
            return;
        };
        active.wanted.spent_before = active.spent(&shared);
        if limits.nodes.is_some() || other_depth {
            // The workers did not know of this limit so far.
            self.restart();
        } else if active.has_thought_enough() {
            self.stop();
        }
        self.proceed();
        self.settle();
    }

    fn set_limits(&mut self, id: SearchId, limits: Limits) {
        if let Some(wanted) = self.wanted_with(id) {
            wanted.request.limits = limits;
        }
        let shared = Arc::clone(&self.pool.shared);
        if let Some(active) = self.active_with(id).filter(|active| !active.restarting) {
            active.has_new_limits = true;
            if active.has_thought_enough() || active.has_reached_new_limits(&shared) {
                self.stop();
            }
        }
    }

    fn move_now(&mut self, id: SearchId) {
        if let Some(wanted) = self.wanted_with(id)
            && wanted.request.purpose == Purpose::Play
        {
            wanted.move_now = true;
            if self.active_with(id).is_some() {
                self.stop();
            }
        }
    }

    fn pause(&mut self, id: SearchId) {
        if let Some(wanted) = self.wanted_with(id)
            && wanted.paused.is_none()
        {
            wanted.paused = Some(Instant::now());
            if self.active_with(id).is_some() {
                self.pool.shared.gate.set_frozen(true);
            }
        }
    }

    fn resume(&mut self, id: SearchId) {
        if let Some(wanted) = self.wanted_with(id)
            && let Some(since) = wanted.paused.take()
        {
            wanted.request.started += since.elapsed();
            wanted.began += since.elapsed();
            if self.active_with(id).is_some() {
                self.pool.shared.gate.set_frozen(false);
            }
            self.settle();
        }
    }

    /// What was learned counts no more. A search that owes a move keeps it to its end, any other starts afresh.
    fn new_game(&mut self) {
        self.forget = true;
        self.score_overrides = ScoreOverrides::default();
        self.variety_seed = self.random.next_u64();
        if !self.owes_move() {
            self.restart();
        }
        self.unconfirmed += 1;
        self.proceed();
    }

    /// Whether workers are busy with a move that is owed.
    fn owes_move(&self) -> bool {
        self.active.as_ref().is_some_and(|active| {
            active.running > 0
                && !active.abandoned
                && active.wanted.request.purpose == Purpose::Play
        })
    }

    /// A search that owes a move keeps its table; any other is stopped, and goes on with the new settings.
    fn configure(&mut self, mut config: Config) {
        let setup = self.setup_for(&mut config);
        let is_analysing = self
            .active
            .as_ref()
            .is_some_and(|active| active.wanted.request.purpose == Purpose::Analyse);
        let matters = self.needs_new_pool(&config, &setup)
            || is_analysing && config.multi_pv != self.config.multi_pv;
        self.new_config = Some((config, setup));
        if matters && !self.owes_move() {
            self.restart();
        }
        self.unconfirmed += 1;
        self.proceed();
    }

    /// The setup that a new configuration asks for. If its network cannot be had, the one so far stays, in the
    /// configuration as well, unless none is wanted; that is told once, though other settings may come before the
    /// machine has heard of it.
    fn setup_for(&mut self, config: &mut Config) -> SearchSetup {
        let (latest, setup) = match &self.new_config {
            Some((config, setup)) => (config, setup),
            None => (&self.config, &self.setup),
        };
        let mut setup = setup.clone();
        let mut used = latest.evaluation.clone();
        let is_classical = config.evaluation.is_classical;
        let is_refused = self.refused.as_ref().is_some_and(|refused| {
            config.evaluation.names_the_file_of(refused) && is_classical >= refused.is_classical
        });
        if is_refused {
            if is_classical {
                used.is_classical = true;
                setup.evaluation = Evaluation::Classical;
            }
            config.evaluation = used;
        } else {
            self.refused = None;
            if is_classical && config.evaluation.names_the_file_of(&used) {
                setup.evaluation = Evaluation::Classical;
            } else if config.evaluation != used {
                match SearchSetup::from_config(config) {
                    Ok(new) => setup.evaluation = new.evaluation,
                    Err(error) => {
                        if is_classical {
                            used.is_classical = true;
                            setup.evaluation = Evaluation::Classical;
                        }
                        let refused = std::mem::replace(&mut config.evaluation, used.clone());
                        self.refused = Some(refused.clone());
                        self.emit(SearchEvent::NetworkRefused {
                            reason: error.to_string(),
                            refused,
                            used,
                        });
                    }
                }
            }
        }
        setup.parameters = config.parameters;
        setup
    }

    /// Whether what the workers know is of no use with a new configuration.
    fn needs_new_pool(&self, config: &Config, setup: &SearchSetup) -> bool {
        // Evaluations in the table carry the variety.
        self.config.hash_megabytes != config.hash_megabytes
            || self.config.threads != config.threads
            || self.config.variety != config.variety
            || self.setup != *setup
    }

    /// Stops the search to start it again from its first iteration; an analysis even when it has found all it can.
    fn restart(&mut self) {
        if let Some(active) = self.active.as_mut().filter(|active| !active.abandoned)
            && (active.running > 0 || active.wanted.request.purpose == Purpose::Analyse)
        {
            active.restarting = true;
            self.stop();
        }
    }
}
