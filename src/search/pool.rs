//! A pool of worker threads, which are created once and wait between searches.
//!
//! The pool of the search thread holds the helpers, workers 1, 2 and so on: the search thread itself is worker 0. The
//! pool of [`ParallelSearch`](super::ParallelSearch) holds all workers.

use std::ops::Range;
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::config::SearchSettings;
use crate::eval::EngineEvaluator;
use crate::messages::Resources;

use super::job::{Job, RunResult, Shared};
use super::resources::{self, STACK_BYTES};
use super::searcher::Searcher;
use super::setup::SearchSetup;
use super::stop::RunId;
use super::table::Table;

/// Number of processors. It is asked for once: on Linux the answer takes several files.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// The result of a worker, and its run.
type Finished = (RunId, Box<RunResult>);

/// The worker threads of one configuration.
pub(super) struct Pool {
    /// Job queue of each worker.
    jobs: Vec<Sender<Arc<Job>>>,
    threads: Vec<JoinHandle<()>>,
    /// Data shared with the workers.
    pub shared: Arc<Shared>,
    /// Receives the results: one for each job and worker.
    pub results: Receiver<Finished>,
    /// Sender that the workers clone. It keeps the channel open even without workers.
    result_sender: Sender<Finished>,
}

impl Pool {
    /// Starts the helpers of a configuration, or those that fit into memory. Their table has the memory of `old` if it
    /// has the right size and `clear` clears it.
    pub fn with_empty_table(
        config: &SearchSettings,
        setup: &SearchSetup,
        old: Option<Table>,
        clear: impl FnOnce(Table) -> Option<Table>,
    ) -> Pool {
        let requested = worker_count(config) - 1;
        let (table, helpers) = resources::table_and_helpers(config, requested, old, clear);
        Pool::new(table, 1..helpers + 1, setup)
    }

    /// Starts the workers with these indices, which share a table, or fewer if the system cannot create as many.
    pub fn new(table: Table, workers: Range<usize>, setup: &SearchSetup) -> Pool {
        let shared = Arc::new(Shared::new(table, workers.end));
        let (result_sender, results) = unbounded();
        let mut pool = Pool {
            jobs: Vec::new(),
            threads: Vec::new(),
            shared,
            results,
            result_sender,
        };
        for worker_id in workers {
            let (job_sender, jobs) = unbounded();
            let (shared, sender) = (Arc::clone(&pool.shared), pool.result_sender.clone());
            let setup = setup.clone();
            let spawned = thread::Builder::new()
                .name(format!("helper {worker_id}"))
                .stack_size(STACK_BYTES)
                .spawn(move || run_worker(worker_id, &shared, &setup, &jobs, &sender));
            match spawned {
                Ok(thread) => {
                    pool.jobs.push(job_sender);
                    pool.threads.push(thread);
                }
                Err(_) => break,
            }
        }
        pool
    }

    /// Returns the memory and threads of a search with these helpers, which have been started for this configuration.
    pub fn resources(&self, config: &SearchSettings) -> Resources {
        let (table, helpers) = (&self.shared.table, self.threads.len());
        resources::resources(table, helpers, worker_count(config) - 1)
    }

    /// Sends a job to all workers and returns the number of workers that will send a result. A worker that is still
    /// ending an earlier, stopped job begins this one afterwards.
    pub fn start(&self, job: &Arc<Job>) -> usize {
        self.jobs
            .iter()
            .filter(|jobs| jobs.send(Arc::clone(job)).is_ok())
            .count()
    }

    /// Ends the workers, whose run must have been stopped, and returns their table unless it is in use elsewhere.
    pub fn into_table(mut self) -> Option<Table> {
        self.end_workers();
        let shared = Arc::clone(&self.shared);
        drop(self);
        Arc::into_inner(shared).map(|shared| shared.table)
    }

    fn end_workers(&mut self) {
        self.jobs.clear();
        for thread in self.threads.drain(..) {
            // A worker that panicked has printed its message.
            let _ = thread.join();
        }
    }
}

impl Drop for Pool {
    /// Stops the workers and waits for their end.
    fn drop(&mut self) {
        self.shared.gate.stop_through(RunId(u64::MAX));
        self.end_workers();
    }
}

/// Runs a worker: searches jobs until the queue is closed.
fn run_worker(
    worker_id: usize,
    shared: &Arc<Shared>,
    setup: &SearchSetup,
    jobs: &Receiver<Arc<Job>>,
    results: &Sender<Finished>,
) {
    let mut searcher = new_searcher(worker_id, shared, setup);
    for job in jobs {
        let run = job.run;
        let result = searcher.iterate(&job, &mut |_| {});
        if worker_id == 0 {
            // Worker 0 has finished the job; the results of the others only add to the vote.
            shared.gate.stop_through(run);
        }
        let _ = results.send((run, Box::new(result)));
    }
}

/// Returns a worker without histories.
pub(super) fn new_searcher(
    worker_id: usize,
    shared: &Arc<Shared>,
    setup: &SearchSetup,
) -> Searcher<EngineEvaluator> {
    Searcher::new(
        EngineEvaluator::new(&setup.evaluation),
        Arc::clone(shared),
        worker_id,
        setup.parameters,
    )
}

/// Returns the number of workers of a configuration, at most one per processor.
pub(super) fn worker_count(config: &SearchSettings) -> usize {
    config.threads.clamp(1, *PROCESSORS)
}

#[cfg(test)]
mod tests;
