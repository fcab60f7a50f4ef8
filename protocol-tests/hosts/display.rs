//! An invisible X display: Xvfb on a free number, ended with its owner, also after a panic.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::needs::program;

/// Time before a process that was asked to end is killed.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A running Xvfb.
#[derive(Debug)]
pub struct Display {
    /// Process to end with this value.
    _server: Running,
    name: String,
}

impl Display {
    /// Starts Xvfb and waits until clients can connect.
    pub fn start() -> Result<Display, String> {
        let mut server = Command::new(program("Xvfb")?)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp"])
            // `-terminate` ends it with its last client if this process is killed.
            .arg("-terminate")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start Xvfb: {error}"))?;
        let output = server.stdout.take();
        // From here on, it ends with this value in any case.
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

    /// Returns a command whose windows open on this display.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name);
        command
    }
}

/// Process that ends with its owner.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts a command with empty standard input.
    pub fn start(command: &mut Command) -> Result<Running, String> {
        let name = command.get_program().display().to_string();
        command.stdin(Stdio::null());
        command
            .spawn()
            .map(Running)
            .map_err(|error| format!("cannot start {name}: {error}"))
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> Result<ExitStatus, String> {
        self.0.wait().map_err(|error| error.to_string())
    }

    /// Waits until the process has ended by itself.
    pub fn wait_for_end(&mut self, timeout: Duration) -> Result<ExitStatus, String> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if Instant::now() >= deadline {
                let (id, seconds) = (self.id(), timeout.as_secs());
                return Err(format!("process {id} is still there after {seconds} s"));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the exit status, if the process has ended.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, String> {
        self.0.try_wait().map_err(|error| error.to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SIGTERM first, so that the process can end its children and clean up.
        let signal_sent = self.ended() == Ok(None)
            && Command::new("kill")
                .arg(self.id().to_string())
                .status()
                .is_ok_and(|status| status.success());
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while signal_sent && self.ended() == Ok(None) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}
