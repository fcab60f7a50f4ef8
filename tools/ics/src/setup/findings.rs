//! Check of the configuration against this machine: the engine and its folder, files that are written, tablebases.

use std::path::Path;

use crate::config::{Config, PASSWORD_VARIABLE};
use crate::engine::{self, EngineSpec};
use crate::rules;

/// Importance of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The program can work without it.
    Warning,
    /// A file cannot be written.
    Configuration,
    /// The engine cannot be started.
    Engine,
}

/// A value of the configuration that does not fit this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Importance.
    pub weight: Weight,
    /// Key with its section, such as `record.pgn`.
    pub key: String,
    /// Cause and remedy.
    pub message: String,
}

impl Finding {
    /// Describes a file that cannot be written.
    pub(super) fn of_file(key: &str, message: impl Into<String>) -> Self {
        Self {
            weight: Weight::Configuration,
            key: key.to_owned(),
            message: message.into(),
        }
    }
}

/// Returns what this machine lacks for the configuration. Nothing is started and no file is created.
pub fn findings(config: &Config, spec: &EngineSpec) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Err(error) = engine::find(spec) {
        let key = match error {
            engine::EngineError::Folder(_) => "engine.folder",
            _ => "engine.command",
        };
        found.push(Finding {
            weight: Weight::Engine,
            key: key.to_owned(),
            message: error.to_string(),
        });
    }
    found.extend(tablebases(spec));
    found.extend(password_file(config));
    found.extend(seeks(config));
    let json = config.status.json.as_deref();
    let files = [
        ("record.pgn", config.record.pgn.as_deref()),
        ("log.file", config.log.file.as_deref()),
        ("status.json", json.filter(|file| *file != Path::new("-"))),
    ];
    for (key, file) in files {
        if let Some(Err(message)) = file.map(check_file) {
            found.push(Finding::of_file(key, message));
        }
    }
    found
}

/// Returns a warning if the password file contains more than a password in its first line.
fn password_file(config: &Config) -> Option<Finding> {
    let file = config.server.password_file.as_ref()?;
    let variable = std::env::var_os(PASSWORD_VARIABLE);
    if config.server.guest || variable.is_some_and(|text| !text.is_empty()) {
        return None;
    }
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    let first = lines.next()?;
    let what = if first.trim() != first {
        "the password begins or ends with a blank, which is sent, too"
    } else if lines.any(|line| !line.is_empty()) {
        "only the first line is the password"
    } else {
        return None;
    };
    Some(Finding {
        weight: Weight::Warning,
        key: "server.password_file".to_owned(),
        message: format!("password file {}: {what}", file.display()),
    })
}

/// Returns a warning for each seek whose answers the rules for challenges would decline.
fn seeks(config: &Config) -> Vec<Finding> {
    let games = config.seek.games.iter().enumerate();
    games
        .filter_map(|(index, game)| {
            let reason = rules::contradiction(game, &config.challenges)?;
            Some(Finding {
                weight: Weight::Warning,
                key: format!("seek.games[{}]", index + 1),
                message: format!("[challenges] declines all who answer this seek: {reason}"),
            })
        })
        .collect()
}

/// Returns a warning for each folder of tablebases that does not exist.
fn tablebases(spec: &EngineSpec) -> Vec<Finding> {
    let mut found = Vec::new();
    for (kind, places) in &spec.egt {
        for place in std::env::split_paths(places).filter(|place| !place.exists()) {
            found.push(Finding {
                weight: Weight::Warning,
                key: format!("engine.tablebases.{kind}"),
                message: format!("{} does not exist", place.display()),
            });
        }
    }
    found
}

/// Checks that a file can be written, or created.
fn check_file(file: &Path) -> Result<(), String> {
    let describe = |cause: std::io::Error| format!("{}: {cause}", file.display());
    if file.is_dir() {
        return Err(format!("{} is a folder, not a file", file.display()));
    }
    if file.exists() {
        return check_access(file).map_err(describe);
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(format!(
            "{}: the folder {folder} does not exist; create it, for example with `mkdir -p {folder}`",
            file.display()
        ));
    }
    check_access(folder).map_err(describe)
}

/// Checks that this user may write a file, or create files in a folder.
#[cfg(unix)]
fn check_access(path: &Path) -> std::io::Result<()> {
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?)
}

