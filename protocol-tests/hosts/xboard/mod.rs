//! XBoard, driven by arguments and keyboard. Its debug file contains all traffic with the program.

mod analysis;
pub mod debug_file;
mod input_devices;
pub mod matches;
mod person;
mod session;
mod settings;

use libtest_mimic::Trial;

use crate::needs::{Need, trial};

/// Requirements of every trial.
const XBOARD: &[Need] = &[
    Need::Program("xboard", "xboard"),
    Need::Program("Xvfb", "xvfb"),
    Need::Program("openbox", "openbox"),
];

/// Requirements of trials with keyboard input.
const INPUT_DEVICES: &[Need] = &[
    XBOARD[0],
    XBOARD[1],
    XBOARD[2],
    Need::Program("xdotool", "xdotool"),
];

/// Requirements of matches.
const MATCH: &[Need] = &[
    XBOARD[0],
    XBOARD[1],
    XBOARD[2],
    Need::Program("fairymax", "fairymax"),
];

/// Returns all trials of this host.
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
        trial("xboard::analysis_of_a_file", INPUT_DEVICES, analysis::file),
        trial("xboard::analysis_in_steps", INPUT_DEVICES, analysis::steps),
        trial(
            "xboard::edited_position",
            INPUT_DEVICES,
            analysis::edited_position,
        ),
        trial("xboard::settings", INPUT_DEVICES, settings::dialog),
        trial("xboard::person", INPUT_DEVICES, person::plays),
    ]
}
