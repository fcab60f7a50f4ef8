//! The search thread: it handles orders, keeps the time, and searches as worker 0.
//!
//! While idle the thread waits for orders and prepares the table. During a search, [`Monitor::poll`] handles orders and
//! checks the hard limit between nodes; the soft limit is checked at the end of each iteration. Lines and answers go
//! straight to the [`EventHandler`]. With several threads, the helpers of the [`Pool`] search the same job.
//!
//! The thread alone decides when the time is up. Workers themselves end a run at its node or depth limit; when worker 0
//! has finished, it stops the others.
//!
//! # States
//!
//! [`State`] holds the current search. Its transitions:
//!
//! | state | event | next state |
//! |---|---|---|
//! | any | start | `Next`; the thread then starts the search: `Searching` |
//! | any | quit | `Ended` |
//! | `Searching` | worker 0 finishes | `Finished` |
//! | `Searching` | abandon | `Idle` |
//! | `Searching` | new game or settings that affect the search, unless it is for a move | `Next` |
//! | `Searching` | ponder hit with a node limit or another depth limit | `Next` |
//! | `Finished` | a move is due: at once, with a ponder hit or resume, or after a wait | `Idle` after the answer |
//! | `Finished` | new game or new settings, for an analysis | `Next` |
//! | `Finished` | abandon | `Idle` |
//!
//! A move is due in a search for [`Purpose::Play`](crate::messages::Purpose::Play) that is not paused; a limited
//! strength then waits for the time that a person would take. A run whose state is no longer `Searching` ends at once
//! and without a result. Settings and new games take effect between runs: [`PendingChanges`] keeps them until then.

mod launch;
mod limited;
mod limits;
mod memory;
mod orders;
mod pending;
mod reports;
mod settings;
mod state;
mod urgency;

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::SearchSettings;
use crate::eval::{EngineEvaluator, Network};
use crate::messages::{Contempt, Resources, ScoreOverrides, SearchEvent, SearchOrder};
use crate::tablebase::Tablebases;

use super::immediate::{ImmediateMoves, has_no_time, immediate_result};
use super::job::{Job, RunResult};
use super::monitor::Monitor;
use super::pool::{Pool, new_searcher};
use super::resources::STACK_BYTES;
use super::running_search::SearchTask;
use super::searcher::Searcher;
use super::setup::SearchSetup;
use super::stop::RunId;
use super::strength::LimitedSearch;
use pending::PendingChanges;
use state::State;

/// Longest time that the confirmation of settings and new games waits for the table. Some systems need seconds for each
/// gigabyte, and hosts give up an engine whose pong does not come.
const CONFIRMATION_TIMEOUT: Duration = Duration::from_secs(3);

/// Receives the events of a search, in its thread. It must return soon, because the search waits for it.
pub type EventHandler = Box<dyn FnMut(SearchEvent) + Send + Sync>;

/// The order channel of a search and its thread.
pub struct SearchHandle {
    /// Sends orders to the search.
    pub orders: Sender<SearchOrder>,
    /// Answers requests without the search thread if their time is over.
    pub immediate: ImmediateMoves,
    /// Ends after [`SearchOrder::Quit`], or when `orders` is dropped.
    pub thread: JoinHandle<()>,
}

/// Starts the search thread and its helpers, and waits until they have their memory: threads that start meanwhile could
/// find none. `network` is the network of the settings. The search thread calls `on_event` with each event.
///
/// # Errors
/// Returns an error if the system cannot create the search thread.
pub fn start(
    settings: SearchSettings,
    network: Arc<Network>,
    on_event: EventHandler,
) -> std::io::Result<SearchHandle> {
    let (orders, order_receiver) = unbounded();
    let (ready_sender, ready) = bounded(1);
    let immediate = ImmediateMoves::default();
    let thread_immediate = immediate.clone();
    let thread = std::thread::Builder::new()
        .name("search".into())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let controller = Controller::new(
                settings,
                network,
                order_receiver,
                on_event,
                thread_immediate,
            );
            let search = SearchThread::new(controller);
            ready_sender.send(()).unwrap_or_default();
            search.run();
        })?;
    // A thread that panics has printed its message.
    ready.recv().map_err(std::io::Error::other)?;
    Ok(SearchHandle {
        orders,
        immediate,
        thread,
    })
}

/// The data of the search thread.
struct SearchThread {
    /// Shared with the searcher, which polls it. Only this thread locks it.
    controller: Arc<Mutex<Controller>>,
    /// Worker 0; `None` while the table is renewed.
    searcher: Option<Searcher<EngineEvaluator>>,
    /// Searches with limited strength; `None` before the first one of a game.
    limited: Option<LimitedSearch>,
}

impl SearchThread {
    fn new(controller: Controller) -> SearchThread {
        SearchThread {
            searcher: Some(controller.new_searcher()),
            limited: None,
            controller: Arc::new(Mutex::new(controller)),
        }
    }

