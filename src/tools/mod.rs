//! What the command line offers besides playing.

pub mod eval;
