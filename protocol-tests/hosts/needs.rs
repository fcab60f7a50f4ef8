//! What a trial needs on this machine. On a user's machine a trial whose host is missing says so and is skipped; with
//! `GAUR_HOSTS=required` in the environment, as in `.ci/run`, it fails.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Completion, Failed, Trial};

/// Where games lie on Debian; it is not in everybody's PATH.
const GAMES: &str = "/usr/games";

/// Something that must be installed.
#[derive(Clone, Copy)]
pub enum Need {
    /// A program, and the Debian package that has it.
    Program(&'static str, &'static str),
    /// A Python module, and where to get it, in words.
    PythonModule(&'static str, &'static str),
    /// A program that no distribution has, so that it is never required, and where to get it.
    RareProgram(&'static str, &'static str),
    /// A checkout that no package index has, so that it is never required: the variable that names its folder, and
    /// where to get it.
    Checkout(&'static str, &'static str),
}

impl Need {
    /// What is missing and how to get it; `None` if it is there.
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
            Need::Checkout(variable, source) => env::var_os(variable)
                .is_none()
                .then(|| format!("the variable {variable} names no checkout ({source})")),
        }
    }

    /// Whether its absence is a failure where hosts are required.
    fn can_be_required(self) -> bool {
        !matches!(self, Need::RareProgram(..) | Need::Checkout(..))
    }
}

/// A trial that is played only where all it needs is there. Hosts with windows and clocks of their own can miss a key
/// or let a flag fall on a busy machine, so what fails is said and tried once more; what fails twice is a fault.
pub fn trial(
    name: &str,
    needs: &'static [Need],
    play: impl Fn() -> Result<(), String> + Send + 'static,
) -> Trial {
    let title = name.to_string();
    Trial::ignorable_test(name, move || {
        let missing: Vec<String> = needs.iter().filter_map(|need| need.missing()).collect();
        if missing.is_empty() {
            play().or_else(|error| {
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

/// Where a program is, in PATH or among the games.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from(GAMES)])
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Where a program is, or an error that names it.
pub fn program(name: &str) -> Result<PathBuf, String> {
    find_program(name).ok_or_else(|| format!("{name} is not installed"))
}

/// Our own program.
pub fn gaur() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gaur"))
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
