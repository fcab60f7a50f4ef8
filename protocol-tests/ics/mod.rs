//! Plays an engine on a small internet chess server, through XBoard in Zippy mode, and through icsdrone where that is
//! installed. See `README.md` beside this file.

mod board_line;
mod client;
mod client_link;
mod gaur_ics;
mod icsdrone;
mod login_trials;
mod request_trials;
mod scenarios;
mod server;
mod server_trials;
mod xboard;
mod zippy_session;

use std::process::ExitCode;

use libtest_mimic::Trial;

use crate::needs::{self, Need};

/// Returns all trials: of the server alone, and of an engine on it.
pub fn trials() -> Vec<Trial> {
    let mut trials = server_trials::trials();
    let evenings = scenarios::SCENARIOS.map(|(name, scenario)| (name, "", scenario));
    // Only Gaur has the options of this scenario.
    let chat = std::env::var_os("GAUR_TEST_ENGINE")
        .is_none()
        .then_some(scenarios::CHAT);
    for (name, options, scenario) in evenings.into_iter().chain(chat) {
        trials.push(needs::trial(&format!("zippy::{name}"), ZIPPY, move || {
            zippy_session::run(name, options, scenario)
        }));
    }
    trials.extend(gaur_ics::trials());
    trials.push(icsdrone::trial());
    trials
}

const ZIPPY: &[Need] = &[
    Need::Program("xboard", "xboard"),
    Need::Program("Xvfb", "xvfb"),
];

/// Runs only the server, to try a client by hand. It ends with the standard input of this program.
pub fn serve(port: u16) -> ExitCode {
    match server::Server::start(zippy_session::accounts(), port) {
        Ok(server) => {
            println!("listening on 127.0.0.1 port {}", server.port());
            match std::io::copy(&mut std::io::stdin(), &mut std::io::sink()) {
                Ok(_) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            }
        }
        Err(error) => {
            eprintln!("cannot listen on 127.0.0.1 port {port}: {error}");
            ExitCode::FAILURE
        }
    }
}
