//! A search in the caller's own thread: for bench, tests and tools.

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

/// A search without threads and clock: the same question gets the same answer, node by node.
pub struct SingleThreadedSearch<E> {
    searcher: Searcher<E>,
    shared: Arc<Shared>,
    run: RunId,
}

/// What a solo search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleThreadedResult {
    /// The best move; `None` where there is no legal one.
    pub best: Option<Move>,
    /// Its score.
    pub score: Score,
    /// The line it begins.
    pub line: Vec<Move>,
    /// The last iteration that was finished.
    pub depth: Depth,
    /// Nodes visited.
    pub nodes: u64,
    /// What the search counted about itself.
    pub statistics: Statistics,
}

impl SingleThreadedSearch<EngineEvaluator> {
    /// A search as the engine does it.
    pub fn new(hash_megabytes: u64, setup: &SearchSetup) -> SingleThreadedSearch<EngineEvaluator> {
        let evaluator = EngineEvaluator::new(&setup.evaluation);
        SingleThreadedSearch::with_evaluator(evaluator, hash_megabytes, setup.parameters)
    }
}

impl<E: Evaluator> SingleThreadedSearch<E> {
    /// A search with any evaluation.
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

    /// Forgets all that was learned.
    pub fn forget(&mut self) {
        self.shared.table.clear();
        self.searcher.forget();
    }

    /// Searches to a depth or a number of nodes; `limits.budget` is not looked at. `report` gets each line of thinking.
    pub fn run(
        &mut self,
        position: &Position,
        limits: Limits,
        report: impl FnMut(&SearchInfo),
    ) -> SingleThreadedResult {
        self.search(position, limits, None, report)
    }

    /// Searches until an iteration ends with at least `soft` nodes spent, and `hard` nodes at most.
    pub fn run_softly(
        &mut self,
        position: &Position,
        soft: u64,
        hard: u64,
    ) -> SingleThreadedResult {
        let limits = Limits {
            nodes: Some(hard),
            ..Limits::default()
        };
        self.search(position, limits, Some(soft), |_| {})
    }

    /// Starts no further iteration once `soft_nodes` are spent.
    fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        soft_nodes: Option<u64>,
        mut report: impl FnMut(&SearchInfo),
    ) -> SingleThreadedResult {
        self.run = RunId(self.run.0 + 1);
        let job = Job {
            soft_nodes,
            measure_processor_time: false,
            ..Job::plain(self.run, position, &limits)
        };
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
