//! Errors of the configuration file.

use std::fmt;
use std::path::PathBuf;

/// An error of the configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is no text.
    #[error("{}: the file is not text in UTF-8", file.display())]
    NotText {
        /// The configuration file.
        file: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The configuration file.
        file: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The content of the file is wrong.
    #[error("{}", listed(file, problems))]
    Invalid {
        /// The configuration file.
        file: PathBuf,
        /// All findings, in the order of the file. Not empty.
        problems: Vec<Problem>,
    },
    /// Neither an account nor a guest.
    #[error(
        "no account: set `account` or `guest = true` in the section [server], or use --account or --guest"
    )]
    NoAccount,
}

impl ConfigError {
    /// Returns `true` if the value at `key` is not wrong itself, nor are its section and parts.
    pub fn leaves(&self, key: &str) -> bool {
        let Self::Invalid { problems, .. } = self else {
            return true;
        };
        let is_in = |part: &str, whole: &str| {
            let rest = part.strip_prefix(whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        !problems
            .iter()
            .any(|problem| is_in(&problem.key, key) || is_in(key, &problem.key))
    }
}

fn listed(file: &std::path::Path, problems: &[Problem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}:{problem}", file.display()))
        .collect();
    lines.join("\n")
}

/// One finding in the configuration file. Displayed as `line:column: key: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Key with its section, such as `server.port`; empty if the file is not TOML.
    pub key: String,
    /// Cause and remedy.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}:{}: ", self.line, self.column)?;
        if !self.key.is_empty() {
            write!(formatter, "{}: ", self.key)?;
        }
        formatter.write_str(&self.message)
    }
}
