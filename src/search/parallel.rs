//! A search on several threads without a clock: to measure what they achieve together.

use std::time::Duration;

use crate::messages::Limits;
use crate::rules::Position;
use crate::types::{Depth, Move, Score};

use super::job::Job;
use super::pool::{Pool, Report};
use super::setup::SearchSetup;
use super::statistics::Statistics;
use super::stop::RunId;
use super::table::Table;
use super::vote;

/// Threads that search one position after another to a depth or a number of nodes. One thread alone gives the same
/// answer to the same question, node by node.
pub struct ParallelSearch {
    pool: Pool,
    run: RunId,
}

/// What a team found, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParallelResult {
    /// The best move; `None` where there is no legal one.
    pub best: Option<Move>,
    /// Its score.
    pub score: Score,
    /// The last iteration that was finished by the thread that found it.
    pub depth: Depth,
    /// Nodes visited by all.
    pub nodes: u64,
    /// Nodes visited by the first thread, which decides when the search ends.
    pub first_nodes: u64,
    /// Processor time of all.
    pub processor_time: Duration,
    /// Processor time of the first thread.
    pub first_processor_time: Duration,
    /// What all counted about themselves.
    pub statistics: Statistics,
}

impl ParallelSearch {
    /// Starts the threads, as many as the system grants.
    pub fn new(hash_megabytes: u64, threads: usize, setup: &SearchSetup) -> ParallelSearch {
        ParallelSearch {
            pool: Pool::new(Table::new(hash_megabytes), threads, setup),
            run: RunId::default(),
        }
    }

    /// Searches to a depth or a number of nodes; `limits.budget` is not looked at. `None` if there is no thread.
    pub fn run(&mut self, position: &Position, limits: Limits) -> Option<ParallelResult> {
        self.run = RunId(self.run.0 + 1);
        let shared = &self.pool.shared;
        shared.reset_counters();
        shared.table.age();
        let running = self.pool.start(Job::plain(self.run, position, &limits));
        let mut results = Vec::with_capacity(running);
        while results.len() < running {
            if let Report::Finished(_, result) = self.pool.reports.recv().ok()? {
                results.push(*result);
            }
        }
        let chosen = vote::choose(&results)?;
        let first = results.iter().find(|result| result.worker == 0);
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
    fn one_thread_searches_like_a_solo_search() {
        let position = Position::standard();
        let solo =
            SingleThreadedSearch::new(1, &SearchSetup::default()).run(&position, depth(8), |_| {});
        let team = ParallelSearch::new(1, 1, &SearchSetup::default()).run(&position, depth(8));
        let team = team.expect("a thread");
        assert_eq!(
            (team.best, team.nodes, team.depth),
            (solo.best, solo.nodes, solo.depth)
        );
        assert_eq!(team.first_nodes, team.nodes);
        assert_eq!(team.first_processor_time, team.processor_time);
    }

    #[test]
    fn all_threads_work_and_agree_on_an_answer() {
        let position = Position::standard();
        let mut team = ParallelSearch::new(1, 3, &SearchSetup::default());
        for _ in 0..5 {
            let result = team.run(&position, depth(9)).expect("a thread");
            assert!(result.best.is_some_and(|best| position.is_legal(best)));
            // The vote may choose a thread that the processor has given less time than the one that finished.
            assert!((1..=9).contains(&result.depth), "{}", result.depth);
            assert!(result.first_nodes < result.nodes, "the others help");
        }
    }
}
