//! Traffic between the program and a host, read from the logs of the program (`GAUR_LOG`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;

use crate::conversation::{Line, Sender};
use crate::needs::gaur;
use crate::wait::{POLL_INTERVAL, wait_for_lines};

/// Variable that makes the program write a log.
const VARIABLE: &str = "GAUR_LOG";

/// Time for the program to end after its host.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Folder with one log for each process of the program.
pub struct Traffic {
    folder: PathBuf,
}

impl Traffic {
    /// Makes every process of the program that `host` starts write a log into the folder of the test.
    pub fn record(host: &mut Command, folder: &Path) -> Traffic {
        let folder = folder.join("logs");
        host.env(VARIABLE, &folder);
        Traffic { folder }
    }

    /// Returns the conversations up to now, one for each process, in the order of their start.
    pub fn conversations(&self) -> Vec<Vec<Line>> {
        let logs = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut logs: Vec<PathBuf> = logs.map(|log| log.path()).collect();
        // The names begin with the date and time of the start.
        logs.sort();
        let read = |log| String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
        logs.iter()
            .map(|log| read(log).lines().filter_map(parse).collect())
            .collect()
    }

    /// Returns the conversation of the newest process up to now.
    pub fn newest(&self) -> Vec<Line> {
        self.conversations().pop().unwrap_or_default()
    }

    /// Waits until the conversation of the newest process meets a condition.
    pub fn wait_for(
        &self,
        what: &str,
        timeout: Duration,
        seen: impl Fn(&[Line]) -> bool,
    ) -> Result<(), String> {
        wait_for_lines(what, timeout, || self.newest(), seen)
    }

    /// Waits until no process of the program that the host has started is left.
    pub fn wait_for_end(&self) -> Result<(), String> {
        let deadline = Instant::now() + END_TIMEOUT;
        while let Some(process) = self.process() {
            if Instant::now() >= deadline {
                return Err(format!(
                    "process {process} of our program outlived its host"
                ));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Returns a process of the program that writes into this folder.
    fn process(&self) -> Option<u32> {
        let setting = format!("{VARIABLE}={}", self.folder.display());
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .find(|process| {
                let file = |name| format!("/proc/{process}/{name}");
                let environment = fs::read(file("environ")).unwrap_or_default();
                fs::read_link(file("exe")).is_ok_and(|program| program == gaur())
                    && environment
                        .split(|byte| *byte == 0)
                        .any(|variable| variable == setting.as_bytes())
            })
    }
}

/// Returns the number of moves that the program has sent.
pub fn count_moves(lines: &[Line]) -> usize {
    let is_move = |line: &&Line| line.sender == Sender::Engine && line.text.starts_with("move ");
    lines.iter().filter(is_move).count()
}

/// Parses a line of a log, such as `   200 > sd 6`. Moves without `usermove`, which hosts of protocol version 1 send,
/// get it. Comments of the program have no result.
fn parse(raw: &str) -> Option<Line> {
    let (time, rest) = raw.trim_start().split_once(' ')?;
    time.parse::<u64>().ok()?;
    let (mark, text) = rest.split_at_checked(2)?;
    let sender = match mark {
        "> " => Sender::Host,
        "< " => Sender::Engine,
        _ => return None,
    };
    let is_bare_move = sender == Sender::Host && UciMove::from_ascii(text.as_bytes()).is_ok();
    let text = if is_bare_move {
        format!("usermove {text}")
    } else {
        text.to_string()
    };
    Some(Line { sender, text })
}
