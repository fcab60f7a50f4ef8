//! Settings for the start: arguments of the command line, and environment variables.

use std::ffi::{OsStr, OsString};

use clap::ValueHint;

use super::log;
use crate::config::{Config, LOG_FOLDER, split_setting};
use crate::protocol::machine::{StartSetting, StartSettings};

/// Environment variable with the name of a settings file.
const SETTINGS_VARIABLE: &str = "GAUR_SETTINGS";

/// Environment variables that set options at the start.
pub const START_VARIABLES: [&str; 2] = [SETTINGS_VARIABLE, log::VARIABLE];

/// Arguments for a game: options that apply before the first command, and the style at a terminal.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StartArguments {
    /// Protocol option to set at the start, such as `MultiPV=3`; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<OsString>,
    /// Settings file to load at the start, after the one that the environment variable GAUR_SETTINGS names, and before
    /// `--set` applies; may be given several times
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub settings: Vec<OsString>,
    /// At a terminal, print whole lines without escape sequences, for screen readers
    #[arg(long)]
    pub plain: bool,
}

impl StartArguments {
    /// Returns the settings of the start in the order in which they apply: files before single options, and in both
    /// the environment before the command line. `variable` reads an environment variable; an empty one counts as unset.
    pub(super) fn settings(&self, variable: impl Fn(&str) -> Option<OsString>) -> StartSettings {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let setting = |origin: &str, text: &OsStr| {
            // Bytes that are not UTF-8 get a character that the options reject in names of files.
            let text = text.to_string_lossy().into_owned();
            let description = format!("{origin}{text}");
            StartSetting { description, text }
        };
        let mut settings = StartSettings::default();
        if let Some(file) = variable(SETTINGS_VARIABLE) {
            let origin = format!("{SETTINGS_VARIABLE}=");
            settings.files.push(setting(&origin, &file));
        }
        let files = self.settings.iter();
        settings
            .files
            .extend(files.map(|file| setting("--settings ", file)));
        if let Some(folder) = variable(log::VARIABLE) {
            settings.options.push(StartSetting {
                description: log::VARIABLE.to_owned(),
                text: format!("{LOG_FOLDER}={}", folder.to_string_lossy()),
            });
        }
        let options = self.set.iter();
        settings
            .options
            .extend(options.map(|option| setting("--set ", option)));
        settings
    }
}

/// Returns the settings before the first file has been read: the defaults, with the folder of the log, so that the log
/// is complete. The machine reports a folder that cannot be used.
pub(super) fn initial_config(settings: &StartSettings) -> Config {
    let mut config = Config::default();
    for option in &settings.options {
        let (name, value) = split_setting(&option.text);
        if name.eq_ignore_ascii_case(LOG_FOLDER) {
            config.set(LOG_FOLDER, value).map(drop).unwrap_or_default();
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(arguments: &[&str], variables: &[(&str, &str)]) -> StartSettings {
        #[derive(clap::Parser)]
        struct Arguments {
            #[command(flatten)]
            start: StartArguments,
        }
        let words = ["gaur"].iter().chain(arguments);
        let parsed: Arguments = clap::Parser::try_parse_from(words).expect("valid arguments");
        parsed.start.settings(|name| {
            let find = variables.iter().find(|(variable, _)| *variable == name);
            find.map(|(_, value)| value.into())
        })
    }

    fn texts(settings: &[StartSetting]) -> Vec<&str> {
        settings
            .iter()
            .map(|setting| setting.text.as_str())
            .collect()
    }

    #[test]
    fn the_environment_precedes_the_command_line() {
        let arguments = ["--set", "MultiPV=2", "--settings", "a", "--set=Variety=3"];
        let settings = settings(
            &[&arguments[..], &["--settings=b"]].concat(),
            &[("GAUR_SETTINGS", "c"), ("GAUR_LOG", "logs")],
        );
        assert_eq!(texts(&settings.files), ["c", "a", "b"]);
        let options = ["LogFolder=logs", "MultiPV=2", "Variety=3"];
        assert_eq!(texts(&settings.options), options);
        let descriptions = settings.files.iter().chain(&settings.options);
        let descriptions: Vec<&str> = descriptions.map(|s| s.description.as_str()).collect();
        assert_eq!(
            descriptions,
            [
                "GAUR_SETTINGS=c",
                "--settings a",
                "--settings b",
                "GAUR_LOG",
                "--set MultiPV=2",
                "--set Variety=3",
            ]
        );
    }

    #[test]
    fn empty_variables_count_as_unset() {
        let settings = settings(&[], &[("GAUR_SETTINGS", ""), ("GAUR_LOG", "")]);
        assert!(settings.files.is_empty() && settings.options.is_empty());
    }

    #[test]
    fn only_the_log_begins_before_the_files_are_read() {
        let settings = settings(
            &["--set", "MultiPV=2", "--set", "logfolder=b"],
            &[("GAUR_LOG", "a")],
        );
        let mut expected = Config::default();
        for folder in ["a", "b"] {
            assert!(expected.set(LOG_FOLDER, Some(folder)).is_ok());
        }
        assert_eq!(initial_config(&settings), expected);
    }
}
