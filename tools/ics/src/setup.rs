//! Programs and files that the configuration names.

mod findings;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{Config, Machine};
use crate::engine::EngineSpec;
use crate::record::Archive;
use crate::report::{JsonLines, Log, StatusLine};
use crate::session::Outputs;

pub use findings::{Finding, Weight, findings};

/// Returns the engine of the configuration.
pub fn engine_spec(config: &Config) -> EngineSpec {
    let engine = &config.engine;
    let machine = Machine::measure();
    let command = &engine.command.0;
    EngineSpec {
        command: if command.is_empty() {
            vec![neighbour()]
        } else {
            command.clone()
        },
        folder: engine.folder.clone(),
        options: engine
            .options
            .iter()
            .map(|(name, value)| (name.clone(), value.0.clone()))
            .collect(),
        memory_mb: engine.memory_mb(&machine),
        cores: engine.thread_count(&machine),
        egt: engine
            .tablebases
            .iter()
            .map(|(kind, path)| (kind.clone(), path.clone()))
            .collect(),
        ponder: engine.ponder,
        init_lines: engine.init_lines.clone(),
        start_timeout: Duration::from_secs(engine.start_timeout),
    }
}

/// Returns the program `gaur` in the folder of this program, or its name if it is not there.
fn neighbour() -> String {
    let name = format!("gaur{}", std::env::consts::EXE_SUFFIX);
    let beside: Option<PathBuf> = std::env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.join(&name)));
    match beside {
        Some(path) if path.is_file() => path.to_string_lossy().into_owned(),
        _ => name,
    }
}

/// Opens the files of the configuration, and creates those that do not exist.
///
/// # Errors
///
/// Returns all files that cannot be written.
pub fn outputs(config: &Config) -> Result<Outputs, Vec<Finding>> {
    let settings = &config.log;
    let log = match &settings.file {
        Some(file) => Log::open(file, settings.size, settings.count, settings.traffic)
            .map_err(|error| Finding::of_file("log.file", error.to_string())),
        None => Ok(Log::to_stderr()),
    };
    let json = match &config.status.json {
        Some(file) => JsonLines::open(file, &config.server.account)
            .map_err(|error| Finding::of_file("status.json", named(file, &error))),
        None => Ok(JsonLines::none()),
    };
    let open = |file: &PathBuf| {
        Archive::open(file).map_err(|error| Finding::of_file("record.pgn", named(file, &error)))
    };
    let archive = config.record.pgn.as_ref().map(open).transpose();
    match (archive, log, json) {
        (Ok(archive), Ok(log), Ok(json)) => Ok(Outputs {
            log,
            archive,
            json,
            status: StatusLine::new(config.status.line),
        }),
        (archive, log, json) => Err([archive.err(), log.err(), json.err()]
            .into_iter()
            .flatten()
            .collect()),
    }
}

fn named(file: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_created_at_the_start() {
        let root = tempfile::tempdir().expect("a folder");
        let mut config = Config::default();
        config.record.pgn = Some(root.path().join("a.pgn"));
        config.log.file = Some(root.path().join("a.log"));
        config.status.json = Some(root.path().join("a.json"));
        assert!(outputs(&config).is_ok());
        assert_eq!(std::fs::read_dir(root.path()).expect("a folder").count(), 3);
    }

    #[test]
    fn all_files_that_cannot_be_opened_are_named() {
        let root = tempfile::tempdir().expect("a folder");
        let missing = root.path().join("missing");
        let mut config = Config::default();
        config.record.pgn = Some(missing.join("a.pgn"));
        config.log.file = Some(missing.join("a.log"));
        config.status.json = Some(missing.join("a.json"));
        let found = outputs(&config).err().expect("no folder");
        let keys: Vec<&str> = found.iter().map(|finding| finding.key.as_str()).collect();
        assert_eq!(keys, ["record.pgn", "log.file", "status.json"]);
        assert!(!missing.exists());
    }
}
