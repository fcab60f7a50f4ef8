//! An XBoard process with the program as its first engine, on its own display and in its own home folder.

use std::fs;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use crate::conversation::{self, Line, Sender, Summary};
use crate::desktop::Desktop;
use crate::display::Running;
use crate::folder;
use crate::needs::gaur;
use crate::wait::{POLL_INTERVAL, ending, wait_for_lines};
use crate::xboard::debug_file::{DebugFile, Engine};

/// A running XBoard. The fields are dropped in this order.
pub struct Session {
    xboard: Running,
    desktop: Desktop,
}

impl Session {
    /// Starts XBoard for this trial. Its folder stays until the trial runs again.
    pub fn start(
        trial: &str,
        arguments: &[&str],
        files: &[(&str, &str)],
    ) -> Result<Session, String> {
        let folder = folder::fresh(&format!("xboard-{trial}"))?;
        for (name, text) in files {
            fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
        }
        let desktop = Desktop::start(folder)?;
        let mut xboard = desktop.host("xboard")?;
        xboard
            .args(["-fcp", &format!("\"{}\"", gaur().display())])
            .args(["-debug", "-nameOfDebugFile", "debug.txt"])
            .args(["-saveSettingsOnExit", "false", "-soundProgram", "true"])
            // No other window takes the keyboard focus.
            .args(["-autoDisplayTags", "false", "-autoDisplayComment", "false"])
            // After a match, XBoard ends instead of showing the score.
            .arg("-xexit")
            .args(arguments);
        Ok(Session {
            xboard: Running::start(&mut xboard)?,
            desktop,
        })
    }

    /// Returns the path of a file in the folder of the trial.
    pub fn file(&self, name: &str) -> PathBuf {
        self.desktop.folder().join(name)
    }

    /// Returns the debug file up to now.
    pub fn debug_file(&self) -> DebugFile {
        DebugFile::read(&self.file("debug.txt"))
    }

    /// Returns the conversation with the program up to now.
    pub fn lines(&self) -> Vec<Line> {
        self.debug_file().conversation(Engine::First)
    }

    /// Returns the desktop of XBoard.
    pub fn desktop(&self) -> &Desktop {
        &self.desktop
    }

    /// Waits until the conversation meets a condition.
    pub fn wait_for(
        &self,
        what: &str,
        timeout: Duration,
        seen: impl Fn(&[Line]) -> bool,
    ) -> Result<(), String> {
        wait_for_lines(what, timeout, || self.lines(), seen)
            .inspect_err(|_| self.desktop.take_failure_picture())
    }

    /// Waits until XBoard sends a line, after the first `from` lines of the conversation.
    pub fn wait_for_sent(&self, from: usize, text: &str) -> Result<(), String> {
        self.wait_for(
            &format!("`{text}` from XBoard"),
            Duration::from_secs(20),
            |lines| was_sent(&lines[from.min(lines.len())..], Sender::Host, text),
        )
    }

    /// Waits until the program sends a line that begins with `start`, after the first `from` lines of the conversation.
    pub fn wait_for_answer(&self, from: usize, start: &str) -> Result<(), String> {
        self.wait_for(
            &format!("`{start}` from the engine"),
            Duration::from_secs(30),
            |lines| {
                lines[from.min(lines.len())..]
                    .iter()
                    .any(|line| line.sender == Sender::Engine && line.text.starts_with(start))
            },
        )
    }

    /// Waits until XBoard and the program have ended by themselves.
    pub fn wait_for_exit(&mut self, timeout: Duration) -> Result<ExitStatus, String> {
        let engines = self.engines();
        let deadline = Instant::now() + timeout;
        let status = loop {
            if let Some(status) = self.xboard.ended()? {
                break status;
            }
            if Instant::now() >= deadline {
                return Err(format!(
                    "XBoard is still there after {} s; the conversation ends so:\n{}",
                    timeout.as_secs(),
                    ending(&self.lines())
                ));
            }
            thread::sleep(POLL_INTERVAL);
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        while let Some(engine) = engines.iter().find(|engine| is_gaur(**engine)) {
            if Instant::now() >= deadline {
                return Err(format!("process {engine} of our program outlived XBoard"));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(status)
    }

    /// Checks all lines of the program as one of the engines, and the error messages of XBoard. The program must have
    /// sent a line with each of the `expected` beginnings.
    pub fn check(&self, engine: Engine, expected: &[&str]) -> Result<Summary, String> {
        let file = self.debug_file();
        if let Some(complaint) = file.complaint() {
            return Err(format!("XBoard reports: {complaint}"));
        }
        conversation::check(&file.conversation(engine), expected)
    }

    /// Returns the processes of the program that XBoard has started.
    fn engines(&self) -> Vec<u32> {
        let parent = self.xboard.id().to_string();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|process| is_gaur(*process) && parent_of(*process).as_deref() == Some(&parent))
            .collect()
    }
}

/// Returns `true` if this sender has sent this line.
pub fn was_sent(lines: &[Line], sender: Sender, text: &str) -> bool {
    lines
        .iter()
        .any(|line| line.sender == sender && line.text == text)
}

fn is_gaur(process: u32) -> bool {
    fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|file| file == gaur())
}

fn parent_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may contain blanks; the parent is the second field after it.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1).map(str::to_string)
}
