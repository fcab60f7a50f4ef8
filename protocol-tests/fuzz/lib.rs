//! The functions that the fuzz targets call: those of the script runner, the readers of game and sample files of
//! `gaur-lab`, and the parser of server text of `gaur-ics`.

#[path = "../runner/directive.rs"]
pub mod directive;
#[path = "../runner/events.rs"]
pub mod events;
#[path = "../runner/features.rs"]
pub mod features;
#[path = "../runner/fuzzed/mod.rs"]
pub mod fuzzed;
#[path = "../../tools/lab/tests/fuzzed/games.rs"]
pub mod games;
#[path = "../runner/in_process.rs"]
pub mod in_process;
#[path = "../runner/model/mod.rs"]
pub mod model;
#[path = "../runner/pattern.rs"]
pub mod pattern;
#[path = "../runner/peer.rs"]
pub mod peer;
#[path = "../../tools/lab/tests/fuzzed/samples.rs"]
pub mod samples;
#[path = "../../tools/ics/tests/fuzzed/server_text.rs"]
pub mod server_text;
#[path = "../runner/simulated_search.rs"]
pub mod simulated_search;
#[path = "../runner/referee.rs"]
pub mod referee;
#[path = "../runner/script.rs"]
pub mod script;
#[path = "../runner/conversation.rs"]
pub mod conversation;
#[path = "../runner/words.rs"]
pub mod words;
