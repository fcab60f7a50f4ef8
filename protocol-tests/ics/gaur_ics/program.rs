//! The program `gaur-ics` as a child process: built once, started in a folder, stopped by signals.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::needs;
use crate::wait::wait_until;

/// Variable that contains the password.
const PASSWORD: &str = "GAUR_ICS_PASSWORD";

/// Time for the engine to appear among the processes.
const ENGINE_START: Duration = Duration::from_secs(15);

/// Time for a process to end.
const ENGINE_END: Duration = Duration::from_secs(15);

/// Number of lines of the log in an error message.
const EVIDENCE: usize = 60;

/// Log of the program.
const LOG: &str = "gaur-ics.log";

/// Mark of lines to the server in the log.
const SENT: &str = " server < ";

/// A running `gaur-ics`, killed when dropped.
#[derive(Debug)]
pub struct Program {
    process: Child,
    folder: PathBuf,
    /// Number of engines that [`Program::kill_engine`] and [`Program::stop_engine`] have ended.
    pub lost_engines: usize,
}

impl Program {
    /// Builds the program if necessary and starts it in a folder with this configuration.
    pub fn start(folder: &Path, configuration: &str, password: &str) -> Result<Program, String> {
        let executable = executable()?;
        let describe = |error: std::io::Error| format!("cannot start {executable:?}: {error}");
        fs::write(folder.join("account.toml"), configuration).map_err(describe)?;
        let errors = File::options()
            .create(true)
            .append(true)
            .open(folder.join("errors"))
            .map_err(describe)?;
        let process = Command::new(&executable)
            .arg("account.toml")
            .current_dir(folder)
            .env(PASSWORD, password)
            .stdin(Stdio::null())
            .stdout(errors.try_clone().map_err(describe)?)
            .stderr(errors)
            .spawn()
            .map_err(describe)?;
        Ok(Program {
            process,
            folder: folder.to_path_buf(),
            lost_engines: 0,
        })
    }

    /// Asks the program to end, as a service manager does.
    pub fn terminate(&self) -> Result<(), String> {
        signal("TERM", self.process.id())
    }

    /// Kills the engine.
    pub fn kill_engine(&mut self) -> Result<(), String> {
        self.signal_engine("KILL").map(drop)
    }

    /// Stops the engine without ending it and returns its process.
    pub fn stop_engine(&mut self) -> Result<u32, String> {
        self.signal_engine("STOP")
    }

    fn signal_engine(&mut self, name: &str) -> Result<u32, String> {
        let mut engine = None;
        wait_until(ENGINE_START, || {
            engine = child_of(self.process.id());
            Ok(engine.is_some())
        })?;
        let engine = engine.ok_or("gaur-ics has no engine")?;
        signal(name, engine)?;
        self.lost_engines += 1;
        Ok(engine)
    }

    /// Waits until this process, a child of the program, has ended.
    pub fn expect_end_of(&self, process: u32) -> Result<(), String> {
        let own = Some(self.process.id());
        let has_ended = wait_until(ENGINE_END, || Ok(parent_of(process) != own))?;
        if has_ended {
            Ok(())
        } else {
            Err(format!("process {process} is still running"))
        }
    }

    /// Waits until the program has ended and returns its exit status.
    pub fn wait(&mut self, timeout: Duration) -> Result<ExitStatus, String> {
        let mut status = None;
        wait_until(timeout, || {
            status = self.process.try_wait().map_err(|error| error.to_string())?;
            Ok(status.is_some())
        })?;
        status.ok_or_else(|| format!("gaur-ics has not ended in {timeout:?}"))
    }

    /// Checks that the program is still running.
    pub fn expect_running(&mut self) -> Result<(), String> {
        match self.process.try_wait().map_err(|error| error.to_string())? {
            None => Ok(()),
            Some(status) => Err(format!("gaur-ics has ended with {status}")),
        }
    }

    /// Returns the log since the first start in this folder.
    pub fn log(&self) -> Result<String, String> {
        fs::read_to_string(self.folder.join(LOG))
            .map_err(|error| format!("the log cannot be read: {error}"))
    }

    /// Returns the lines that the program has sent to the server since its first start, by its log.
    pub fn sent(&self) -> Result<Vec<String>, String> {
        Ok(self
            .log()?
            .lines()
            .filter_map(|line| Some(line.split_once(SENT)?.1.to_string()))
            .collect())
    }

    /// Returns the end of the log and of the standard streams.
    pub fn evidence(&self) -> String {
        let mut text = String::new();
        for name in [LOG, "errors"] {
            // A missing file is evidence, too.
            let content = fs::read_to_string(self.folder.join(name)).unwrap_or_default();
            let lines: Vec<&str> = content.lines().collect();
            let last = &lines[lines.len().saturating_sub(EVIDENCE)..];
            text.push_str(&format!("{name} ends:\n{}\n\n", last.join("\n")));
        }
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            // It may end by itself at this moment.
            self.process.kill().unwrap_or_default();
            self.process.wait().map(drop).unwrap_or_default();
        }
    }
}

/// Sends a signal to one process.
fn signal(name: &str, process: u32) -> Result<(), String> {
    let status = Command::new("sh")
        .args(["-c", &format!("kill -{name} {process}")])
        .status()
        .map_err(|error| format!("cannot run kill: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("kill -{name} {process} ended with {status}"))
    }
}

/// Returns a running child of a process.
fn child_of(parent: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?;
    processes.flatten().find_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        (parent_of(process) == Some(parent)).then_some(process)
    })
}

/// Returns the parent of a running or stopped process; `None` if it has ended.
fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, which may contain spaces, is in parentheses. State and parent follow.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    (state != "Z").then_some(parent)
}

/// Returns the path of the program, which is built at the first call.
fn executable() -> Result<PathBuf, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    BUILT.get_or_init(build).clone()
}

/// Builds the program beside the engine, with the same profile.
fn build() -> Result<PathBuf, String> {
    let folder = needs::gaur().parent().ok_or("the engine has no folder")?;
    let executable = folder.join(format!("gaur-ics{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "--quiet", "--package", "gaur-ics", "--target-dir"])
        .arg(folder.parent().ok_or("the engine has no target folder")?)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if folder.ends_with("release") {
        command.arg("--release");
    }
    let remedy = "run `cargo build -p gaur-ics` and repair what it reports";
    let output = command
        .output()
        .map_err(|error| format!("cannot run cargo ({error}): {remedy}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("gaur-ics was not built: {remedy}\n{errors}"));
    }
    if executable.is_file() {
        Ok(executable)
    } else {
        Err(format!("{executable:?} is missing: {remedy}"))
    }
}
