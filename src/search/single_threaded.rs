//! Single-threaded search in the thread of the caller, for tests and tools.

use std::sync::Arc;

use crate::config::Parameters;
use crate::eval::{EngineEvaluator, Evaluator};
use crate::messages::{Limits, SearchInfo};
use crate::rules::Position;
use crate::types::{Depth, Move, Score};

use super::job::{Job, Progress, Shared};
use super::searcher::Searcher;
use super::setup::SearchSetup;
use super::statistics::Statistics;
use super::stop::RunId;
use super::table::Table;

/// A deterministic search without worker threads and time limit.
pub struct SingleThreadedSearch<E> {
    searcher: Searcher<E>,
    shared: Arc<Shared>,
    run: RunId,
}

/// The result of a single-threaded search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleThreadedResult {
    /// The best move; `None` where there is no legal one.
    pub best: Option<Move>,
    /// Score for the side to move.
    pub score: Score,
    /// Principal variation, which begins with the best move.
    pub line: Vec<Move>,
    /// Depth of the last completed iteration.
    pub depth: Depth,
    /// Number of nodes.
    pub nodes: u64,
    /// Counts of the search.
    pub statistics: Statistics,
}

impl SingleThreadedSearch<EngineEvaluator> {
    /// Creates a search with the search parameters and evaluation function of the engine.
    pub fn new(hash_megabytes: u64, setup: &SearchSetup) -> SingleThreadedSearch<EngineEvaluator> {
        let evaluator = EngineEvaluator::new(&setup.evaluation);
        SingleThreadedSearch::with_evaluator(evaluator, hash_megabytes, setup.parameters)
    }
}

impl<E: Evaluator> SingleThreadedSearch<E> {
    /// Creates a search with any evaluator.
    pub fn with_evaluator(
        evaluator: E,
        hash_megabytes: u64,
        parameters: Parameters,
    ) -> SingleThreadedSearch<E> {
        let shared = Arc::new(Shared::new(Table::new(hash_megabytes), 1));
        SingleThreadedSearch {
            searcher: Searcher::new(evaluator, Arc::clone(&shared), 0, parameters),
            shared,
            run: RunId(0),
        }
    }

    /// Clears the table and the histories.
    pub fn forget(&mut self) {
        self.shared.table.clear();
        self.searcher.new_game();
    }

    /// Searches to a depth or a number of nodes, and ignores `limits.budget`. Calls `report` with each thinking line.
    pub fn run(
        &mut self,
        position: &Position,
        limits: Limits,
        report: impl FnMut(&SearchInfo),
    ) -> SingleThreadedResult {
        self.search(position, &[], limits, None, report)
    }

    /// Searches to a number of nodes, without some of the legal moves.
    pub fn run_without(
        &mut self,
        position: &Position,
        excluded: &[Move],
        nodes: u64,
    ) -> SingleThreadedResult {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        self.search(position, excluded, limits, None, |_| {})
    }

    /// Searches until an iteration ends with at least `soft` nodes, at most `hard` nodes.
    pub fn run_with_soft_limit(
        &mut self,
        position: &Position,
        soft: u64,
        hard: u64,
    ) -> SingleThreadedResult {
        let limits = Limits {
            nodes: Some(hard),
            ..Limits::default()
        };
        self.search(position, &[], limits, Some(soft), |_| {})
    }

    /// Searches without some moves, and starts no iteration after `soft_nodes` nodes.
    fn search(
        &mut self,
        position: &Position,
        excluded: &[Move],
        limits: Limits,
        soft_nodes: Option<u64>,
        mut report: impl FnMut(&SearchInfo),
    ) -> SingleThreadedResult {
        self.run = RunId(self.run.0 + 1);
        let mut job = Job {
            soft_nodes,
            measure_processor_time: false,
            ..Job::plain(self.run, position, &limits)
        };
        job.root_moves.retain(|mv| !excluded.contains(mv));
        self.shared.table.age();
        let result = self.searcher.iterate(&job, &mut |progress| {
            if let Progress::Line(info) = &progress {
                report(info);
            }
        });
        SingleThreadedResult {
            best: result.best,
            score: result.score,
            line: result.line.to_vec(),
            depth: result.depth,
            nodes: result.nodes,
            statistics: result.statistics,
        }
    }
}
