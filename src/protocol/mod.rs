//! The xboard protocol (CECP, version 2): lines from the GUI become [`command::Command`]s, and
//! [`reply::Reply`]s become lines to it.
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
pub mod features;
pub mod format;
pub mod machine;
pub mod parser;
pub mod policy;
pub mod reply;
