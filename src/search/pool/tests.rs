//! Workers that search together: jobs, results and the shared table. A thread sanitizer runs these tests, too.

use std::thread;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::clock::IterationStats;
use crate::messages::{Bound, Limits, TimeSource};
use crate::rules::Position;
use crate::search::job::Progress;
use crate::search::table::{Table, TableEntry};
use crate::types::{Depth, Key, MAX_DEPTH, Score};

const THREADS: usize = 3;

/// Time that a busy machine may need for the first iteration.
const TIMEOUT: Duration = Duration::from_secs(60);

fn job(run: u64, depth: Depth) -> Arc<Job> {
    let position = Position::standard();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    Arc::new(Job {
        time_source: TimeSource::Processor,
        ..Job::plain(RunId(run), &position, &limits)
    })
}

/// Waits until worker 0 has finished its first iteration, in a run before which the status was reset.
fn wait_for_first_iteration(pool: &Pool) {
    let deadline = Instant::now() + TIMEOUT;
    while pool.shared.status.read().0 <= 1 {
        assert!(Instant::now() < deadline, "no iteration has ended");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Collects the results of a run, in the order of their arrival.
fn results(pool: &Pool, running: usize) -> Vec<RunResult> {
    let results = pool.results.iter().take(running);
    results.map(|(_, result)| *result).collect()
}

#[test]
fn every_worker_reports_one_result_per_job() {
    let pool = Pool::new(Table::new(1), 0..THREADS, &SearchSetup::default());
    for run in 1..=30 {
        let running = pool.start(&job(run, 6));
        assert_eq!(running, THREADS);
        let results = results(&pool, running);
        let mut workers: Vec<usize> = results.iter().map(|result| result.worker_id).collect();
        workers.sort_unstable();
        assert_eq!(workers, [0, 1, 2]);
        let nodes: u64 = results.iter().map(|result| result.nodes).sum();
        assert_eq!(pool.shared.nodes(RunId(run)), nodes);
        let deepest = results.iter().map(|result| result.depth).max();
        assert_eq!(deepest, Some(6), "one worker finishes the job");
        assert!(pool.shared.processor_time(RunId(run)) > Duration::ZERO);
    }
    assert!(pool.results.try_recv().is_err(), "no further result");
}

#[test]
fn the_first_threads_effort_is_its_own() {
    let setup = SearchSetup::default();
    let pool = Pool::new(Table::new(1), 1..THREADS, &setup);
    let job = job(1, 9);
    let running = pool.start(&job);
    let mut efforts: Vec<IterationStats> = Vec::new();
    let result = new_searcher(0, &pool.shared, &setup).iterate(&job, &mut |progress| {
        if let Progress::Iteration(effort) = progress {
            efforts.push(effort);
        }
    });
    pool.shared.gate.stop_through(RunId(1));
    assert_eq!(result.depth, 9);
    assert_eq!(results(&pool, running).len(), THREADS - 1);
    assert_eq!(efforts.len(), 9, "one for each of worker 0's depths");
    for (index, effort) in efforts.iter().enumerate() {
        assert!(
            effort.best_move_node_fraction > 0.0 && effort.best_move_node_fraction <= 1.0,
            "{effort:?}"
        );
        assert!(effort.stable_iterations as usize <= index, "{effort:?}");
    }
}

#[test]
fn several_workers_can_be_paused_and_stopped() {
    let pool = Pool::new(Table::new(1), 0..THREADS, &SearchSetup::default());
    for run in 1..=10 {
        pool.shared.status.reset(0);
        let running = pool.start(&job(run, MAX_DEPTH));
        for _ in 0..5 {
            pool.shared.gate.set_paused(true);
            thread::sleep(Duration::from_millis(2));
            pool.shared.gate.set_paused(false);
        }
        // A run that is stopped earlier may end without a move.
        wait_for_first_iteration(&pool);
        pool.shared.gate.stop_through(RunId(run));
        let results = results(&pool, running);
        let first = results.iter().find(|result| result.worker_id == 0);
        assert!(first.is_some_and(|first| first.depth > 0));
    }
}

/// The entry that the next test stores for a key.
fn entry_for(key: u64) -> TableEntry {
    TableEntry {
        mv: None,
        score: Score((key % 20_001) as i32 - 10_000),
        eval: Score((key % 19_997) as i32 - 10_000),
        depth: (key % 100) as Depth,
        bound: Bound::Exact,
        on_pv: key.is_multiple_of(2),
    }
}

/// Threads write to and read from the same few buckets. Every entry found must be one that was stored for its key.
#[test]
fn a_mixture_of_two_writes_is_never_found() {
    let table = Table::new(0);
    let found = thread::scope(|scope| {
        let workers: Vec<_> = (1..=4u64)
            .map(|seed| {
                let table = &table;
                scope.spawn(move || {
                    let mut random = ChaCha8Rng::seed_from_u64(seed);
                    let mut found = 0;
                    for _ in 0..200_000 {
                        let word = random.next_u64();
                        let key = (word >> 60) * 0x9E37_79B9;
                        if word & 1 == 0 {
                            table.store(Key(key), entry_for(key));
                        } else if let Some(entry) = table.probe(Key(key)) {
                            assert_eq!(entry, entry_for(key), "key {key}");
                            found += 1;
                        }
                    }
                    found
                })
            })
            .collect();
        let counts = workers.into_iter().map(|worker| worker.join());
        counts.map(|count| count.expect("no mixture")).sum::<u64>()
    });
    assert!(found > 1000, "{found}");
}
