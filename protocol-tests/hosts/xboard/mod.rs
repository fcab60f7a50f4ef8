//! XBoard, driven by its arguments and its keyboard. Its debug file shows all it says to our program and hears from it.

mod analysis;
mod debug_file;
mod desk;
mod matches;
mod person;
mod session;
mod settings;

use libtest_mimic::Trial;

use crate::needs::{Need, trial};

/// What every trial needs.
const XBOARD: &[Need] = &[
    Need::Program("xboard", "xboard"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
];

/// And hands on the keyboard.
const DESK: &[Need] = &[
    XBOARD[0],
    XBOARD[1],
    XBOARD[2],
    Need::Program("xdotool", "xdotool"),
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
    vec![
        trial(
            "xboard::match_40_moves_a_minute",
            MATCH,
            matches::forty_moves_a_minute,
        ),
        trial(
            "xboard::match_short_periods",
            XBOARD,
            matches::short_periods,
        ),
        trial(
            "xboard::match_1_minute_1_second",
            MATCH,
            matches::minute_and_second,
        ),
        trial(
            "xboard::match_10_seconds",
            MATCH,
            matches::ten_seconds_and_a_tenth,
        ),
        trial(
            "xboard::match_1_second_a_move",
            XBOARD,
            matches::second_a_move,
        ),
        trial("xboard::match_fischerandom", XBOARD, matches::fischerandom),
        trial("xboard::analysis_of_a_file", DESK, analysis::file),
        trial("xboard::analysis_in_steps", DESK, analysis::steps),
        trial("xboard::edited_position", DESK, analysis::edited_position),
        trial("xboard::settings", DESK, settings::dialog),
        trial("xboard::person", DESK, person::plays),
    ]
}
