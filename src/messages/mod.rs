//! Messages between protocol and search: orders, events and their data.
//!
//! `protocol` and `search` do not import each other. Every search has an identifier, and the protocol side drops events
//! of searches that it has abandoned.

mod contempt;
mod line_rate;
mod score_overrides;
mod strength;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use contempt::Contempt;
pub use line_rate::{LineRate, is_slow_host};
pub use score_overrides::ScoreOverrides;
pub use strength::Strength;

use crate::clock::TimeBudget;
use crate::config::SearchSettings;
use crate::eval::Network;
use crate::rules::Position;
use crate::tablebase::Tablebases;
use crate::types::{Depth, Move, Score};

/// Identifier of a search. A later search has a larger one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchId(pub u64);

/// Purpose of a search, which determines how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Finds a move. The search ends by its limits, by [`SearchOrder::MoveNow`], or when deeper iterations cannot
    /// change the result.
    Play,
    /// Searches the position after the ponder move on the opponent's time. The search reports its best move only after
    /// [`SearchOrder::PonderHit`], even if it has finished before.
    Ponder,
    /// Analyses until the search is abandoned, and reports no best move.
    Analyse,
}

/// Limits of a search; `None` is unlimited. The first limit to be reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the last iteration, at least 1 (`sd`).
    pub depth: Option<Depth>,
    /// Largest number of nodes of all threads together (`nps` with `st`; bench; data generation).
    pub nodes: Option<u64>,
    /// Time from [`SearchRequest::started`] on. A ponder search gets it with the ponder hit.
    pub budget: Option<TimeBudget>,
    /// Rate of thinking lines. Lines for several moves (`MultiPV`) are not limited.
    pub line_rate: LineRate,
}

impl Limits {
    /// Time to the hard limit below which a move is played without a search if one is available.
    pub const MIN_SEARCH_TIME: Duration = Duration::from_millis(1);

    /// Returns `true` if the hard limit leaves no time to search.
    pub fn leave_no_time(&self) -> bool {
        self.budget
            .is_some_and(|budget| budget.hard < Limits::MIN_SEARCH_TIME)
    }
}

/// Clock that measures the time of a search, for its limits and its thinking lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSource {
    /// Wall-clock time without pauses.
    #[default]
    Wall,
    /// Processor time of all threads together (`nps`).
    Processor,
}

/// A request to search a position.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Identifier of the search.
    pub id: SearchId,
    /// Position to search, with the keys of the earlier positions of the game.
    pub position: Position,
    /// Purpose.
    pub purpose: Purpose,
    /// Limits.
    pub limits: Limits,
    /// Root moves that are excluded from the search (`exclude`).
    pub excluded: Vec<Move>,
    /// Scores that the user has set for positions (`setscore`).
    pub score_overrides: ScoreOverrides,
    /// Value of a draw.
    pub contempt: Contempt,
    /// Playing strength; `None`: full strength. A search for another purpose than a move has full strength.
    pub strength: Option<Strength>,
    /// Clock of the search.
    pub time_source: TimeSource,
    /// Arrival time of the command that requires the search. Its time counts from here.
    pub started: Instant,
}

impl SearchRequest {
    /// Returns the wall-clock time left to the hard limit; [`Duration::MAX`] without one. A limit of processor time
    /// counts as if nothing of it had been used.
    pub fn time_left(&self) -> Duration {
        match (self.limits.budget, self.time_source) {
            (Some(budget), TimeSource::Wall) => budget.hard.saturating_sub(self.started.elapsed()),
            (Some(budget), TimeSource::Processor) => budget.hard,
            (None, _) => Duration::MAX,
        }
    }
}

