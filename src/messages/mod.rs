//! What the protocol side and the search say to each other. Data only.
//!
//! `protocol` and `search` never name each other; both know this room. Every search has a number, and an
//! event that carries the number of a search one has withdrawn is dropped by whoever gets it.

mod score_overrides;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use score_overrides::ScoreOverrides;

use crate::clock::TimeBudget;
use crate::config::SearchSettings;
use crate::eval::Network;
use crate::rules::Position;
use crate::types::{Depth, Move, Score};

/// The number of one search; a later search has a larger one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchId(pub u64);

/// What a search is for, which decides who ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move is owed: ends by its limits, by [`SearchOrder::MoveNow`], or when nothing is left to find.
    Play,
    /// Thinking on the opponent's time about the position after the guessed move: reports its best move
    /// only after [`SearchOrder::PonderHit`], however early it has finished.
    Ponder,
    /// Runs until abandoned and never reports a best move.
    Analyse,
}

/// What ends a search early. Everything absent is unlimited; whichever comes first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, at least 1 (`sd`).
    pub depth: Option<Depth>,
    /// Most nodes, over all threads (`nps` with `st`; bench; data generation).
    pub nodes: Option<u64>,
    /// Time from [`SearchRequest::started`]; for a ponder search it arrives with the hit.
    pub budget: Option<TimeBudget>,
}

/// By which clock a search counts the time that it takes, for its limits and for what it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSource {
    /// The clock on the wall, pauses left out.
    #[default]
    Wall,
    /// The processor time of its threads together (`nps`).
    Processor,
}

/// A question to the search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Its number.
    pub id: SearchId,
    /// The position to think about, with the keys of the positions before it.
    pub position: Position,
    /// What for.
    pub purpose: Purpose,
    /// When to stop.
    pub limits: Limits,
    /// Root moves not to be considered (`exclude`).
    pub excluded: Vec<Move>,
    /// Positions whose scores the user has given (`setscore`).
    pub score_overrides: ScoreOverrides,
    /// By which clock it counts.
    pub time_source: TimeSource,
    /// When the line arrived that asked for it: time spent counts from here.
    pub started: Instant,
}

/// An order to the search controller.
#[derive(Clone, Debug)]
pub enum SearchOrder {
    /// Begin; whatever ran before is abandoned.
    Start(Box<SearchRequest>),
    /// The opponent played the guessed move: go on as [`Purpose::Play`] within these limits, time counting
    /// from `started`.
    PonderHit {
        /// The ponder search.
        id: SearchId,
        /// The limits of the move now owed.
        limits: Limits,
        /// When the opponent's move arrived.
        started: Instant,
    },
    /// Go on within these limits, which count as those that the search began with; a smaller number of nodes or depth
    /// holds from now on, a larger one does not. Only for [`Purpose::Play`].
    SetLimits {
        /// The search.
        id: SearchId,
        /// In place of those that it has.
        limits: Limits,
    },
    /// End the search and report its best move at once (`?`).
    MoveNow(SearchId),
    /// End the search; its answer is no longer wanted.
    Abandon(SearchId),
    /// Freeze the search and its clock without using the processor (`pause`).
    Pause(SearchId),
    /// Go on after [`SearchOrder::Pause`]; the pause does not count as time.
    Resume(SearchId),
    /// Send a [`SearchEvent::Status`] (`.`).
    ReportStatus(SearchId),
    /// Use this network with the settings of the next [`SearchOrder::Configure`], in place of the current network.
    UseNetwork(Arc<Network>),
    /// Take over settings: at once when idle, pondering or analysing, else after the running search.
    /// Answered by [`SearchEvent::Configured`].
    Configure(Box<SearchSettings>),
    /// A new game: forget what was learned from the last one. Answered by [`SearchEvent::Configured`].
    NewGame,
    /// Lines of the GUI wait for [`SearchEvent::Configured`]: confirm before all memory is provided.
    Hurry,
    /// End all threads.
    Quit,
}

/// Which side of the truth a score is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The truth is at least this (fail high).
    Lower,
    /// The truth is at most this (fail low).
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

/// A line of thinking output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Nominal depth.
    pub depth: Depth,
    /// Half-moves of the longest line looked at.
    pub selective_depth: u32,
    /// For the side to move at the root.
    pub score: Score,
    /// What `score` means.
    pub bound: Bound,
    /// Since the search began, by its [`TimeSource`].
    pub time: Duration,
    /// Over all threads.
    pub nodes: u64,
    /// Which of several variations it is, 0 the best.
    pub rank: usize,
    /// Legal moves from the root.
    pub pv: Vec<Move>,
}

/// The answer to `.`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SearchStatus {
    /// Since the search began, by its [`TimeSource`].
    pub time: Duration,
    /// Over all threads.
    pub nodes: u64,
    /// The iteration being searched.
    pub depth: Depth,
    /// Root moves not yet begun in this iteration; at most `moves_total`.
    pub moves_left: u32,
    /// Root moves in all, without excluded ones.
    pub moves_total: u32,
    /// The root move being searched.
    pub current: Option<Move>,
}

/// A report from the search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// Thinking output; never after this search's [`SearchEvent::Best`].
    Info(SearchId, SearchInfo),
    /// Answer to [`SearchOrder::ReportStatus`].
    Status(SearchId, SearchStatus),
    /// The end of a [`Purpose::Play`] search, sent exactly once unless it was abandoned.
    Best {
        /// The search it answers.
        id: SearchId,
        /// The move; `None` only where there is no legal (and not excluded) one.
        best: Option<Move>,
        /// The expected reply, legal after `best`.
        ponder: Option<Move>,
        /// Its score for the side that moves.
        score: Score,
        /// What the move has cost since it was owed, by the search's [`TimeSource`].
        time: Duration,
        /// Nodes searched for it since it was owed, over all threads.
        nodes: u64,
    },
    /// A [`SearchOrder::Configure`] or [`SearchOrder::NewGame`] has taken effect, memory for the transposition table
    /// included, or has been put off until the running search ends.
    Configured,
}
