//! Decisions on challenges, requests, seeks and rematches: pure functions of facts and configuration.

#[cfg(test)]
mod challenge_tests;
mod challenges;
mod facts;
#[cfg(test)]
mod game_tests;
mod games;
mod pause;
mod requests;

pub use challenges::{decide, duration_seconds, variant};
pub use facts::{
    ChallengeFacts, Colour, Decision, GameFacts, History, Outcome, RequestDecision, is_listed,
};
pub use games::{contradiction, next_seek, offers_rematch, seek_command};
pub use pause::pause_left;
pub use requests::answer;
