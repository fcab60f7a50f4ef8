//! An X display that nobody sees: Xvfb on a free number, gone when its owner is, also after a panic.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::needs::program;

/// How long a process that was asked to leave may take before it is killed.
const LEAVING: Duration = Duration::from_secs(5);

/// A running Xvfb.
#[derive(Debug)]
pub struct Display {
    /// Held to be ended.
    _server: Running,
    name: String,
}

impl Display {
    /// Starts it; when this returns, clients may come.
    pub fn start() -> Result<Display, String> {
        let mut server = Command::new(program("Xvfb")?)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp"])
            // With its last client, should this process be killed before it can end it.
            .arg("-terminate")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start Xvfb: {error}"))?;
        let output = server.stdout.take();
        // From here on it ends with this value, whatever happens.
        let server = Running(server);
        // It writes its number once it listens, and closes its output if it cannot start.
        let mut number = String::new();
        BufReader::new(output.ok_or("no output of Xvfb")?)
            .read_line(&mut number)
            .map_err(|error| format!("no display number from Xvfb: {error}"))?;
        if number.trim().is_empty() {
            return Err("Xvfb found no free display".to_string());
        }
        Ok(Display {
            _server: server,
            name: format!(":{}", number.trim()),
        })
    }

    /// A command whose windows come up here.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name);
        command
    }
}

/// A process that is ended with its owner.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts it. It has nothing to read.
    pub fn start(command: &mut Command) -> Result<Running, String> {
        let name = command.get_program().display().to_string();
        command.stdin(Stdio::null());
        command
            .spawn()
            .map(Running)
            .map_err(|error| format!("cannot start {name}: {error}"))
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> Result<ExitStatus, String> {
        self.0.wait().map_err(|error| error.to_string())
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, String> {
        self.0.try_wait().map_err(|error| error.to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Asked first, so that it can end its own children and clean up; one that has left already needs nothing.
        let asked = self.ended() == Ok(None)
            && Command::new("kill")
                .arg(self.id().to_string())
                .status()
                .is_ok_and(|status| status.success());
        let deadline = Instant::now() + LEAVING;
        while asked && self.ended() == Ok(None) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}