/// An order to the search thread.
#[derive(Clone, Debug)]
pub enum SearchOrder {
    /// Start a search and abandon the current one.
    Start(Box<SearchRequest>),
    /// Continue a ponder search as [`Purpose::Play`], because the opponent has played the ponder move.
    PonderHit {
        /// The ponder search.
        id: SearchId,
        /// Limits of the search for the move.
        limits: Limits,
        /// Arrival time of the opponent's move, from which the time counts.
        started: Instant,
    },
    /// Replace the limits of a search for [`Purpose::Play`]. Times count as if the search had begun with them. A
    /// smaller depth or number of nodes takes effect, a larger one does not.
    SetLimits {
        /// The search.
        id: SearchId,
        /// The new limits.
        limits: Limits,
    },
    /// Stop the search and report its best move at once (`?`).
    MoveNow(SearchId),
    /// Stop the search without an answer.
    Abandon(SearchId),
    /// Pause the search and its clock (`pause`). Paused threads use no processor time.
    Pause(SearchId),
    /// Continue after [`SearchOrder::Pause`]. The pause does not count as search time.
    Resume(SearchId),
    /// Send a [`SearchEvent::Status`] (`.`).
    ReportStatus(SearchId),
    /// Use this network with the settings of the next [`SearchOrder::Configure`], in place of the current network.
    UseNetwork(Arc<Network>),
    /// Probe these tablebases from the next search on, and in a search that is not for a move at once; `None`: none.
    UseTablebases(Option<Arc<Tablebases>>),
    /// Apply settings: at once while idle, pondering or analysing, otherwise after the current search. The search
    /// confirms with [`SearchEvent::Configured`].
    Configure(Box<SearchSettings>),
    /// Clear the table and the histories for a new game. The search confirms with [`SearchEvent::Configured`].
    NewGame,
    /// Send [`SearchEvent::Configured`] before all memory of the table is prepared, because commands wait for it.
    ConfirmNow,
    /// Stop all threads.
    Quit,
}

/// Relation of a score to the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The score is a lower bound (fail high).
    Lower,
    /// The score is an upper bound (fail low).
    Upper,
}

impl Bound {
    /// Returns the bound that `score` is if a search with the window from `alpha` to `beta` has returned it.
    #[inline]
    pub fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// A thinking line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth of the iteration.
    pub depth: Depth,
    /// Length of the longest line searched, in half-moves.
    pub selective_depth: u32,
    /// Score for the side to move at the root.
    pub score: Score,
    /// Relation of `score` to the exact score.
    pub bound: Bound,
    /// Time since the start of the search, by its [`TimeSource`].
    pub time: Duration,
    /// Number of nodes of all threads.
    pub nodes: u64,
    /// Number of positions found in tablebases by all threads.
    pub tablebase_hits: u64,
    /// Rank among several lines, from 0 for the best.
    pub rank: usize,
    /// Principal variation: legal moves from the root.
    pub pv: Vec<Move>,
}

/// The answer to `.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SearchStatus {
    /// Time since the start of the search, by its [`TimeSource`].
    pub time: Duration,
    /// Number of nodes of all threads.
    pub nodes: u64,
    /// Depth of the current iteration.
    pub depth: Depth,
    /// Number of root moves that the current iteration has not begun; at most `moves_total`.
    pub moves_left: u32,
    /// Number of root moves, without excluded ones.
    pub moves_total: u32,
    /// Root move that is searched currently.
    pub current: Option<Move>,
}

/// A report of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// A thinking line. None follows the [`SearchEvent::Best`] of the same search.
    Info(SearchId, SearchInfo),
    /// Answer to [`SearchOrder::ReportStatus`].
    Status(SearchId, SearchStatus),
    /// The result of a search for [`Purpose::Play`], sent exactly once unless the search is abandoned.
    Best {
        /// The search.
        id: SearchId,
        /// Best move; `None` only if every legal move is excluded or there is none.
        best: Option<Move>,
        /// Expected reply, which is legal after `best`.
        ponder: Option<Move>,
        /// Score for the side to move.
        score: Score,
        /// Time used of the budget, by the search's [`TimeSource`]; without the time before a ponder hit.
        time: Duration,
        /// Number of nodes of all threads, without those before a ponder hit.
        nodes: u64,
        /// Set if the tablebases show that the side to move cannot win and need not lose, and the search without them
        /// sees no advantage for it.
        is_tablebase_draw: bool,
    },
    /// Confirms a [`SearchOrder::Configure`] or [`SearchOrder::NewGame`]: it has taken effect and the memory of the
    /// transposition table is prepared, or it takes effect after the current search.
    Configured,
    /// A tablebase file could not be used, and the tables of its set are not used any more.
    TablebasesFailed {
        /// Reason: the file and what is wrong with it.
        reason: String,
        /// Set if another set has replaced them meanwhile, which the next search uses.
        is_replaced: bool,
    },
    /// The system has refused memory or threads that the settings request. Sent once for each result.
    Reduced(Resources),
}

/// The memory and threads that a search has, where the system refused what the settings request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Size of the transposition table in mebibytes; 0 if it is smaller than one.
    pub table_megabytes: u64,
    /// Size that the settings request.
    pub requested_megabytes: u64,
    /// Number of threads that search.
    pub threads: usize,
    /// Number of threads that the settings request, at most one per processor.
    pub requested_threads: usize,
}

impl Resources {
    /// Returns `true` if the system has refused a part.
    pub fn is_reduced(&self) -> bool {
        self.table_megabytes < self.requested_megabytes || self.threads < self.requested_threads
    }
}
