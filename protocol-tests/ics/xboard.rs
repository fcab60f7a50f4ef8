//! XBoard in Zippy mode: logs in to a server and plays with an engine. It has its own home folder, so that no user
//! settings are changed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::display::Display;
use crate::needs::program;

/// Time for XBoard to exit.
const QUIT_TIMEOUT: Duration = Duration::from_secs(15);

/// Marks in the debug file of errors that the engine reported.
const COMPLAINTS: [&str; 2] = ["<first : Error", "<first : Illegal move"];

/// A running XBoard.
#[derive(Debug)]
pub struct Xboard {
    process: Child,
    /// Debug files of this XBoard process and of earlier ones.
    debug_files: Vec<PathBuf>,
    // The display ends after its clients.
    _display: Display,
}

impl Xboard {
    /// Starts XBoard: `account` plays at the server on this port, `engine` is the command line of the engine, and
    /// `options` are engine options such as `Greet=1,Kibitz=kibitz`.
    pub fn start(
        folder: &Path,
        port: u16,
        account: &str,
        engine: &str,
        options: &str,
    ) -> Result<Xboard, String> {
        let describe = |error: std::io::Error| format!("cannot start xboard: {error}");
        let display = Display::start()?;
        let logon = folder.join("logon");
        fs::write(&logon, format!("{account}\npassword\n")).map_err(describe)?;
        let errors = File::options()
            .create(true)
            .append(true)
            .open(folder.join("xboard.errors"))
            .map_err(describe)?;
        // XBoard truncates the debug file, so each process has its own.
        let debug_files: Vec<PathBuf> = (1..)
            .map(|number| folder.join(format!("xboard-{number}.debug")))
            .scan(true, |more, file| {
                std::mem::replace(more, file.exists()).then_some(file)
            })
            .collect();
        let path = std::env::var("PATH").unwrap_or_default();
        let process = display
            .command(&program("xboard")?)
            .args(["-zp", "-ics", "-icshost", "127.0.0.1"])
            .args(["-icsport", &port.to_string()])
            .arg("-icslogon")
            .arg(&logon)
            .args(["-fcp", engine])
            .args(["-firstOptions", options])
            // `-xexit`: ends with the connection; an operator's script starts it again.
            .arg("-xexit")
            .arg("-autoflag")
            .args(["-saveSettingsOnExit", "false"])
            .args(["-debug", "-debugfile"])
            .args(debug_files.last())
            .current_dir(folder)
            .env("HOME", folder)
            .env("PATH", format!("{path}:/usr/games"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .map_err(describe)?;
        Ok(Xboard {
            process,
            debug_files,
            _display: display,
        })
    }

    /// Types on the console, as an operator would. XBoard sends the line to the server.
    pub fn type_line(&mut self, line: &str) -> Result<(), String> {
        let console = self.process.stdin.as_mut().ok_or("xboard has no console")?;
        writeln!(console, "{line}").map_err(|error| format!("xboard's console: {error}"))
    }

    /// Waits until XBoard ends by itself.
    pub fn wait_for_exit(&mut self) -> Result<ExitStatus, String> {
        let end = Instant::now() + QUIT_TIMEOUT;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(20)),
                Ok(None) => return Err(format!("xboard has not exited in {QUIT_TIMEOUT:?}")),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Returns the first error that the engine reported, also to an earlier XBoard process.
    pub fn complaint(&self) -> Option<String> {
        self.debug_lines()
            .into_iter()
            .find(|line| COMPLAINTS.iter().any(|words| line.contains(words)))
    }

    /// Returns the last lines of the debug files.
    pub fn debug_tail(&self, count: usize) -> String {
        let lines = self.debug_lines();
        lines[lines.len().saturating_sub(count)..].join("\n")
    }

    fn debug_lines(&self) -> Vec<String> {
        let read = |file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
        let texts: Vec<String> = self.debug_files.iter().map(read).collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        lines.map(str::to_string).collect()
    }
}

impl Drop for Xboard {
    fn drop(&mut self) {
        // XBoard and its engine end with the console. XBoard may have ended already.
        drop(self.process.stdin.take());
        if self.wait_for_exit().is_err() {
            self.process.kill().unwrap_or_default();
            self.process.wait().map(|_| ()).unwrap_or_default();
        }
    }
}