    /// Handles orders until [`SearchOrder::Quit`].
    fn run(mut self) {
        loop {
            self.run_pending_searches();
            let mut controller = lock(&self.controller);
            if matches!(controller.state, State::Ended) {
                break;
            }
            controller.prepare_and_confirm(CONFIRMATION_TIMEOUT);
            controller.wait_for_order();
        }
    }

    /// Searches, answers and applies changes until only another order can change the state.
    fn run_pending_searches(&mut self) {
        loop {
            let mut controller = lock(&self.controller);
            controller.finish_search();
            if controller.take_over_changes() {
                // The table can only be renewed if no worker uses it.
                self.searcher = None;
                self.limited = None;
                controller.renew_pool();
            }
            let searcher = self
                .searcher
                .get_or_insert_with(|| controller.new_searcher());
            let Some(task) = controller.state.take_next() else {
                break;
            };
            if let Some(strength) = task.request.strength {
                drop(controller);
                self.search_limited(task, strength);
            } else {
                drop(controller);
                search(&self.controller, searcher, task);
            }
        }
    }
}

/// Searches as worker 0 until the search ends or its result is not wanted any more.
fn search(
    controller: &Arc<Mutex<Controller>>,
    searcher: &mut Searcher<EngineEvaluator>,
    task: SearchTask,
) {
    let immediate = lock(controller).immediate_result(&task);
    let job = lock(controller).launch(task);
    let result = immediate.unwrap_or_else(|| {
        searcher.monitor = Some(Box::new(Arc::clone(controller)));
        let result = searcher.iterate(&job, &mut |progress| {
            lock(controller).handle_progress(progress);
        });
        searcher.monitor = None;
        result
    });
    lock(controller).end_run(result);
}

/// Locks the controller. Only the search thread does, so it never waits for the lock.
fn lock(controller: &Mutex<Controller>) -> MutexGuard<'_, Controller> {
    controller.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Monitor for Arc<Mutex<Controller>> {
    fn poll(&mut self) -> bool {
        lock(self).poll()
    }
}

/// The search thread without its searcher.
struct Controller {
    state: State,
    pending: PendingChanges,
    /// Settings in use.
    settings: SearchSettings,
    /// Search parameters and evaluation function of the workers.
    setup: SearchSetup,
    /// The last network received, for the next settings.
    network: Arc<Network>,
    /// Tablebases to probe; `None`: none.
    tablebases: Option<Arc<Tablebases>>,
    /// The helpers, and the data that they share with worker 0.
    pool: Pool,
    /// Uses the table of the pool in other threads.
    immediate: ImmediateMoves,
    /// Resources of the pool that were examined last.
    reported_resources: Option<Resources>,
    orders: Receiver<SearchOrder>,
    on_event: EventHandler,
    last_run: RunId,
    /// Job of the last run.
    job: Option<Arc<Job>>,
    random: ChaCha8Rng,
    /// Seed of the random variation of evaluations, drawn for each game.
    variety_seed: u64,
    /// Score overrides that the table's contents depend on.
    score_overrides: ScoreOverrides,
    /// Contempt that the table's contents depend on.
    contempt: Contempt,
}

impl Controller {
    fn new(
        settings: SearchSettings,
        network: Arc<Network>,
        orders: Receiver<SearchOrder>,
        on_event: EventHandler,
        immediate: ImmediateMoves,
    ) -> Controller {
        // The standard library takes its hash keys from the system's random source.
        let seed = RandomState::new().build_hasher().finish();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let setup = SearchSetup::new(&settings, Arc::clone(&network));
        let pool = Pool::with_empty_table(&settings, &setup, None, |_| None);
        immediate.use_table_of(&pool.shared);
        Controller {
            state: State::Idle,
            pending: PendingChanges::default(),
            pool,
            immediate,
            reported_resources: None,
            setup,
            network,
            tablebases: None,
            settings,
            orders,
            on_event,
            last_run: RunId::default(),
            job: None,
            variety_seed: random.next_u64(),
            random,
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
        }
    }

    /// Returns a new worker 0.
    fn new_searcher(&self) -> Searcher<EngineEvaluator> {
        new_searcher(0, &self.pool.shared, &self.setup)
    }

    /// Stops the run that has not ended, if any.
    fn stop_run(&self) {
        self.pool.shared.gate.stop_through(self.last_run);
    }

    /// Returns the result of a task that leaves no time to search, if a move is available.
    fn immediate_result(&self, task: &SearchTask) -> Option<RunResult> {
        let is_urgent = task.paused.is_none() && has_no_time(&task.request);
        is_urgent
            .then(|| immediate_result(&task.request, &self.pool.shared.table))
            .flatten()
    }

    fn emit(&mut self, event: SearchEvent) {
        (self.on_event)(event);
    }
}
