//! The files of a log: their names, their first lines, and how many there are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::config::LogSettings;

/// Files that a folder keeps, besides those of other engines that are still running; the oldest go first.
const FILES_KEPT: usize = 20;

/// To whose log nothing has been added for so long has left, or has nothing to say.
const STILL_RUNNING: Duration = Duration::from_secs(3600);

/// Names tried before a folder counts as unusable.
const NAMES_TRIED: u32 = 1000;

/// The log of one process, a file at a time.
pub(super) struct LogFile {
    settings: LogSettings,
    /// All settings of the engine, for the head of a file.
    summary: String,
    began: Instant,
    file: File,
    /// Of the file now open, from 1.
    number: u32,
    written: u64,
}

impl LogFile {
    /// Begins a file in the folder that the settings name, which is created if it is missing.
    pub fn open(settings: &LogSettings, summary: &str, began: Instant) -> io::Result<LogFile> {
        let (file, number) = create(&settings.folder, 1)?;
        let mut log = LogFile {
            settings: settings.clone(),
            summary: summary.to_owned(),
            began,
            file,
            number,
            written: 0,
        };
        log.write_head()?;
        Ok(log)
    }

    pub fn folder(&self) -> &Path {
        &self.settings.folder
    }

    /// Takes over other settings for the same folder.
    pub fn configure(&mut self, settings: &LogSettings, summary: &str) {
        self.summary = summary.to_owned();
        self.settings = settings.clone();
    }

    /// Writes whole lines, into a new file if the present one is full.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        if self.written >= u64::from(self.settings.max_megabytes) << 20 {
            (self.file, self.number) = create(&self.settings.folder, self.number + 1)?;
            self.written = 0;
            self.write_head()?;
        }
        self.append(text)
    }

    /// Goes on in a file that is there.
    #[cfg(all(test, target_os = "linux"))]
    pub fn redirect(&mut self, path: &str) {
        let file = OpenOptions::new().append(true).open(path);
        self.file = file.expect("a file");
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.written += text.len() as u64;
        // One call, and no buffer of ours: what the system has, a crash of the engine does not take away.
        self.file.write_all(text.as_bytes())
    }

    /// What somebody who gets the file has to know.
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
            humantime::format_rfc3339_millis(SystemTime::now()),
            self.began.elapsed().as_millis(),
            self.summary,
        );
        self.append(&head)
    }
}

/// Creates a file that nobody else has, with this number or the next that is free, and makes room for it.
fn create(folder: &Path, first: u32) -> io::Result<(File, u32)> {
    fs::create_dir_all(folder)?;
    remove_oldest(folder);
    let date: String = humantime::format_rfc3339_seconds(SystemTime::now())
        .to_string()
        .replace(['-', ':'], "");
    let process = std::process::id();
    for number in first..first.saturating_add(NAMES_TRIED) {
        let path = folder.join(format!("gaur-{date}-{process}-{number}.log"));
        match OpenOptions::new().append(true).create_new(true).open(path) {
            // Processes in separate containers may have the same number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return Ok((other?, number)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Removes the oldest logs, so that with one more there are [`FILES_KEPT`]; those of other processes that have been
/// written to lately neither count nor go. What cannot be removed stays, or another engine has been quicker.
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
            // What lies in the future has just been written, by a clock that goes ahead of ours.
            let is_old = modified.elapsed().is_ok_and(|age| age >= STILL_RUNNING);
            (process == own || is_old).then(|| (modified, entry.path()))
        })
        .collect();
    logs.sort();
    let surplus = (logs.len() + 1).saturating_sub(FILES_KEPT);
    for (_, path) in &logs[..surplus] {
        let _ = fs::remove_file(path);
    }
}

/// The process in `gaur-20260131T235959Z-PROCESS-NUMBER.log`; of any other name none, for only our own files may be
/// removed.
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

/// Why a log cannot be written, in words for its user.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "the folder must not be written to".to_owned()
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "that is no folder".to_owned(),
        ErrorKind::NotFound => "there is no such place".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_engines_write_to_now_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |process| {
            let name = format!("gaur-20260131T235959Z-{process}-1.log");
            folder.path().join(name)
        };
        // No system has processes with such numbers.
        let (running, gone) = (
            5_000_000_000_u64..5_000_000_030,
            6_000_000_000..6_000_000_030,
        );
        for process in running.clone().chain(gone) {
            let file = File::create(path(process)).expect("a writable folder");
            if process >= 6_000_000_000 {
                let earlier = SystemTime::now() - STILL_RUNNING * 2;
                file.set_modified(earlier).expect("our file");
            }
        }
        create(folder.path(), 1).expect("a log");
        assert!(running.clone().all(|process| path(process).exists()));
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, running.count() + FILES_KEPT);
    }

    #[test]
    fn only_our_own_files_are_removed() {
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
