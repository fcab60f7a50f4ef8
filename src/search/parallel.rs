//! Parallel search without a time limit, for `bench` and other tools.

use std::sync::Arc;
use std::time::Duration;

use crate::messages::Limits;
use crate::rules::Position;
use crate::types::{Depth, Move, Score};

use super::job::Job;
use super::pool::Pool;
use super::setup::SearchSetup;
use super::statistics::Statistics;
use super::stop::RunId;
use super::table::{Pages, Table};
use super::vote;

/// Worker threads that search one position after another to a depth or a number of nodes. With one thread the search is
/// deterministic.
pub struct ParallelSearch {
    pool: Pool,
    run: RunId,
}

/// The result and cost of a parallel search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParallelResult {
    /// The best move; `None` where there is no legal one.
    pub best: Option<Move>,
    /// Score for the side to move.
    pub score: Score,
    /// Depth of the last iteration completed by the thread that found the move.
    pub depth: Depth,
    /// Number of nodes of all threads.
    pub nodes: u64,
    /// Number of nodes of worker 0, which ends the search.
    pub first_nodes: u64,
    /// Processor time of all threads.
    pub processor_time: Duration,
    /// Processor time of worker 0.
    pub first_processor_time: Duration,
    /// Sum of the counts of all threads.
    pub statistics: Statistics,
}

impl ParallelSearch {
    /// Starts the threads, or fewer if the system cannot create as many.
    pub fn new(hash_megabytes: u64, threads: usize, setup: &SearchSetup) -> ParallelSearch {
        ParallelSearch::with_table(Table::new(hash_megabytes), threads, setup)
    }

    /// Starts the threads with a transposition table in these pages. Returns `None` if the system does not provide
    /// them.
    pub fn with_pages(
        hash_megabytes: u64,
        pages: Pages,
        threads: usize,
        setup: &SearchSetup,
    ) -> Option<ParallelSearch> {
        let table = Table::with_pages(hash_megabytes, pages)?;
        Some(ParallelSearch::with_table(table, threads, setup))
    }

    fn with_table(table: Table, threads: usize, setup: &SearchSetup) -> ParallelSearch {
        ParallelSearch {
            pool: Pool::new(table, 0..threads, setup),
            run: RunId::default(),
        }
    }

    /// Searches to a depth or a number of nodes, and ignores `limits.budget`. Returns `None` if there is no thread.
    pub fn run(&mut self, position: &Position, limits: Limits) -> Option<ParallelResult> {
        self.run = RunId(self.run.0 + 1);
        let shared = &self.pool.shared;
        shared.table.age();
        let job = Arc::new(Job::plain(self.run, position, &limits));
        let running = self.pool.start(&job);
        let results = self.pool.results.iter().take(running);
        let results: Vec<_> = results.map(|(_, result)| *result).collect();
        let chosen = vote::choose(&results)?;
        let first = results.iter().find(|result| result.worker_id == 0);
        let mut statistics = Statistics::default();
        for result in &results {
            statistics += result.statistics;
        }
        Some(ParallelResult {
            best: chosen.best,
            score: chosen.score,
            depth: chosen.depth,
            nodes: results.iter().map(|result| result.nodes).sum(),
            first_nodes: first.map_or(0, |result| result.nodes),
            processor_time: results.iter().map(|result| result.processor_time).sum(),
            first_processor_time: first.map_or(Duration::ZERO, |result| result.processor_time),
            statistics,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SingleThreadedSearch;

    fn depth(depth: Depth) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    #[test]
    fn one_thread_searches_like_a_single_threaded_search() {
        let position = Position::standard();
        let single =
            SingleThreadedSearch::new(1, &SearchSetup::default()).run(&position, depth(8), |_| {});
        let parallel = ParallelSearch::new(1, 1, &SearchSetup::default()).run(&position, depth(8));
        let parallel = parallel.expect("a thread");
        assert_eq!(
            (parallel.best, parallel.nodes, parallel.depth),
            (single.best, single.nodes, single.depth)
        );
        assert_eq!(parallel.first_nodes, parallel.nodes);
        assert_eq!(parallel.first_processor_time, parallel.processor_time);
    }

    #[test]
    fn all_threads_search_and_vote_on_a_move() {
        let position = Position::standard();
        let mut search = ParallelSearch::new(1, 3, &SearchSetup::default());
        for _ in 0..5 {
            let result = search.run(&position, depth(9)).expect("a thread");
            assert!(result.best.is_some_and(|best| position.is_legal(best)));
            // The vote may choose a thread that has had less processor time than the one that finished.
            assert!((1..=9).contains(&result.depth), "{}", result.depth);
            assert!(
                result.first_nodes < result.nodes,
                "the other threads search, too"
            );
        }
    }
}
