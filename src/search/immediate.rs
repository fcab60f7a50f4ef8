//! Moves without a search, for a clock that leaves no time for one.
//!
//! A thread that has just searched waits longest for a processor on a busy machine. The thread that has read the
//! opponent's move therefore answers it from the transposition table, without waking the search thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::messages::{Bound, Limits, Purpose, SearchEvent, SearchRequest, TimeSource};
use crate::rules::{FIFTY_MOVES, Position};
use crate::types::{Depth, Move, Ply, Score};

use super::job::{RunResult, Shared};
use super::running_search::{RunningSearch, SearchTask};
use super::stop::RunId;
use super::table::{Table, TableEntry};

/// Lowest depth of a table entry whose move is played without a search. A move of quiescence search does not count: the
/// first iteration finds a better one.
const MIN_DEPTH: Depth = 1;

/// Answers requests from the transposition table of a search, in any thread.
#[derive(Clone, Default)]
pub struct ImmediateMoves {
    /// Data of the current workers; without a referent before the search has started.
    shared: Arc<Mutex<Weak<Shared>>>,
}

impl ImmediateMoves {
    /// Uses the table of these workers from now on.
    pub(super) fn use_table_of(&self, shared: &Arc<Shared>) {
        *self.lock() = Arc::downgrade(shared);
    }

    /// Uses no table until the search has taken over a new game, because the current one belongs to the last game.
    pub fn on_new_game(&self) {
        *self.lock() = Weak::new();
    }

    /// Returns the last line and the answer to a request if its hard limit leaves no time to search, and if a move is
    /// available: a mate in one, or the table move. Returns nothing otherwise.
    pub fn answer(&self, request: &SearchRequest) -> Vec<SearchEvent> {
        if !has_no_time(request) {
            return Vec::new();
        }
        let Some(shared) = self.lock().upgrade() else {
            return Vec::new();
        };
        let Some(result) = immediate_result(request, &shared.table) else {
            return Vec::new();
        };
        let task = SearchTask::new(Box::new(request.clone()));
        // No worker counts for this run.
        let mut search = RunningSearch::new(task, RunId::default(), Vec::new());
        search.results.push(result);
        search.final_events(&shared)
    }

