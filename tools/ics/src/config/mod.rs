//! The configuration file of one account, in TOML: defaults for all keys, errors with line and column.
//!
//! [`EXAMPLE`] documents every key. Paths of files that are read are relative to the folder of the configuration
//! file, paths of files that are written to the current folder.

mod checks;
mod connection;
mod error;
mod games;
mod location;
mod machine;
mod messages;
mod operation;
mod password;
mod repair;
mod sections;
mod validation;
mod values;

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wording_tests;

use std::path::{Path, PathBuf};

pub(crate) use checks::{account_name, host_name};
pub use connection::{Engine, Server};
pub use error::{ConfigError, Problem};
pub use games::{
    Abort, AbortAnswer, Adjourn, Challenges, ColourChoice, Draw, Rematch, RematchOffer, Seek,
    SeekGame, Takeback,
};
pub use machine::Machine;
pub use operation::{Chat, Clock, Log, OnTerm, Owners, Record, ScoreCommand, Shutdown, Status};
pub use password::{PASSWORD_VARIABLE, Password, PasswordError};
pub use sections::Config;
pub use values::{Amount, CommandLine, OptionValue};

/// A configuration file that documents every key.
pub const EXAMPLE: &str = include_str!("../../example.toml");

impl Config {
    /// Reads and checks a configuration file.
    ///
    /// Paths of `password_file` and `engine.folder` are made relative to the folder of the file.
    ///
    /// # Errors
    ///
    /// Returns the cause with file, line, column and key if the file cannot be read, is not TOML, has unknown keys or
    /// contains values that are not allowed.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::load_partly(path).map_err(|(error, _)| error)
    }

    /// [`Config::load`], which on an error also returns the values that can be read, so that they can be checked.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Config::load`]; without a configuration if the file as a whole cannot be read.
    pub fn load_partly(path: &Path) -> Result<Self, (ConfigError, Option<Box<Self>>)> {
        let file = || path.to_owned();
        let text = std::fs::read_to_string(path).map_err(|source| {
            let error = match source.kind() {
                std::io::ErrorKind::InvalidData => ConfigError::NotText { file: file() },
                _ => ConfigError::Unreadable {
                    file: file(),
                    source,
                },
            };
            (error, None)
        })?;
        let (mut config, problems) = validation::read(&text);
        if let Some(config) = &mut config {
            let folder = path.parent().unwrap_or(Path::new(""));
            config.resolve_paths(folder, std::env::home_dir().as_deref());
        }
        match config {
            Some(config) if problems.is_empty() => Ok(config),
            rest => {
                let file = file();
                Err((ConfigError::Invalid { file, problems }, rest.map(Box::new)))
            }
        }
    }

    /// Replaces a leading `~` by `home` in all paths, and makes paths of files that are read relative to `folder`.
    fn resolve_paths(&mut self, folder: &Path, home: Option<&Path>) {
        let files = [
            (&mut self.server.password_file, folder),
            (&mut self.engine.folder, folder),
            (&mut self.record.pgn, Path::new("")),
            (&mut self.log.file, Path::new("")),
            (&mut self.status.json, Path::new("")),
        ];
        for (file, folder) in files {
            if let Some(file) = file {
                *file = folder.join(expanded(file, home));
            }
        }
        for places in self.engine.tablebases.values_mut() {
            let folders = std::env::split_paths(places).map(|folder| expanded(&folder, home));
            // A name that cannot be part of a list remains as it is.
            if let Ok(folders) = std::env::join_paths(folders) {
                *places = folders.to_string_lossy().into_owned();
            }
        }
        if let Some(program) = self.engine.command.0.first_mut() {
            *program = expanded(Path::new(&*program), home)
                .to_string_lossy()
                .into_owned();
        }
    }

    /// Returns line and column of the value at `key`, such as `server.port`, in a configuration file; `None` if the
    /// file
    /// does not contain it.
    pub fn position(file: &Path, key: &str) -> Option<(usize, usize)> {
        let text = std::fs::read_to_string(file).ok()?;
        validation::position(&text, key)
    }

    /// Checks that an account is named or that the login is that of a guest.
    ///
    /// # Errors
    ///
    /// Returns a message if neither is the case.
    pub fn require_account(&self) -> Result<(), ConfigError> {
        if self.server.account.is_empty() && !self.server.guest {
            return Err(ConfigError::NoAccount);
        }
        Ok(())
    }

    /// Reads and checks the text of a configuration file. `file` is the name for errors.
    ///
    /// # Errors
    ///
    /// Returns the errors that [`Config::load`] describes.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigError> {
        match validation::read(text) {
            (Some(config), problems) if problems.is_empty() => Ok(config),
            (_, problems) => Err(ConfigError::Invalid {
                file: file.to_owned(),
                problems,
            }),
        }
    }
}

/// Returns `path` with a leading `~` replaced by the home folder, if that is known.
fn expanded(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}
