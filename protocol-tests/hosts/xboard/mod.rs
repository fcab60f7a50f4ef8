//! XBoard, driven by its arguments and its keyboard. Its debug file shows all it says to our program and hears from it.

mod debug_file;
mod matches;
mod session;

use libtest_mimic::Trial;

use crate::needs::{Need, trial};

/// What every trial needs.
const XBOARD: &[Need] = &[
    Need::Program("xboard", "xboard"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
];

/// And an opponent.
const MATCH: &[Need] = &[
    XBOARD[0],
    XBOARD[1],
    XBOARD[2],
    Need::Program("fairymax", "fairymax"),
];

/// All trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![trial(
        "xboard::match_40_moves_a_minute",
        MATCH,
        matches::forty_moves_a_minute,
    )]
}