    fn lock(&self) -> MutexGuard<'_, Weak<Shared>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if the hard limit of a request leaves no time to search. A limited strength always searches: the
/// table contains results of full strength.
pub(super) fn has_no_time(request: &SearchRequest) -> bool {
    request.purpose == Purpose::Play
        && request.strength.is_none()
        && request.time_source == TimeSource::Wall
        && request.time_left() < Limits::MIN_SEARCH_TIME
}

/// Returns a result without a search: a mate in one, else the table move. Excluded moves are not played. Returns `None`
/// if there is no such move, or if the user has set scores, which only a search takes into account.
pub(super) fn immediate_result(request: &SearchRequest, table: &Table) -> Option<RunResult> {
    let position = &request.position;
    if !request.score_overrides.is_empty() {
        return None;
    }
    let is_allowed = |mv: &Move| !request.excluded.contains(mv);
    let mut board = position.board().clone();
    let mate = position
        .legal_moves()
        .into_iter()
        .filter(is_allowed)
        .find(|&mv| board.gives_mate(mv));
    if let Some(mv) = mate {
        let score = Score::mate_in(Ply(1));
        return Some(result(mv, None, (score, Bound::Exact), MIN_DEPTH));
    }
    let entry = table.probe(position.board().key())?;
    let mv = entry.mv.filter(is_allowed)?;
    let is_searched = entry.depth >= MIN_DEPTH && position.is_legal(mv);
    if !is_searched || is_out_of_reach(position, &entry) || gives_up_win(request, mv, &entry) {
        return None;
    }
    let reply = expected_reply(position, mv, table);
    Some(result(mv, reply, (entry.score, entry.bound), entry.depth))
}

fn result(mv: Move, reply: Option<Move>, score: (Score, Bound), depth: Depth) -> RunResult {
    RunResult {
        ponder: reply,
        score: score.0,
        bound: score.1,
        depth,
        ..RunResult::unsearched(Some(mv))
    }
}

/// Returns `true` for a mate that needs more half-moves than the fifty-move rule leaves.
fn is_out_of_reach(position: &Position, entry: &TableEntry) -> bool {
    let left = FIFTY_MOVES.saturating_sub(position.board().halfmove_clock());
    let distance = entry.score.mate_distance();
    distance.is_some_and(|plies| plies.unsigned_abs() > u32::from(left))
}

/// Returns `true` if a move that does not mate ends the game, hence by a draw, although its score is better. The table
/// does not know the earlier positions of the game.
fn gives_up_win(request: &SearchRequest, mv: Move, entry: &TableEntry) -> bool {
    let mut after = request.position.clone();
    let draw = request.contempt.draw_score(after.side_to_move());
    // The copy keeps the move.
    let _ = after.play(mv);
    entry.score > draw && after.outcome().is_some()
}

/// Returns the table move after `mv`.
fn expected_reply(position: &Position, mv: Move, table: &Table) -> Option<Move> {
    let mut board = position.board().clone();
    // The copy keeps the move.
    let _ = board.make(mv);
    let reply = table.probe(board.key())?.mv?;
    board.is_legal(reply).then_some(reply)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::clock::TimeBudget;
    use crate::messages::{Contempt, ScoreOverrides, SearchId};
    use crate::search::test_support::position;
    use crate::types::Color;

    fn request(position: Position, hard: Duration) -> SearchRequest {
        SearchRequest {
            id: SearchId(7),
            position,
            purpose: Purpose::Play,
            limits: Limits {
                budget: Some(TimeBudget { soft: hard, hard }),
                ..Limits::default()
            },
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        }
    }

    /// A table that contains a move for the position, searched to this depth.
    fn shared_with(position: &Position, mv: Move, depth: Depth) -> Arc<Shared> {
        let shared = Arc::new(Shared::new(Table::new(1), 1));
        shared.table.prepare(1, || false);
        shared.table.use_ready();
        let entry = TableEntry {
            mv: Some(mv),
            score: Score(25),
            bound: Bound::Exact,
            depth,
            eval: Score(20),
            on_pv: true,
        };
        shared.table.store(position.board().key(), entry);
        shared
    }

    fn moves_of(shared: &Arc<Shared>) -> ImmediateMoves {
        let moves = ImmediateMoves::default();
        moves.use_table_of(shared);
        moves
    }

    /// Returns the move of the answer, which the only line begins with.
    fn best(events: Vec<SearchEvent>) -> Option<Move> {
        match &events[..] {
            [] => None,
            [
                SearchEvent::Info(SearchId(7), line),
                SearchEvent::Best {
                    id: SearchId(7),
                    best,
                    ..
                },
            ] => {
                assert_eq!(line.pv.first().copied(), *best);
                *best
            }
            events => panic!("{events:?}"),
        }
    }

    #[test]
    fn the_table_move_is_played_only_without_time() {
        let start = Position::standard();
        let mv = start.legal_moves()[3];
        let shared = shared_with(&start, mv, 5);
        let moves = moves_of(&shared);
        assert_eq!(
            best(moves.answer(&request(start.clone(), Duration::ZERO))),
            Some(mv)
        );
        assert!(
            moves
                .answer(&request(start.clone(), Duration::from_secs(60)))
                .is_empty()
        );
        for other in [
            SearchRequest {
                purpose: Purpose::Ponder,
                ..request(start.clone(), Duration::ZERO)
            },
            SearchRequest {
                limits: Limits::default(),
                ..request(start.clone(), Duration::ZERO)
            },
            SearchRequest {
                time_source: TimeSource::Processor,
                ..request(start.clone(), Duration::ZERO)
            },
            SearchRequest {
                excluded: vec![mv],
                ..request(start.clone(), Duration::ZERO)
            },
        ] {
            assert!(moves.answer(&other).is_empty(), "{other:?}");
        }
    }

    #[test]
    fn without_a_table_or_a_searched_move_there_is_no_answer() {
        let start = Position::standard();
        let nothing = request(start.clone(), Duration::ZERO);
        assert!(ImmediateMoves::default().answer(&nothing).is_empty());
        let shared = shared_with(&start, start.legal_moves()[3], 0);
        let moves = moves_of(&shared);
        assert!(
            moves.answer(&nothing).is_empty(),
            "a move of quiescence search"
        );
        drop(shared);
        assert!(
            moves.answer(&nothing).is_empty(),
            "the table has been freed"
        );
    }

    #[test]
    fn a_new_game_does_not_use_the_table_of_the_last_one() {
        let start = Position::standard();
        let shared = shared_with(&start, start.legal_moves()[3], 5);
        let moves = moves_of(&shared);
        moves.on_new_game();
        let request = request(start, Duration::ZERO);
        assert!(moves.answer(&request).is_empty());
        moves.use_table_of(&shared);
        assert!(!moves.answer(&request).is_empty());
    }

    #[test]
    fn a_won_position_is_not_drawn_by_the_table_move() {
        for (halfmove_clock, is_played) in [(97, true), (99, false)] {
            let won = position(Color::White, "Kg5 Ra1 kg8", halfmove_clock);
            let mv = won.legal_moves()[0];
            let shared = shared_with(&won, mv, 9);
            let answer = moves_of(&shared).answer(&request(won, Duration::ZERO));
            assert_eq!(best(answer), is_played.then_some(mv));
        }
    }

    #[test]
    fn a_draw_by_the_table_move_is_compared_with_the_score_of_a_draw() {
        // The table move scores 25, and draws by the fifty-move rule.
        for (contempt, is_played) in [(-25, true), (-24, false), (40, false)] {
            let won = position(Color::White, "Kg5 Ra1 kg8", 99);
            let mv = won.legal_moves()[0];
            let shared = shared_with(&won, mv, 9);
            let request = SearchRequest {
                contempt: Contempt::new(Color::White, contempt),
                ..request(won, Duration::ZERO)
            };
            let answer = moves_of(&shared).answer(&request);
            assert_eq!(best(answer), is_played.then_some(mv), "{contempt}");
        }
    }

    #[test]
    fn a_mate_in_one_precedes_the_table_move() {
        let mate = position(Color::White, "Kg6 Ra1 kg8", 0);
        let wrong = mate.legal_moves()[0];
        let mut board = mate.board().clone();
        assert!(!board.gives_mate(wrong));
        let shared = shared_with(&mate, wrong, 9);
        let mut with_mate = request(mate.clone(), Duration::ZERO);
        let found = best(moves_of(&shared).answer(&with_mate)).expect("a move");
        assert!(board.gives_mate(found));
        with_mate.excluded.push(found);
        assert_eq!(best(moves_of(&shared).answer(&with_mate)), Some(wrong));
    }
}
