//! A file that is renamed when it is full: `NAME`, `NAME.1`, `NAME.2` and so on, the newest first.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file with a limit on its size.
#[derive(Debug)]
pub(super) struct RotatingFile {
    path: PathBuf,
    file: File,
    length: u64,
    limit: u64,
    count: u32,
}

impl RotatingFile {
    /// Opens the file to append to it. `limit` is its size in bytes, `count` the number of files, at least 1.
    pub(super) fn open(path: &Path, limit: u64, count: u32) -> io::Result<Self> {
        let (file, length) = open(path)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            length,
            limit: limit.max(1),
            count: count.max(1),
        })
    }

    /// Returns the path of the newest file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends `text` with one write. A new file begins if the current one would exceed the limit.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        let size = text.len() as u64;
        if self.length > 0 && self.length.saturating_add(size) > self.limit {
            self.rotate()?;
        }
        self.file.write_all(text.as_bytes())?;
        self.length = self.length.saturating_add(size);
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        // The oldest file is replaced. Files that do not exist yet are skipped.
        for number in (1..self.count).rev() {
            let from = self.numbered(number - 1);
            if from.exists() {
                std::fs::rename(from, self.numbered(number))?;
            }
        }
        if self.count == 1 {
            self.file.set_len(0)?;
        }
        (self.file, self.length) = open(&self.path)?;
        Ok(())
    }

    fn numbered(&self, number: u32) -> PathBuf {
        if number == 0 {
            return self.path.clone();
        }
        let mut name = OsString::from(&self.path);
        name.push(format!(".{number}"));
        name.into()
    }
}

fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}
