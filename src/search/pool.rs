//! The worker threads: born once, asleep between searches.

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

/// Deep lines need stack: a node's move lists are some kilobytes.
const STACK_BYTES: usize = 16 << 20;

/// What a worker says.
#[derive(Debug)]
pub(super) enum Report {
    /// From the first worker only.
    Progress(RunId, Progress),
    /// From every worker, once per job.
    Finished(RunId, Box<RunResult>),
}

/// The workers of one configuration.
pub(super) struct Pool {
    tasks: Vec<Sender<Arc<Job>>>,
    threads: Vec<JoinHandle<()>>,
    pub shared: Arc<Shared>,
    pub reports: Receiver<Report>,
    /// What the workers' ends are cloned from; it keeps the channel open even when there are none.
    reporter: Sender<Report>,
}

impl Pool {
    /// Starts the workers of a configuration with a new table.
    pub fn with_empty_table(config: &SearchSettings, setup: &SearchSetup) -> Pool {
        Pool::new(empty_table(config), worker_count(config), setup)
    }

    /// Starts `threads` workers that share a table. Where the system refuses a thread, with those it grants.
    pub fn new(table: Table, threads: usize, setup: &SearchSetup) -> Pool {
        let shared = Arc::new(Shared::new(table, threads));
        let (reporter, reports) = unbounded();
        let mut pool = Pool {
            tasks: Vec::new(),
            threads: Vec::new(),
            shared,
            reports,
            reporter,
        };
        for thread_id in 0..threads {
            let (task_sender, tasks) = unbounded();
            let (shared, sender) = (Arc::clone(&pool.shared), pool.reporter.clone());
            let setup = setup.clone();
            let spawned = std::thread::Builder::new()
                .name(format!("worker {thread_id}"))
                .stack_size(STACK_BYTES)
                .spawn(move || work(thread_id, &shared, &setup, &tasks, &sender));
            match spawned {
                Ok(thread) => {
                    pool.tasks.push(task_sender);
                    pool.threads.push(thread);
                }
                Err(_) => break,
            }
        }
        pool
    }

    /// Gives a job to all workers, and says how many will report its end.
    pub fn start(&self, job: Job) -> usize {
        let job = Arc::new(job);
        self.tasks
            .iter()
            .filter(|tasks| tasks.send(Arc::clone(&job)).is_ok())
            .count()
    }

    /// Ends the workers, whose searches must have been stopped before, and returns their table, unless somebody else
    /// still uses it.
    pub fn into_table(mut self) -> Option<Table> {
        self.end_workers();
        let shared = Arc::clone(&self.shared);
        drop(self);
        Arc::into_inner(shared).map(|shared| shared.table)
    }

    fn end_workers(&mut self) {
        self.tasks.clear();
        for thread in self.threads.drain(..) {
            // A worker that panicked has said so on its own.
            let _ = thread.join();
        }
    }
}

impl Drop for Pool {
    /// Ends the workers; whatever they search must have been stopped before.
    fn drop(&mut self) {
        self.end_workers();
    }
}

fn work(
    thread_id: usize,
    shared: &Arc<Shared>,
    setup: &SearchSetup,
    jobs: &Receiver<Arc<Job>>,
    reports: &Sender<Report>,
) {
    let mut searcher = Searcher::new(
        EngineEvaluator::new(&setup.evaluation),
        Arc::clone(shared),
        thread_id,
        setup.parameters,
    );
    for job in jobs {
        let run = job.run;
        let result = searcher.iterate(&job, &mut |progress| {
            if thread_id == 0 {
                let _ = reports.send(Report::Progress(run, progress));
            }
        });
        if thread_id == 0 {
            // When the first has its answer, the others have had time enough for theirs.
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
