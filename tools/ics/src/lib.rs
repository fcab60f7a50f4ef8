//! A client that plays with an xboard engine on a chess server like FICS.
//!
//! | module | content |
//! |---|---|
//! | `text` | lines of the server, parsed |
//! | `game` | positions and moves of one game, as the server shows them |
//! | `config` | the configuration file |
//! | `score` | scores of engines as text |
//! | `rules` | decisions on challenges and requests of the opponent |
//! | `net` | connection to the server, timeseal |
//! | `engine` | the engine, a child process |
//! | `record` | finished games in a PGN file |
//! | `report` | log file, status line, JSON lines |
//! | `arguments` | the command line |
//! | `manual` | manual page and completions |
//! | `session` | the account on the server: login, seeks, games, reconnection |
//! | `setup` | programs and files that the configuration names |

pub mod arguments;
pub mod config;
pub mod engine;
pub mod game;
pub mod manual;
pub mod net;
pub mod record;
pub mod report;
pub mod rules;
pub mod score;
pub mod session;
pub mod setup;
pub mod text;
