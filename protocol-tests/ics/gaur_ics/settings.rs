//! The configuration file of a scenario.

use std::collections::BTreeMap;

use crate::fairymax::FIRST_LINES;
use crate::needs;

/// A value that replaces or completes the usual configuration: section, key, value as TOML.
pub type Setting = (&'static str, &'static str, &'static str);

/// Engine of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Gaur,
    FairyMax,
}

impl Engine {
    /// Returns the name in folders.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Gaur => "gaur",
            Engine::FairyMax => "fairymax",
        }
    }

    /// Returns the path of the program.
    fn command(self) -> Result<String, String> {
        let path = match self {
            Engine::Gaur => needs::gaur().to_path_buf(),
            Engine::FairyMax => needs::program("fairymax")?,
        };
        Ok(path.to_string_lossy().into_owned())
    }

    /// Returns the lines that the engine receives after its start, as TOML. On a busy machine Fairy-Max itself exceeds
    /// its time with an increment of one second, so its depth is limited.
    fn first_lines(self) -> String {
        match self {
            Engine::Gaur => "[]".to_string(),
            Engine::FairyMax => format!("{:?}", [&FIRST_LINES[..], &["sd 6"]].concat()),
        }
    }
}

/// Usual values: fast reconnection, short games allowed, little memory.
const USUAL: &[Setting] = &[
    ("server", "host", "\"127.0.0.1\""),
    ("server", "account", "\"GaurBot\""),
    ("server", "reconnect_min", "1"),
    ("server", "reconnect_max", "2"),
    ("engine", "memory", "32"),
    ("engine", "cores", "1"),
    ("engine", "ponder", "false"),
    ("challenges", "duration_min", "0"),
    ("record", "pgn", "\"games.pgn\""),
    ("log", "file", "\"gaur-ics.log\""),
    ("status", "line", "false"),
    ("status", "json", "\"events.json\""),
];

/// Returns the configuration file of a scenario.
pub fn configuration(engine: Engine, port: u16, own: &[Setting]) -> Result<String, String> {
    let port = port.to_string();
    let command = format!("[{:?}]", engine.command()?);
    let lines = engine.first_lines();
    let mut sections: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    let given = [
        ("server", "port", &*port),
        ("engine", "command", &*command),
        ("engine", "init_lines", &*lines),
    ];
    for (section, key, value) in USUAL.iter().chain(&given).chain(own) {
        sections.entry(section).or_default().insert(key, value);
    }
    let mut text = String::new();
    for (section, keys) in sections {
        text.push_str(&format!("[{section}]\n"));
        for (key, value) in keys {
            text.push_str(&format!("{key} = {value}\n"));
        }
        text.push('\n');
    }
    Ok(text)
}
