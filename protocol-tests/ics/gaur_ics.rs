//! Tests of `gaur-ics` with Gaur and with Fairy-Max on the test server, against Rabbit.

mod archive;
mod failures;
mod families;
mod games;
mod lag;
mod messages;
mod program;
mod requests;
mod series;
mod session;
mod settings;

use libtest_mimic::Trial;

use crate::needs::{self, Need};
use session::ClientSession;
use settings::Engine;

const FAIRY_MAX: &[Need] = &[Need::Program("fairymax", "fairymax")];

/// Returns one trial for each scenario and engine: `gaur_ics::NAME` with Gaur, `gaur_ics::fairymax::NAME` with
/// Fairy-Max.
pub fn trials() -> Vec<Trial> {
    // The series first: it takes minutes, during which other threads run everything else.
    let all = series::SCENARIOS
        .iter()
        .chain(games::SCENARIOS)
        .chain(messages::SCENARIOS)
        .chain(requests::SCENARIOS)
        .chain(failures::SCENARIOS)
        .chain(lag::SCENARIOS)
        .chain(families::SCENARIOS);
    let mut trials = Vec::new();
    for scenario in all {
        trials.push(needs::trial_with_chance(
            &format!("gaur_ics::{}", scenario.name),
            &[],
            is_early_end,
            || ClientSession::run(scenario, Engine::Gaur),
        ));
        if !scenario.only_gaur {
            trials.push(needs::trial_with_chance(
                &format!("gaur_ics::fairymax::{}", scenario.name),
                FAIRY_MAX,
                is_early_end,
                || ClientSession::run(scenario, Engine::FairyMax),
            ));
        }
    }
    trials
}

/// Returns `true` if the engine has mated Rabbit before the scenario was over. Its moves depend on its speed.
fn is_early_end(error: &str) -> bool {
    error.contains("the game ended too early") && error.contains("checkmated")
}
