//! An X display that nobody sees: Xvfb on a free number, gone when its owner is, also after a panic.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::needs::program;

/// How long a process that was asked to leave may take before it is killed.
const LEAVING: Duration = Duration::from_secs(5);

/// A running Xvfb.
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts it; when this returns, clients may come.
    pub fn start() -> Result<Display, String> {
        let mut server = Command::new(program("Xvfb")?)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start Xvfb: {error}"))?;
        let output = server.stdout.take();
        // From here on the server ends with this value, whatever happens.
        let mut display = Display {
            server,
            name: String::new(),
        };
        // It writes its number once it listens, and closes its output if it cannot start.
        let mut number = String::new();
        BufReader::new(output.ok_or("no output of Xvfb")?)
            .read_line(&mut number)
            .map_err(|error| format!("no display number from Xvfb: {error}"))?;
        if number.trim().is_empty() {
            return Err("Xvfb found no free display".to_string());
        }
        display.name = format!(":{}", number.trim());
        Ok(display)
    }

    /// A command whose windows come up here.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name);
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

/// Asks a process to leave, and kills it if it does not.
pub fn end(process: &mut Child) {
    // One that has left already needs nothing more.
    if let Ok(Some(_)) = process.try_wait() {
        return;
    }
    let asked = Command::new("kill")
        .arg(process.id().to_string())
        .stderr(Stdio::null())
        .status();
    let deadline = Instant::now() + LEAVING;
    while asked.as_ref().is_ok_and(|status| status.success()) && Instant::now() < deadline {
        if let Ok(Some(_)) = process.try_wait() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    process.kill().unwrap_or_default();
    process.wait().map(drop).unwrap_or_default();
}
