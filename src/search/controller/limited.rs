//! Searches with limited strength: the move is found in some milliseconds and sent after the time that a person would
//! take. Meanwhile, a short search with full strength finds the best reply, for `hint` and for pondering.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::state::State;
use super::{Controller, SearchThread, lock};
use crate::clock::{TimeBudget, human_time};
use crate::eval::EngineEvaluator;
use crate::messages::{Strength, TimeSource};
use crate::search::job::{Job, Shared};
use crate::search::monitor::Monitor;
use crate::search::running_search::SearchTask;
use crate::search::searcher::Searcher;
use crate::search::stop::RunId;
use crate::search::strength::{Level, LimitedResult, LimitedSearch};
use crate::types::{MAX_DEPTH, Move};

/// Shortest wait during which the reply is searched.
const REPLY_TIME: Duration = Duration::from_millis(100);

/// Nodes of the search for the reply, which take about 30 ms.
const REPLY_NODES: u64 = 20_000;

impl SearchThread {
    /// Searches with the strength that the task requests, until the search ends or its result is not wanted any more.
    pub(super) fn search_limited(&mut self, task: SearchTask, strength: Strength) {
        let controller = &self.controller;
        let limited = self
            .limited
            .get_or_insert_with(|| LimitedSearch::new(&lock(controller).setup));
        let job = lock(controller).launch(task);
        let main = Arc::clone(&lock(controller).pool.shared);
        main.begin_counting(0, job.run);
        let bridge = Bridge {
            controller: Arc::clone(controller),
            main,
            limited: limited.shared(),
            run: job.run,
        };
        let end_of_iteration = bridge.clone();
        let found = limited.run(&job, strength, Box::new(bridge), &mut |progress| {
            end_of_iteration.publish();
            lock(controller).handle_progress(progress);
            end_of_iteration.pass_stop();
        });
        let LimitedResult {
            mut result,
            choice,
            uniform,
        } = found;
        let pace = Level::of(strength.elo).pace();
        let wait =
            lock(controller).set_answer_delay(|budget| human_time(budget, choice, pace, uniform));
        if wait >= REPLY_TIME
            && let Some(mv) = result.best
            && let Some(searcher) = &mut self.searcher
        {
            let reply = reply(end_of_iteration.clone(), searcher, &job, mv);
            result.ponder = reply.or(result.ponder);
            end_of_iteration.publish();
        }
        lock(controller).end_run(result);
    }
}

/// Returns the best reply to a move by a short search with full strength, which has no effect on the move and on what
/// `bridge` publishes. The time when the answer is due ends it.
fn reply(
    bridge: Bridge,
    searcher: &mut Searcher<EngineEvaluator>,
    job: &Job,
    mv: Move,
) -> Option<Move> {
    let mut position = job.position.clone();
    // No move is taken back in this copy.
    let _ = position.play(mv);
    let job = Job {
        root_moves: position.legal_moves().to_vec(),
        // Those of the job are ranks of its own moves.
        root_groups: Vec::new(),
        position,
        depth: MAX_DEPTH,
        nodes: Some(REPLY_NODES),
        ..job.clone()
    };
    searcher.monitor = Some(Box::new(ReplyMonitor(bridge)));
    let result = searcher.iterate(&job, &mut |_| {});
    searcher.monitor = None;
    result.best
}

impl Controller {
    /// Sets the delay of the answer of the running search, which the function returns for its time limits. Returns the
    /// time until the answer is due. There is no delay without limits of time, by processor time or after `?`.
    fn set_answer_delay(&mut self, delay: impl FnOnce(&TimeBudget) -> Duration) -> Duration {
        let State::Searching(search) = &mut self.state else {
            return Duration::ZERO;
        };
        let request = &search.task.request;
        if let Some(budget) = &request.limits.budget
            && request.time_source == TimeSource::Wall
            && !search.is_move_now
        {
            search.answer_delay = delay(budget);
        }
        search.answer_due().map_or(Duration::ZERO, |due| {
            due.saturating_duration_since(Instant::now())
        })
    }
}

/// Passes the nodes of a limited search to the search thread, and a stop in the other direction.
#[derive(Clone)]
struct Bridge {
    controller: Arc<Mutex<Controller>>,
    main: Arc<Shared>,
    limited: Arc<Shared>,
    run: RunId,
}

impl Bridge {
    fn publish(&self) {
        self.main.publish_nodes(0, self.limited.nodes(self.run));
        let hits = self.limited.tablebase_hits(self.run);
        self.main.publish_tablebase_hits(0, hits);
        let time = self.limited.processor_time(self.run);
        self.main.publish_processor_time(0, time);
        self.main.status.copy_from(&self.limited.status);
    }

    fn pass_stop(&self) {
        if self.main.gate.is_stopped(self.run) {
            self.limited.gate.stop_through(self.run);
        }
    }
}

impl Monitor for Bridge {
    fn poll(&mut self) -> bool {
        self.publish();
        let is_wanted = lock(&self.controller).poll();
        self.pass_stop();
        is_wanted
    }
}

/// The monitor of the search for the reply. Orders see the counts and the status of the limited search.
struct ReplyMonitor(Bridge);

impl Monitor for ReplyMonitor {
    fn poll(&mut self) -> bool {
        let ReplyMonitor(bridge) = self;
        let nodes = bridge.main.nodes(bridge.run);
        bridge.publish();
        let is_wanted = lock(&bridge.controller).poll();
        // The searcher compares them with its limit.
        bridge.main.publish_nodes(0, nodes);
        is_wanted
    }
}
