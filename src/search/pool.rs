//! The pool of worker threads, which are created once and wait between searches.

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::config::SearchSettings;
use crate::eval::EngineEvaluator;

use super::job::{Job, Progress, RunResult, Shared};
use super::searcher::Searcher;
use super::setup::SearchSetup;
use super::stop::RunId;
use super::table::Table;

/// Stack size of a worker. The move lists of a node take several kilobytes, so deep lines need much stack.
const STACK_BYTES: usize = 16 << 20;

/// A report of a worker.
#[derive(Debug)]
pub(super) enum Report {
    /// Progress of worker 0; other workers report none.
    Progress(RunId, Progress),
    /// The result of a worker, once per job and worker.
    Finished(RunId, Box<RunResult>),
}

/// The workers of one configuration.
pub(super) struct Pool {
    /// Job queue of each worker.
    jobs: Vec<Sender<Arc<Job>>>,
    threads: Vec<JoinHandle<()>>,
    /// Data shared with the workers.
    pub shared: Arc<Shared>,
    /// Receives the reports of all workers.
    pub reports: Receiver<Report>,
    /// Sender that the workers clone. It keeps the channel open even without workers.
    reporter: Sender<Report>,
}

impl Pool {
    /// Starts the workers of a configuration with a new table.
    pub fn with_empty_table(config: &SearchSettings, setup: &SearchSetup) -> Pool {
        Pool::new(empty_table(config), worker_count(config), setup)
    }

    /// Starts `threads` workers that share a table, or fewer if the system cannot create as many.
    pub fn new(table: Table, threads: usize, setup: &SearchSetup) -> Pool {
        let shared = Arc::new(Shared::new(table, threads));
        let (reporter, reports) = unbounded();
        let mut pool = Pool {
            jobs: Vec::new(),
            threads: Vec::new(),
            shared,
            reports,
            reporter,
        };
        for worker_id in 0..threads {
            let (job_sender, jobs) = unbounded();
            let (shared, sender) = (Arc::clone(&pool.shared), pool.reporter.clone());
            let setup = setup.clone();
            let spawned = std::thread::Builder::new()
                .name(format!("worker {worker_id}"))
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

    /// Sends a job to all workers and returns the number of workers that will report a result.
    pub fn start(&self, job: Job) -> usize {
        let job = Arc::new(job);
        self.jobs
            .iter()
            .filter(|jobs| jobs.send(Arc::clone(&job)).is_ok())
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
    /// Ends the workers, whose run must have been stopped.
    fn drop(&mut self) {
        self.end_workers();
    }
}

/// Runs a worker: searches jobs until the queue is closed.
fn run_worker(
    worker_id: usize,
    shared: &Arc<Shared>,
    setup: &SearchSetup,
    jobs: &Receiver<Arc<Job>>,
    reports: &Sender<Report>,
) {
    let mut searcher = Searcher::new(
        EngineEvaluator::new(&setup.evaluation),
        Arc::clone(shared),
        worker_id,
        setup.parameters,
    );
    for job in jobs {
        let run = job.run;
        let result = searcher.iterate(&job, &mut |progress| {
            if worker_id == 0 {
                let _ = reports.send(Report::Progress(run, progress));
            }
        });
        if worker_id == 0 {
            // Worker 0 has finished the job; the results of the others only add to the vote.
            shared.gate.stop_through(run);
        }
        let _ = reports.send(Report::Finished(run, Box::new(result)));
    }
}

/// Returns a new table of the configured size. A small part is prepared and in use.
pub(super) fn empty_table(config: &SearchSettings) -> Table {
    let table = Table::new(config.hash_megabytes);
    table.prepare(1, || true);
    table.use_ready();
    table
}

/// Returns the number of workers of a configuration, at most one per processor.
pub(super) fn worker_count(config: &SearchSettings) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    config.threads.clamp(1, processors)
}

#[cfg(test)]
mod tests;
