//! Tests in which real hosts drive the program. The tests of a missing host are skipped by name; see `needs.rs`.

mod board;
mod conversation;
mod conversation_test;
mod desktop;
mod display;
mod fairymax;
mod folder;
mod game;
mod gnome_chess;
#[path = "../ics/mod.rs"]
mod ics;
mod knights;
mod needs;
mod player;
mod pychess;
mod python;
mod scid;
mod traffic;
mod wait;
mod winboard;
mod xboard;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("serve") {
        let port = words.next().and_then(|port| port.parse().ok());
        return ics::serve(port.unwrap_or(5000));
    }
    let (on_servers, others) = trials()
        .into_iter()
        .partition(|trial| trial.name().starts_with("gaur_ics::"));
    let of_others = run(others, 1);
    let of_servers = run(on_servers, SERVERS);
    if of_others.has_failed() || of_servers.has_failed() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Number of servers for `gaur-ics` at the same time: their games mostly wait for clocks.
const SERVERS: usize = 3;

/// Runs trials. More than one GUI at the same time would disturb the clocks of the other.
fn run(trials: Vec<Trial>, threads: usize) -> Conclusion {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(threads);
    libtest_mimic::run(&arguments, trials)
}

fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("conversation::check", || {
        conversation_test::self_test().map_err(Failed::from)
    })];
    trials.extend(xboard::trials());
    trials.extend(winboard::trials());
    trials.extend(pychess::trials());
    trials.extend(gnome_chess::trials());
    trials.extend(knights::trials());
    trials.extend(scid::trials());
    trials.extend(python::trials());
    trials.extend(ics::trials());
    trials
}
