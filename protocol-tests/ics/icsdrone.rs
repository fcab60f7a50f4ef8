//! icsdrone, another program that lets an engine play on a server. No distribution has it, so these tests run only if
//! it is installed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::ics::client::Client;
use crate::ics::server::{Kind, Server};
use crate::ics::zippy_session::{ENGINE, RABBIT, accounts, check_clocks, empty_folder, engine};
use crate::needs::{self, Need};

const PROGRAM: &str = "icsdrone";
const DRONE: Need = Need::RareProgram(PROGRAM, "https://github.com/jpversiani/icsdrone");

/// Time for a game to end after a resignation or a lost connection.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the trial: two games with both colours, and one that is resumed.
pub fn trial() -> Trial {
    needs::trial("icsdrone::games", &[DRONE], games)
}

fn games() -> Result<(), String> {
    let folder = empty_folder("icsdrone")?;
    let server = Server::start(accounts(), 0).map_err(|error| error.to_string())?;
    let mut rabbit = Client::login(server.port(), RABBIT, 5)?;
    let _drone = Drone::start(&folder, server.port())?;

    rabbit.challenge(ENGINE, "0 1 white")?;
    rabbit.play_to_the_end()?;
    rabbit.challenge(ENGINE, "0 1 black")?;
    rabbit.play(4)?;
    server.cut(RABBIT);
    // The server informs the engine's account while Rabbit is away.
    let end = Instant::now() + ANSWER_TIMEOUT;
    while server.journal().finished.len() < 2 {
        if Instant::now() >= end {
            return Err("the interrupted game has not been put aside".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut rabbit = Client::login(server.port(), RABBIT, 6)?;
    rabbit.challenge(ENGINE, "")?;
    rabbit.play(4)?;
    rabbit.type_line("resign")?;
    rabbit.wait_for_the_end(ANSWER_TIMEOUT)?;

    let journal = server.journal();
    let endings: Vec<String> = journal.finished.iter().map(|game| game.summary()).collect();
    let expected = [
        "Rabbit checkmated 0-1",
        "Rabbit lost connection; game adjourned *",
        "Rabbit resigns 1-0",
    ];
    if endings != expected {
        return Err(format!(
            "the games ended {endings:?} instead of {expected:?}"
        ));
    }
    // It tries commands that only some servers have, but every move must be legal.
    if let Some(refusal) = journal
        .of(ENGINE, Kind::Refused)
        .find(|refusal| !refusal.ends_with("Command not found."))
    {
        return Err(format!("{ENGINE} was refused something: {refusal}"));
    }
    check_clocks(&journal, ENGINE)
}

/// A running icsdrone.
struct Drone(Child);

impl Drone {
    fn start(folder: &Path, port: u16) -> Result<Drone, String> {
        Command::new(PROGRAM)
            .args(["-icsHost", "127.0.0.1", "-icsPort", &port.to_string()])
            .args(["-handle", ENGINE, "-password", "password"])
            // It does not support quotation marks.
            .args(["-program", &engine().replace('"', "")])
            .args(["-console", "off", "-autoReconnect", "off"])
            .current_dir(folder)
            .env("HOME", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Drone)
            .map_err(|error| format!("cannot start {PROGRAM}: {error}"))
    }
}

impl Drop for Drone {
    fn drop(&mut self) {
        // It may have ended with the server; its engine ends with its input.
        self.0.kill().unwrap_or_default();
        self.0.wait().map(|_| ()).unwrap_or_default();
    }
}
