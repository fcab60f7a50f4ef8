//! The files of the log: names, first lines, and removal of old files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::super::system_clock;
use crate::config::LogSettings;
use crate::protocol::format::escape_invisible;

/// Number of files kept in a folder, without those of other running engines. The oldest are removed.
const MAX_FILES: usize = 20;

/// Age of the last change from which the engine of a log counts as ended.
const ENDED_AGE: Duration = Duration::from_secs(3600);

/// Number of file names tried before a folder counts as unusable.
const MAX_NAMES: u32 = 1000;

/// The current log file of this process.
pub(super) struct LogFile {
    settings: LogSettings,
    /// Settings of the engine, for the first lines of a file.
    summary: String,
    program_start: Instant,
    file: File,
    /// Number of the current file, from 1.
    number: u32,
    written: u64,
}

impl LogFile {
    /// Creates a file in the folder of the settings, and the folder if it is missing.
    pub fn open(
        settings: &LogSettings,
        summary: &str,
        program_start: Instant,
    ) -> io::Result<LogFile> {
        let (file, number) = create(&settings.folder, 1)?;
        let mut log = LogFile {
            settings: settings.clone(),
            summary: summary.to_owned(),
            program_start,
            file,
            number,
            written: 0,
        };
        log.write_head()?;
        Ok(log)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.settings.folder
    }

    /// Applies new settings with the same folder.
    pub fn configure(&mut self, settings: &LogSettings, summary: &str) {
        self.summary = summary.to_owned();
        self.settings = settings.clone();
    }

    /// Writes whole lines, to a new file if the current one is full.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        if self.written >= u64::from(self.settings.max_megabytes) << 20 {
            (self.file, self.number) = create(&self.settings.folder, self.number + 1)?;
            self.written = 0;
            self.write_head()?;
        }
        self.append(text)
    }

    /// Continues in an existing file.
    #[cfg(all(test, target_os = "linux"))]
    pub fn redirect(&mut self, path: &str) {
        let file = OpenOptions::new().append(true).open(path);
        self.file = file.expect("a file");
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.written += text.len() as u64;
        // Unbuffered: a crash of the engine does not lose data that the system has.
        self.file.write_all(text.as_bytes())
    }

    /// Writes the first lines: version, system and settings.
    fn write_head(&mut self) -> io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let head = format!(
            "# Gaur {} on {} {}, {processors} processors, process {}, file {}\n\
             # begun {}, {} ms after the start of the program\n\
             # {}\n\
             # milliseconds since the start of the program; > from the GUI, < to the GUI, # neither\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            std::process::id(),
            self.number,
            humantime::format_rfc3339_millis(system_clock::now()),
            self.program_start.elapsed().as_millis(),
            escape_invisible(&self.summary),
        );
        self.append(&head)
    }
}

/// Creates a file with the first free number from `first` on, and removes old files.
fn create(folder: &Path, first: u32) -> io::Result<(File, u32)> {
    fs::create_dir_all(folder)?;
    remove_oldest(folder);
    let date: String = humantime::format_rfc3339_seconds(system_clock::now())
        .to_string()
        .replace(['-', ':'], "");
    let process = std::process::id();
    for number in first..first.saturating_add(MAX_NAMES) {
        let path = folder.join(format!("gaur-{date}-{process}-{number}.log"));
        match OpenOptions::new().append(true).create_new(true).open(path) {
            // Processes in separate containers may have the same process id.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return Ok((other?, number)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Removes the oldest logs, so that one more makes [`MAX_FILES`]. Logs that other processes have written to recently
/// neither count nor are removed. Errors are ignored: another engine may have removed the same file.
fn remove_oldest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let own = std::process::id().to_string();
    let mut logs: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let modified = entry.metadata().ok()?.modified().ok()?;
            let name = entry.file_name();
            let process = process_of_log(name.to_str()?)?;
            // A time in the future is that of a file just written, by a clock ahead of this one.
            let is_old = modified.elapsed().is_ok_and(|age| age >= ENDED_AGE);
            (process == own || is_old).then(|| (modified, entry.path()))
        })
        .collect();
    logs.sort();
    let surplus = (logs.len() + 1).saturating_sub(MAX_FILES);
    for (_, path) in &logs[..surplus] {
        let _ = fs::remove_file(path);
    }
}

/// Returns the process id in a name of the form `gaur-20260131T235959Z-PROCESS-NUMBER.log`, and `None` for any other
/// name: only log files of Gaur may be removed.
fn process_of_log(name: &str) -> Option<&str> {
    let inner = name.strip_prefix("gaur-")?.strip_suffix(".log")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = inner.split('-').collect();
    let [date, process, number] = parts[..] else {
        return None;
    };
    let (day, time) = date.strip_suffix('Z')?.split_once('T')?;
    let is_date = day.len() == 8 && time.len() == 6 && digits(day) && digits(time);
    (is_date && digits(process) && digits(number)).then_some(process)
}

/// Describes an error to the user.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "the folder must not be written to".to_owned()
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        ErrorKind::FileTooLarge => {
            "the log file has reached the largest size that the system allows".to_owned()
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "that is no folder".to_owned(),
        ErrorKind::NotFound => "there is no such place".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_running_engines_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |process| {
            let name = format!("gaur-20260131T235959Z-{process}-1.log");
            folder.path().join(name)
        };
        // No system has such process ids.
        let (running, ended) = (
            5_000_000_000_u64..5_000_000_030,
            6_000_000_000..6_000_000_030,
        );
        for process in running.clone().chain(ended) {
            let file = File::create(path(process)).expect("a writable folder");
            if process >= 6_000_000_000 {
                let earlier = SystemTime::now() - ENDED_AGE * 2;
                file.set_modified(earlier).expect("our file");
            }
        }
        create(folder.path(), 1).expect("a log");
        assert!(running.clone().all(|process| path(process).exists()));
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, running.count() + MAX_FILES);
    }

    #[test]
    fn only_log_files_of_gaur_are_removed() {
        for name in [
            "gaur-20260131T235959Z-1-1.log",
            "gaur-20261121T101444Z-4194304-12.log",
        ] {
            assert!(process_of_log(name).is_some(), "{name}");
        }
        for name in [
            "gaur.log",
            "gaur-1.log",
            "gaur-20260131T235959Z-1-1.log.gz",
            "gaur-20260131T235959Z-1.log",
            "gaur-20260131T235959Z-a-1.log",
            "gaur-20260131T235959-1-1.log",
            "gaur-match-1-1.log",
            "my-gaur-20260131T235959Z-1-1.log",
        ] {
            assert!(process_of_log(name).is_none(), "{name}");
        }
    }
}
