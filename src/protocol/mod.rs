//! The xboard protocol (CECP, version 2).
//!
//! [`parser`] converts lines of the GUI to [`command::Command`]s. [`machine`] handles them and returns
//! [`reply::Reply`]s, which [`mod@format`] converts to lines.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod command;
pub mod contempt;
pub mod features;
pub mod format;
pub mod machine;
pub mod odds;
pub mod parser;
pub mod policy;
pub mod reply;
