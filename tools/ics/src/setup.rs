//! Programs and files that the configuration names.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::{Config, Machine};
use crate::engine::EngineSpec;
use crate::record::Archive;
use crate::report::{JsonLines, Log, StatusLine};
use crate::session::Outputs;

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

/// Opens the files of the configuration.
///
/// # Errors
///
/// Returns a message if the log or the file for JSON lines cannot be opened.
pub fn outputs(config: &Config) -> Result<Outputs, String> {
    let log = match &config.log.file {
        Some(file) => Log::open(file, config.log.size, config.log.count, config.log.traffic)
            .map_err(|error| error.to_string())?,
        None => Log::to_stderr(),
    };
    let json = match &config.status.json {
        Some(file) => JsonLines::open(file, &config.server.account)
            .map_err(|error| format!("{}: {error}", file.display()))?,
        None => JsonLines::none(),
    };
    Ok(Outputs {
        log,
        archive: config.record.pgn.clone().map(Archive::new),
        json,
        status: StatusLine::new(config.status.line),
    })
}
