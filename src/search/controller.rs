//! The search controller: a thread that runs one search at a time and keeps its time.
//!
//! The thread waits for orders, for reports of the workers and for the next deadline. It alone decides when the time is
//! up: workers read the clock only to space their polls and to limit the first iteration after a stop. It checks hard
//! limits at their deadline and soft limits at the end of each iteration. Workers themselves end a run at its node or
//! depth limit; worker 0 then stops the others.
//!
//! # States
//!
//! [`State`] holds the current search. Its transitions:
//!
//! | state | event | next state |
//! |---|---|---|
//! | `Idle`, `Finished` | start | `Searching`; if no thread could be created, as after the last worker finishes |
//! | `Searching` | worker 0 finishes before others | `Voting` |
//! | `Voting` | the time for votes is over | `Draining` after the answer; `Searching` if no move is due |
//! | `Searching`, `Voting` | the last worker finishes | `Idle` after the answer; `Finished` if no move is due |
//! | `Searching`, `Voting` | new game or settings that affect the search, unless it is for a move | `Restarting` |
//! | `Searching`, `Voting` | ponder hit with a node limit or another depth limit | `Restarting` |
//! | `Searching`, `Voting`, `Restarting` | start or abandon | `Draining` |
//! | `Finished` | ponder hit, resume | `Idle` after the answer |
//! | `Finished` | new game or new settings, for an analysis | `Searching` |
//! | `Finished` | abandon | `Idle` |
//! | `Restarting` | the last worker finishes | `Searching` |
//! | `Draining` | start | `Draining` with the new search as the next one |
//! | `Draining` | abandon | `Draining` without a next search |
//! | `Restarting`, `Draining` | new game or new settings | unchanged: they apply to the next search |
//! | `Draining` | the last worker finishes | `Searching` with the next search; `Idle` without one |
//!
//! A move is due in a search for [`Purpose::Play`](crate::messages::Purpose::Play) that is not paused. Settings and new
//! games take effect when no worker searches: [`PendingChanges`] keeps them until then.

mod launch;
mod limits;
mod memory;
mod pending;
mod reports;
mod settings;
mod state;

#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::config::SearchSettings;
use crate::eval::Network;
use crate::messages::{ScoreOverrides, SearchEvent, SearchOrder};

use super::pool::Pool;
use super::setup::SearchSetup;
use super::stop::RunId;
use pending::PendingChanges;
use state::State;

/// Receives the events of a search, in its thread. It must return soon, because the search waits for it.
pub type EventHandler = Box<dyn FnMut(SearchEvent) + Send + Sync>;

/// The order channel of a search and its thread.
pub struct SearchHandle {
    /// Sends orders to the search.
    pub orders: Sender<SearchOrder>,
    /// Ends after [`SearchOrder::Quit`], or when `orders` is dropped.
    pub thread: JoinHandle<()>,
}

/// Starts the controller and the workers. `network` is the network of the settings. The controller calls `on_event` with
/// each event.
///
/// # Errors
/// Returns an error if the system cannot create the controller's thread.
pub fn start(
    settings: SearchSettings,
    network: Arc<Network>,
    on_event: EventHandler,
) -> std::io::Result<SearchHandle> {
    let (orders, order_receiver) = unbounded();
    let thread = std::thread::Builder::new()
        .name("controller".into())
        .spawn(move || Controller::new(settings, network, order_receiver, on_event).run())?;
    Ok(SearchHandle { orders, thread })
}

/// The controller's data, owned by its thread.
struct Controller {
    state: State,
    pending: PendingChanges,
    /// Settings in use.
    settings: SearchSettings,
    /// Search parameters and evaluation function of the workers.
    setup: SearchSetup,
    /// The last network received, for the next settings.
    network: Arc<Network>,
    pool: Pool,
    orders: Receiver<SearchOrder>,
    on_event: EventHandler,
    last_run: RunId,
    random: ChaCha8Rng,
    /// Seed of the random variation of evaluations, drawn for each game.
    variety_seed: u64,
    /// Score overrides that the table's contents depend on.
    score_overrides: ScoreOverrides,
}

impl Controller {
    fn new(
        settings: SearchSettings,
        network: Arc<Network>,
        orders: Receiver<SearchOrder>,
        on_event: EventHandler,
    ) -> Controller {
        // The standard library takes its hash keys from the system's random source.
        let seed = RandomState::new().build_hasher().finish();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let setup = SearchSetup::new(&settings, Arc::clone(&network));
        Controller {
            state: State::Idle,
            pending: PendingChanges::default(),
            pool: Pool::with_empty_table(&settings, &setup),
            setup,
            network,
            settings,
            orders,
            on_event,
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
                    Ok(order) => self.handle_order(order),
                },
                recv(reports) -> report => if let Ok(report) = report {
                    self.handle_report(report);
                },
                recv(deadline) -> _ => self.check_deadline(),
            }
        }
        self.pool.shared.gate.stop_through(RunId(u64::MAX));
    }

    fn handle_order(&mut self, order: SearchOrder) {
        match order {
            SearchOrder::Start(request) => self.start(request),
            SearchOrder::PonderHit {
                id,
                limits,
                started,
            } => self.ponder_hit(id, limits, started),
            SearchOrder::SetLimits { id, limits } => self.set_limits(id, limits),
            SearchOrder::MoveNow(id) => self.move_now(id),
            SearchOrder::Abandon(id) => self.abandon(id),
            SearchOrder::Pause(id) => self.pause(id),
            SearchOrder::Resume(id) => self.resume(id),
            SearchOrder::ReportStatus(id) => self.report_status(id),
            SearchOrder::UseNetwork(network) => self.network = network,
            SearchOrder::Configure(settings) => self.configure(*settings),
            SearchOrder::NewGame => self.new_game(),
            // The arrival of `ConfirmNow` has interrupted the preparation of the table.
            SearchOrder::ConfirmNow | SearchOrder::Quit => {}
        }
    }

    /// Stops the run whose workers have not all finished, if any.
    fn stop_run(&self) {
        if let Some(run) = self.state.run() {
            self.pool.shared.gate.stop_through(run.id);
        }
    }

    fn emit(&mut self, event: SearchEvent) {
        (self.on_event)(event);
    }
}
