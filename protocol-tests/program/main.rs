//! What no script can express: the built program with odd pipes, and over a thousand games. Each test starts the
//! program anew; bounds of time are wide, because machines may be busy. They look into `/proc`, so they need Linux.

#![cfg(target_os = "linux")]

mod engine;
mod games;
mod latency;
mod log;
mod pipes;
