//! The fuzz targets' functions and what they need, which are those of the script runner.

#[path = "../runner/directive.rs"]
pub mod directive;
#[path = "../runner/events.rs"]
pub mod events;
#[path = "../runner/features.rs"]
pub mod features;
#[path = "../runner/fuzzed/mod.rs"]
pub mod fuzzed;
#[path = "../runner/in_process.rs"]
pub mod in_process;
#[path = "../runner/model/mod.rs"]
pub mod model;
#[path = "../runner/pattern.rs"]
pub mod pattern;
#[path = "../runner/peer.rs"]
pub mod peer;
#[path = "../runner/pretended_search.rs"]
pub mod pretended_search;
#[path = "../runner/referee.rs"]
pub mod referee;
#[path = "../runner/script.rs"]
pub mod script;
#[path = "../runner/talk.rs"]
pub mod talk;
#[path = "../runner/words.rs"]
pub mod words;
