//! Plays an engine on a small internet chess server, through XBoard in Zippy mode, and through icsdrone where that is
//! installed. See `README.md` beside this file.

mod board_line;
mod client;
mod display;
mod evening;
mod icsdrone;
mod scenarios;
mod server;
mod server_trials;
mod xboard;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// What the trials with an engine need, and the Debian package that has it.
const HOSTS: [(&str, &str); 2] = [("xboard", "xboard"), ("Xvfb", "xvfb")];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("serve") {
        return serve(
            words
                .next()
                .and_then(|port| port.parse().ok())
                .unwrap_or(5000),
        );
    }
    let mut arguments = Arguments::from_args();
    // Each evening has an engine that thinks; more at once would only measure the machine.
    arguments.test_threads.get_or_insert(2);
    let mut trials = server_trials::trials();
    let required = std::env::var("GAUR_HOSTS").is_ok_and(|hosts| hosts == "required");
    for (name, scenario) in scenarios::SCENARIOS {
        let play = move || match missing() {
            None => {
                evening::spend(name, scenario)?;
                Ok(Completion::Completed)
            }
            Some(missing) if required => Err(Failed::from(missing)),
            Some(missing) => Ok(Completion::ignored_with(missing)),
        };
        trials.push(Trial::ignorable_test(format!("zippy::{name}"), play));
    }
    trials.push(icsdrone::trial());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What is missing on this machine.
fn missing() -> Option<String> {
    let absent: Vec<String> = HOSTS
        .iter()
        .filter(|(program, _)| !is_installed(program))
        .map(|(program, package)| format!("{program} is missing (Debian: apt install {package})"))
        .collect();
    (!absent.is_empty()).then(|| absent.join(", "))
}

/// Whether a program is in PATH, or where Debian has its games.
fn is_installed(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Only the server, for trying a client by hand; it ends with this program's standard input.
fn serve(port: u16) -> ExitCode {
    match server::Server::start(evening::accounts(), port) {
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