/// Checks that a file is not marked as read-only. Only an attempt would show more.
#[cfg(not(unix))]
fn check_access(path: &Path) -> std::io::Result<()> {
    let metadata = path.metadata()?;
    // The mark of a folder does not concern its files.
    if metadata.is_file() && metadata.permissions().readonly() {
        return Err(std::io::ErrorKind::PermissionDenied.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SeekGame;

    fn spec() -> EngineSpec {
        let program = std::env::current_exe().expect("a program");
        EngineSpec {
            command: vec![program.to_string_lossy().into_owned()],
            ..EngineSpec::default()
        }
    }

    fn keys(found: &[Finding]) -> Vec<(Weight, &str)> {
        found
            .iter()
            .map(|finding| (finding.weight, finding.key.as_str()))
            .collect()
    }

    #[test]
    fn defaults_need_nothing_but_the_engine() {
        let config = Config::default();
        assert_eq!(findings(&config, &spec()), []);
        let missing = EngineSpec {
            command: vec!["/nonexistent/engine".to_owned()],
            ..EngineSpec::default()
        };
        let found = findings(&config, &missing);
        assert_eq!(keys(&found), [(Weight::Engine, "engine.command")]);
        assert!(found[0].message.contains("/nonexistent/engine"));
        let homeless = EngineSpec {
            folder: Some("/nonexistent".into()),
            ..spec()
        };
        let found = findings(&config, &homeless);
        assert_eq!(keys(&found), [(Weight::Engine, "engine.folder")]);
    }

    #[test]
    fn all_files_that_cannot_be_written_are_named() {
        let root = tempfile::tempdir().expect("a folder");
        let mut config = Config::default();
        config.record.pgn = Some(root.path().join("gmaes/a.pgn"));
        config.log.file = Some(root.path().to_path_buf());
        config.status.json = Some(root.path().join("events.json"));
        let found = findings(&config, &spec());
        assert_eq!(
            keys(&found),
            [
                (Weight::Configuration, "record.pgn"),
                (Weight::Configuration, "log.file")
            ]
        );
        assert!(found[0].message.contains("mkdir -p "), "{found:?}");
        assert!(found[1].message.contains("is a folder"), "{found:?}");
        // Nothing is created.
        assert_eq!(std::fs::read_dir(root.path()).expect("a folder").count(), 0);
        config.status.json = Some("-".into());
        assert_eq!(findings(&config, &spec()).len(), 2);
    }

    #[test]
    fn a_password_file_with_more_than_a_password_is_a_warning() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut config = Config::default();
        config.server.password_file = Some(file.path().to_path_buf());
        for (text, expected) in [
            ("secret\n", None),
            ("secret\r\n\n", None),
            ("secret \n", Some("blank")),
            ("secret\nother\n", Some("first line")),
        ] {
            std::fs::write(file.path(), text).expect("written");
            let found = findings(&config, &spec());
            let message = found.first().map(|finding| finding.message.as_str());
            match expected {
                None => assert_eq!(message, None),
                Some(word) => {
                    assert!(
                        message.is_some_and(|text| text.contains(word)),
                        "{message:?}"
                    );
                    assert_eq!(keys(&found), [(Weight::Warning, "server.password_file")]);
                    assert!(!message.is_some_and(|text| text.contains("secret")));
                }
            }
        }
    }

    #[test]
    fn seeks_that_the_rules_contradict_are_a_warning() {
        let mut config = Config::default();
        config.challenges.base_max = 10;
        config.seek.games = [5, 15]
            .map(|base| SeekGame {
                base,
                ..SeekGame::default()
            })
            .to_vec();
        let found = findings(&config, &spec());
        assert_eq!(keys(&found), [(Weight::Warning, "seek.games[2]")]);
        assert!(found[0].message.contains("0 to 10 minutes"), "{found:?}");
    }

    #[test]
    fn missing_tablebases_are_a_warning() {
        let root = tempfile::tempdir().expect("a folder");
        let places = [root.path().to_path_buf(), root.path().join("missing")];
        let places = std::env::join_paths(places).expect("a list");
        let spec = EngineSpec {
            egt: vec![("syzygy".to_owned(), places.to_string_lossy().into_owned())],
            ..spec()
        };
        let found = findings(&Config::default(), &spec);
        assert_eq!(
            keys(&found),
            [(Weight::Warning, "engine.tablebases.syzygy")]
        );
        assert!(found[0].message.ends_with("missing does not exist"));
    }
}
