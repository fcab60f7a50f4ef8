//! Requirements of a test. If a host is missing, its tests are skipped by name; with `GAUR_HOSTS=required` in the
//! environment, as in `.ci/run`, they fail.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Completion, Failed, Trial};

/// Folder of games on Debian, which is not always in PATH.
const GAMES: &str = "/usr/games";

/// A requirement that must be installed.
#[derive(Clone, Copy)]
pub enum Need {
    /// A program, and its Debian package.
    Program(&'static str, &'static str),
    /// A Python module, and the command that installs it.
    PythonModule(&'static str, &'static str),
    /// A program that no distribution has, and its source. It is never required.
    RareProgram(&'static str, &'static str),
    /// A host that no package index has: the variable that names its path, and its source. It is never required.
    Path(&'static str, &'static str),
}

impl Need {
    /// Returns a message if the requirement is missing.
    fn missing(self) -> Option<String> {
        match self {
            Need::Program(name, package) => find_program(name)
                .is_none()
                .then(|| format!("{name} is missing (Debian: apt install {package})")),
            Need::PythonModule(name, source) => (!has_python_module(name))
                .then(|| format!("Python module {name} is missing ({source})")),
            Need::RareProgram(name, source) => find_program(name)
                .is_none()
                .then(|| format!("{name} is missing ({source})")),
            Need::Path(variable, source) => env::var_os(variable)
                .is_none()
                .then(|| format!("the variable {variable} is not set ({source})")),
        }
    }

    /// Returns `true` if its absence is a failure with `GAUR_HOSTS=required`.
    fn can_be_required(self) -> bool {
        !matches!(self, Need::RareProgram(..) | Need::Path(..))
    }
}

/// Returns a trial that runs only if its requirements are met. On a busy machine, hosts with windows and clocks can
/// miss a key or let a flag fall; a failure is therefore reported and the trial repeated once.
pub fn trial(
    name: &str,
    needs: &'static [Need],
    play: impl Fn() -> Result<(), String> + Send + 'static,
) -> Trial {
    trial_with_chance(name, needs, |_| true, play)
}

/// Returns a trial that runs only if its requirements are met, and is repeated once after a failure whose message
/// `is_chance` attributes to chance.
pub fn trial_with_chance(
    name: &str,
    needs: &'static [Need],
    is_chance: fn(&str) -> bool,
    play: impl Fn() -> Result<(), String> + Send + 'static,
) -> Trial {
    let title = name.to_string();
    Trial::ignorable_test(name, move || {
        let missing: Vec<String> = needs.iter().filter_map(|need| need.missing()).collect();
        if missing.is_empty() {
            play().or_else(|error| {
                if !is_chance(&error) {
                    return Err(error);
                }
                eprintln!("{title} failed and is tried once more: {error}");
                play()
            })?;
            return Ok(Completion::Completed);
        }
        let missing = missing.join("; ");
        let required = env::var("GAUR_HOSTS").is_ok_and(|value| value == "required");
        if required && needs.iter().all(|need| need.can_be_required()) {
            return Err(Failed::from(missing));
        }
        Ok(Completion::ignored_with(missing))
    })
}

/// Returns the path of a program in PATH or among the games.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from(GAMES)])
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Returns the path of a program, or an error that names it.
pub fn program(name: &str) -> Result<PathBuf, String> {
    find_program(name).ok_or_else(|| format!("{name} is not installed"))
}

/// Returns the program built from this repository.
pub fn gaur() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gaur"))
}

/// Returns PATH with the folder of the program in front, for hosts that look for engines there.
pub fn path_with_gaur() -> Result<OsString, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = gaur().parent().map(Path::to_path_buf);
    env::join_paths(own.into_iter().chain(env::split_paths(&path)))
        .map_err(|error| error.to_string())
}

fn has_python_module(name: &str) -> bool {
    Command::new("python3")
        .args(["-c", &format!("import {name}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
