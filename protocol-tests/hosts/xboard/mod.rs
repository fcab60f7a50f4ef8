//! XBoard on a display of its own.

use libtest_mimic::Trial;

use crate::display::Display;
use crate::needs::{Need, gaur, program, trial};

const NEEDS: &[Need] = &[
    Need::Program("xboard", "xboard"),
    Need::Program("Xvfb", "xvfb"),
];

/// All trials of this host.
pub fn trials() -> Vec<Trial> {
    vec![trial("xboard::starts", NEEDS, starts)]
}

fn starts() -> Result<(), String> {
    let display = Display::start()?;
    let status = display
        .command(&program("xboard")?)
        .arg("--version")
        .status();
    println!("{status:?} {}", gaur().display());
    Ok(())
}
