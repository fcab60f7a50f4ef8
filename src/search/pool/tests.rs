//! Workers that search together: jobs, reports and the shared table. A thread sanitizer runs these tests, too.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::clock::IterationStats;
use crate::messages::{Bound, ScoreOverrides, TimeSource};
use crate::rules::Position;
use crate::search::table::{Table, TableEntry};
use crate::types::{Depth, Key, MAX_DEPTH, Score};

const THREADS: usize = 3;

fn job(run: u64, depth: Depth) -> Job {
    let position = Position::standard();
    Job {
        run: RunId(run),
        root_moves: position.legal_moves().to_vec(),
        position,
        depth,
        nodes: None,
        soft_nodes: None,
        multi_pv: 1,
        score_overrides: ScoreOverrides::default(),
        time_source: TimeSource::Processor,
        measure_processor_time: true,
        variety: 0,
        variety_seed: 0,
    }
}

/// Collects the reports of a run, in the order of their arrival.
fn reports(pool: &Pool, running: usize) -> (Vec<IterationStats>, Vec<RunResult>) {
    let (mut efforts, mut results) = (Vec::new(), Vec::new());
    while results.len() < running {
        match pool.reports.recv().expect("there are workers") {
            Report::Progress(_, Progress::Iteration(effort)) => efforts.push(effort),
            Report::Progress(_, Progress::Line(_)) => {}
            Report::Finished(_, result) => results.push(*result),
        }
    }
    (efforts, results)
}

#[test]
fn every_worker_reports_one_result_per_job() {
    let pool = Pool::new(Table::new(1), THREADS, &SearchSetup::default());
    for run in 1..=30 {
        pool.shared.reset_counters();
        let running = pool.start(job(run, 6));
        assert_eq!(running, THREADS);
        let (_, results) = reports(&pool, running);
        let mut workers: Vec<usize> = results.iter().map(|result| result.worker_id).collect();
        workers.sort_unstable();
        assert_eq!(workers, [0, 1, 2]);
        let nodes: u64 = results.iter().map(|result| result.nodes).sum();
        assert_eq!(pool.shared.nodes(), nodes);
        let deepest = results.iter().map(|result| result.depth).max();
        assert_eq!(deepest, Some(6), "one worker finishes the job");
        assert!(pool.shared.processor_time() > Duration::ZERO);
    }
    assert!(pool.reports.try_recv().is_err(), "no further report");
}

#[test]
fn the_first_threads_effort_is_its_own() {
    let pool = Pool::new(Table::new(1), THREADS, &SearchSetup::default());
    let running = pool.start(job(1, 9));
    let (efforts, _) = reports(&pool, running);
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
    let pool = Pool::new(Table::new(1), THREADS, &SearchSetup::default());
    for run in 1..=10 {
        pool.shared.reset_counters();
        let running = pool.start(job(run, MAX_DEPTH));
        for _ in 0..5 {
            pool.shared.gate.set_paused(true);
            std::thread::sleep(Duration::from_millis(2));
            pool.shared.gate.set_paused(false);
        }
        pool.shared.gate.stop_through(RunId(run));
        let (_, results) = reports(&pool, running);
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
    let found = std::thread::scope(|scope| {
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
