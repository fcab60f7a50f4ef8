//! The files of a log: their names, their first lines, and how many there are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use crate::config::Config;

/// Files that a folder keeps, of all processes together; the oldest go first.
const FILES_KEPT: usize = 20;

/// Names tried before a folder counts as unusable.
const NAMES_TRIED: u32 = 1000;

/// The log of one process, a file at a time.
pub(super) struct LogFile {
    config: Config,
    began: Instant,
    file: File,
    /// Of the file now open, from 1.
    number: u32,
    written: u64,
}

impl LogFile {
    /// Begins a file in the folder that the settings name, which is created if it is missing.
    pub fn open(config: &Config, began: Instant) -> io::Result<LogFile> {
        let (file, number) = create(&config.log_folder, 1)?;
        let mut log = LogFile {
            config: config.clone(),
            began,
            file,
            number,
            written: 0,
        };
        log.write_head()?;
        Ok(log)
    }

    pub fn folder(&self) -> &Path {
        &self.config.log_folder
    }

    /// Takes over other settings for the same folder.
    pub fn configure(&mut self, config: &Config) {
        self.config = config.clone();
    }

    /// Writes whole lines, into a new file if the present one is full.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        if self.written >= u64::from(self.config.log_megabytes) << 20 {
            (self.file, self.number) = create(&self.config.log_folder, self.number + 1)?;
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
             # {:?}\n\
             # milliseconds since the start of the program; > from the GUI, < to the GUI, # neither\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            std::process::id(),
            self.number,
            humantime::format_rfc3339_millis(SystemTime::now()),
            self.began.elapsed().as_millis(),
            self.config,
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

/// Removes the oldest logs, so that with one more there are [`FILES_KEPT`]. What cannot be removed stays, or another
/// engine has been quicker.
fn remove_oldest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut logs: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_name_of_log))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    logs.sort();
    let surplus = (logs.len() + 1).saturating_sub(FILES_KEPT);
    for (_, path) in &logs[..surplus] {
        let _ = fs::remove_file(path);
    }
}

/// `gaur-20260131T235959Z-PROCESS-NUMBER.log`, and nothing else: only our own files may be removed.
fn is_name_of_log(name: &str) -> bool {
    let Some(inner) = name
        .strip_prefix("gaur-")
        .and_then(|name| name.strip_suffix(".log"))
    else {
        return false;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = inner.split('-').collect();
    let [date, process, number] = parts[..] else {
        return false;
    };
    let date = date
        .strip_suffix('Z')
        .and_then(|moment| moment.split_once('T'));
    date.is_some_and(|(day, time)| day.len() == 8 && time.len() == 6 && digits(day) && digits(time))
        && digits(process)
        && digits(number)
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
    fn only_our_own_files_are_removed() {
        for name in [
            "gaur-20260131T235959Z-1-1.log",
            "gaur-20261121T101444Z-4194304-12.log",
        ] {
            assert!(is_name_of_log(name), "{name}");
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
            assert!(!is_name_of_log(name), "{name}");
        }
    }
}
