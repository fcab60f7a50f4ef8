//! Steps omitted when little time is left: helpers and preparation of the table.

use crate::messages::Purpose;
use crate::search::running_search::{LITTLE_TIME, SearchTask};
use crate::types::{Depth, Move};

/// Depth up to which a search ends before helpers have begun.
const SHALLOW: Depth = 3;

/// Returns `true` if the search can neither wait for the table nor use other threads.
pub(super) fn has_little_time(task: &SearchTask) -> bool {
    task.time_left() < LITTLE_TIME
}

/// Returns `true` if helpers can contribute to a search of these root moves.
pub(super) fn can_be_helped(task: &SearchTask, root_moves: &[Move]) -> bool {
    let limits = &task.request.limits;
    let is_timed = task.request.purpose == Purpose::Play && limits.budget.is_some();
    let is_forced = root_moves.is_empty() || is_timed && root_moves.len() == 1;
    let is_shallow = limits.depth.is_some_and(|depth| depth <= SHALLOW);
    task.request.strength.is_none() && !is_forced && !is_shallow && !has_little_time(task)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::clock::TimeBudget;
    use crate::messages::{Contempt, Limits, ScoreOverrides, SearchId, SearchRequest, TimeSource};
    use crate::rules::Position;

    fn budget(hard: Duration) -> Limits {
        Limits {
            budget: Some(TimeBudget { soft: hard, hard }),
            ..Limits::default()
        }
    }

    fn task(purpose: Purpose, limits: Limits) -> SearchTask {
        SearchTask::new(Box::new(SearchRequest {
            id: SearchId(1),
            position: Position::standard(),
            purpose,
            limits,
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        }))
    }

    #[test]
    fn helpers_rest_when_little_time_is_left() {
        let moves = task(Purpose::Play, Limits::default()).root_moves();
        let is_helped = |purpose, limits| can_be_helped(&task(purpose, limits), &moves);
        let little = budget(LITTLE_TIME - Duration::from_millis(1));
        assert!(!is_helped(Purpose::Play, little));
        assert!(!is_helped(Purpose::Play, budget(Duration::ZERO)));
        // The test may be interrupted for a long time.
        assert!(is_helped(Purpose::Play, budget(Duration::from_secs(60))));
        assert!(is_helped(Purpose::Play, budget(Duration::MAX)));
        assert!(is_helped(Purpose::Play, Limits::default()));
        assert!(is_helped(Purpose::Analyse, little), "it has no hard limit");
        assert!(is_helped(Purpose::Ponder, little), "nor has pondering");
        let mut late = task(Purpose::Play, budget(Duration::from_secs(60)));
        late.request.started -= Duration::from_secs(60);
        assert!(!can_be_helped(&late, &moves), "the command has waited");
        late.request.time_source = TimeSource::Processor;
        assert!(can_be_helped(&late, &moves), "waiting takes no processor");
    }

    #[test]
    fn helpers_rest_when_there_is_nothing_to_find() {
        let moves = task(Purpose::Play, Limits::default()).root_moves();
        let long = budget(Duration::from_secs(60));
        assert!(!can_be_helped(&task(Purpose::Play, long), &moves[..1]));
        assert!(can_be_helped(&task(Purpose::Analyse, long), &moves[..1]));
        assert!(can_be_helped(
            &task(Purpose::Play, Limits::default()),
            &moves[..1]
        ));
        assert!(!can_be_helped(&task(Purpose::Analyse, long), &[]));
        for (depth, is_helped) in [(1, false), (SHALLOW, false), (SHALLOW + 1, true)] {
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let task = task(Purpose::Play, limits);
            assert_eq!(can_be_helped(&task, &moves), is_helped, "depth {depth}");
        }
    }
}
