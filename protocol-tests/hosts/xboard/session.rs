//! One XBoard with our program as its first engine, on a display and in a home of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::conversation::{self, Line, Speaker, Summary};
use crate::display::{Display, Running};
use crate::folder;
use crate::needs::{gaur, program};
use crate::xboard::debug_file::{DebugFile, Engine};

/// How often files and processes are looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// A running XBoard. The fields end in this order.
pub struct Session {
    xboard: Running,
    /// Held to be ended.
    _window_manager: Running,
    display: Display,
    folder: PathBuf,
}

impl Session {
    /// Starts XBoard for this trial. Its folder stays behind as evidence, until the trial is played again.
    pub fn start(
        trial: &str,
        arguments: &[&str],
        files: &[(&str, &str)],
    ) -> Result<Session, String> {
        let folder = folder::fresh(&format!("xboard-{trial}"))?;
        for (name, text) in files {
            fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
        }
        let display = Display::start()?;
        // Without a window manager no window has the keyboard.
        let mut window_manager = display.command(&program("openbox")?);
        folder::at_home(&mut window_manager, &folder);
        folder::log_to(&mut window_manager, &folder.join("openbox.log"))?;
        let window_manager = Running::start(&mut window_manager)?;
        let mut xboard = display.command(&program("xboard")?);
        folder::at_home(&mut xboard, &folder);
        folder::log_to(&mut xboard, &folder.join("xboard.log"))?;
        xboard
            .args(["-fcp", &format!("\"{}\"", gaur().display())])
            .args(["-debug", "-nameOfDebugFile", "debug.txt"])
            .args(["-saveSettingsOnExit", "false", "-soundProgram", "true"])
            // No window beside the board takes the keyboard away.
            .args(["-autoDisplayTags", "false", "-autoDisplayComment", "false"])
            // A match ends the program instead of showing its score.
            .arg("-xexit")
            .args(arguments);
        Ok(Session {
            xboard: Running::start(&mut xboard)?,
            _window_manager: window_manager,
            display,
            folder,
        })
    }

    /// A file in the folder of the trial.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// All that XBoard wrote down so far.
    pub fn debug_file(&self) -> DebugFile {
        DebugFile::read(&self.file("debug.txt"))
    }

    /// The conversation with our program so far.
    pub fn lines(&self) -> Vec<Line> {
        self.debug_file().conversation(Engine::First)
    }

    /// A command whose windows come up beside XBoard's.
    pub fn command(&self, name: &str) -> Result<Command, String> {
        let mut command = self.display.command(&program(name)?);
        command.current_dir(&self.folder).stdin(Stdio::null());
        Ok(command)
    }

    /// Waits for something in the conversation.
    pub fn wait_for(
        &self,
        what: &str,
        patience: Duration,
        seen: impl Fn(&[Line]) -> bool,
    ) -> Result<(), String> {
        let deadline = Instant::now() + patience;
        loop {
            let lines = self.lines();
            if seen(&lines) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                // Evidence; without the tool for it the lines must do.
                self.picture_of("root", "failure.png").unwrap_or_default();
                return Err(format!(
                    "no {what} within {} s; the conversation ends so:\n{}",
                    patience.as_secs(),
                    tail(&lines)
                ));
            }
            thread::sleep(GLANCE);
        }
    }

    /// Waits until a line is sent to our program, behind the first `from` lines of the conversation.
    pub fn wait_for_sent(&self, from: usize, text: &str) -> Result<(), String> {
        self.wait_for(
            &format!("`{text}` from XBoard"),
            Duration::from_secs(20),
            |lines| said(&lines[from.min(lines.len())..], Speaker::Host, text),
        )
    }

    /// Waits until our program says something that begins so, behind the first `from` lines of the conversation.
    pub fn wait_for_answer(&self, from: usize, start: &str) -> Result<(), String> {
        self.wait_for(
            &format!("`{start}` from the engine"),
            Duration::from_secs(30),
            |lines| {
                lines[from.min(lines.len())..]
                    .iter()
                    .any(|line| line.speaker == Speaker::Engine && line.text.starts_with(start))
            },
        )
    }

    /// Waits until XBoard is gone by itself, and our program with it.
    pub fn wait_for_exit(&mut self, patience: Duration) -> Result<ExitStatus, String> {
        let engines = self.engines();
        let deadline = Instant::now() + patience;
        let status = loop {
            if let Some(status) = self.xboard.ended()? {
                break status;
            }
            if Instant::now() >= deadline {
                return Err(format!(
                    "XBoard is still there after {} s; the conversation ends so:\n{}",
                    patience.as_secs(),
                    tail(&self.lines())
                ));
            }
            thread::sleep(GLANCE);
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        while let Some(engine) = engines.iter().find(|engine| is_gaur(**engine)) {
            if Instant::now() >= deadline {
                return Err(format!("process {engine} of our program outlived XBoard"));
            }
            thread::sleep(GLANCE);
        }
        Ok(status)
    }

    /// Checks everything our program said as one of the engines, and what XBoard thought of it. Besides what every host
    /// expects it must have said lines that begin so.
    pub fn check(&self, engine: Engine, expected: &[&str]) -> Result<Summary, String> {
        let file = self.debug_file();
        if let Some(complaint) = file.complaint() {
            return Err(format!("XBoard complains: {complaint}"));
        }
        conversation::check(&file.conversation(engine), expected)
    }

    /// The processes of our program that XBoard has started.
    fn engines(&self) -> Vec<u32> {
        let parent = self.xboard.id().to_string();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|process| is_gaur(*process) && parent_of(*process).as_deref() == Some(&parent))
            .collect()
    }
}

/// Whether a line was said that is this text.
pub fn said(lines: &[Line], speaker: Speaker, text: &str) -> bool {
    lines
        .iter()
        .any(|line| line.speaker == speaker && line.text == text)
}

fn tail(lines: &[Line]) -> String {
    let start = lines.len().saturating_sub(12);
    lines[start..]
        .iter()
        .map(|line| format!("  {:?}: {}\n", line.speaker, line.text))
        .collect()
}

fn is_gaur(process: u32) -> bool {
    fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|file| file == gaur())
}

fn parent_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold blanks; the parent is the second field behind it.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1).map(str::to_string)
}
