//! Which move first, how deep, when to give up.
//!
//! The controller thread takes orders and keeps the time; workers search, each on its own board and histories,
//! sharing the transposition table. The search emits events and never prints; nobody outside reads its state.
//! `docs/search.md` explains it to a newcomer.

mod alphabeta;
mod aspiration;
mod controller;
mod history;
mod iterate;
mod job;
mod killers;
mod learn;
mod line_filter;
mod node;
mod parallel;
mod picker;
mod poll;
mod pool;
mod prune;
mod pv;
mod quiescence;
mod reduce;
mod root;
mod running_search;
mod scored;
mod searcher;
mod setup;
mod shortcuts;
mod single_threaded;
mod stack;
mod statistics;
mod stop;
mod table;
#[cfg(test)]
mod tests;
mod vote;

pub use controller::{SearchHandle, start};
pub use parallel::ParallelSearch;
pub use setup::SearchSetup;
pub use single_threaded::{SingleThreadedResult, SingleThreadedSearch};
pub use statistics::{CutGroup, Statistics};
