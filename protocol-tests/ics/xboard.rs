//! XBoard in Zippy mode: it logs an engine in to a server and plays for it. It lives in a folder of its own, so that
//! nobody's settings are touched.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::display::Display;
use crate::needs::program;

/// How long it may take to leave.
const LEAVING: Duration = Duration::from_secs(15);

/// How its debug file shows that the engine did not take something.
const COMPLAINTS: [&str; 2] = ["<first : Error", "<first : Illegal move"];

/// A running XBoard.
#[derive(Debug)]
pub struct Xboard {
    process: Child,
    /// Its debug file, and those of the ones before it.
    debug_files: Vec<PathBuf>,
    // Its clients leave before it does.
    _display: Display,
}

impl Xboard {
    /// Starts it: `account` plays at the server on this port, `engine` is the command line of the engine, `options` are
    /// set in it, such as `Greet=1,Kibitz=kibitz`.
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
        // XBoard empties the file that it is given, so each that is started here has one of its own.
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
            // Ends with the connection, instead of asking what to do; an operator's script starts it again.
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

    /// Types on its console, as an operator would. It goes to the server.
    pub fn type_line(&mut self, line: &str) -> Result<(), String> {
        let console = self.process.stdin.as_mut().ok_or("xboard has no console")?;
        writeln!(console, "{line}").map_err(|error| format!("xboard's console: {error}"))
    }

    /// Waits for it to leave by itself.
    pub fn wait_for_exit(&mut self) -> Result<ExitStatus, String> {
        let end = Instant::now() + LEAVING;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(20)),
                Ok(None) => return Err(format!("xboard has not left in {LEAVING:?}")),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// The first complaint of the engine about something that it was sent, here or before XBoard was started again.
    pub fn complaint(&self) -> Option<String> {
        self.debug_lines()
            .into_iter()
            .find(|line| COMPLAINTS.iter().any(|words| line.contains(words)))
    }

    /// What it has written about its talk with engine and server, the last of it.
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
        // The end of its console is its end, and the end of its engine. It may be gone already.
        drop(self.process.stdin.take());
        if self.wait_for_exit().is_err() {
            self.process.kill().unwrap_or_default();
            self.process.wait().map(|_| ()).unwrap_or_default();
        }
    }
}
