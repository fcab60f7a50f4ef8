//! Reports: log file, status line in a terminal, JSON lines for supervision. A thread writes them.

mod json;
mod log;
mod rotation;
mod status;
#[cfg(test)]
mod tests;
mod thread;

pub use json::{Event, JsonLines};
pub use log::{Level, Log, LogError};
pub use status::{StatusLine, StatusView};
pub use thread::{ReportThread, Reports};
