//! The protocol state machine: GUI commands and search events in, replies and search orders out.
//!
//! The machine has no side effects. It starts no thread, reads no clock and prints nothing. The caller passes the
//! arrival time with every command and event, and carries out the returned [`Action`]s in order. The current activity
//! is one enum, the mode. Every search has a number; the machine ignores the events of any other search.
//!
//! A [`Machine`] consists of objects with a task each:
//!
//! | file | object |
//! |---|---|
//! | `mode` | current activity |
//! | `time_keeping` | clocks, reported times, lag, and the limits of a search |
//! | `search_constraints` | excluded root moves, and scores set by the user |
//! | `thinking_output` | thinking output, sent or withheld |
//! | `chat` | messages on servers |
//! | `highlight` | the piece that the user has lifted |
//! | `conversation` | client, accepted features, handshake, and pending error |
//! | `pending_pongs` | pings whose pongs wait |
//! | `backlog` | commands that wait for the search or for a network |
//! | `start_settings` | settings from the command line and the environment, while their files are being read |
//!
//! The commands act on these objects:
//!
//! | file | task |
//! |---|---|
//! | `interface` | types exchanged with the caller |
//! | `state` | the machine, and the operations that all commands share |
//! | `input` | lines, search events, the end of input, and the backlog |
//! | `dispatch` | the handler of each command |
//! | `play` | the engine's side, its search for a move, pondering, and the opponent's moves |
//! | `strength` | the playing strength of a search |
//! | `takeback` | takebacks on servers that the GUI does not report |
//! | `draws_and_results` | draw claims, draw offers and results |
//! | `analysis` | `analyze`, `exit`, `.`, `exclude`, `include`, `setscore` |
//! | `setup` | `new`, `variant`, `setboard`, edit mode, `undo`, `remove` |
//! | `pause` | `pause` and `resume` |
//! | `configure` | features, options, the settings file and the log |
//! | `network` | networks that the settings select |
//! | `start` | the start with these settings |
//! | `console` | replies to `help` and `d` |
//! | `view` | the state as a client in the same process sees it |

mod analysis;
mod backlog;
mod book;
mod chat;
mod configure;
mod console;
mod conversation;
mod dispatch;
mod draws_and_results;
mod highlight;
mod input;
mod interface;
mod mode;
mod network;
mod opening_book;
mod pause;
mod pending_pongs;
mod play;
mod search_constraints;
mod setup;
mod start;
mod start_settings;
mod state;
mod strength;
mod tablebases;
mod takeback;
mod thinking_output;
mod time_keeping;
mod view;

#[cfg(test)]
mod tests;

pub use interface::{
    Action, BookReport, FileProblem, MAX_LINE_BYTES, MachineSettings, SettingsEvent, StartSetting,
    StartSettings, TablebaseReport,
};
pub use state::Machine;
pub use tablebases::SYZYGY;
pub use view::Activity;
