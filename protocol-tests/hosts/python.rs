//! Hosts written in Python: python-chess and lichess-bot. Each has a script of unit tests in this folder.

use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Trial;

use crate::folder;
use crate::needs::{self, Need};

const PYTHON: Need = Need::Program("python3", "python3");
const CHESS: Need = Need::PythonModule("chess", "pip install chess");
const YAML: Need = Need::PythonModule("yaml", "pip install pyyaml");
const LICHESS_BOT: Need = Need::Path(
    "LICHESS_BOT",
    "https://github.com/lichess-bot-devs/lichess-bot",
);

/// Returns all trials of these hosts.
pub fn trials() -> Vec<Trial> {
    vec![
        needs::trial("python-chess", &[PYTHON, CHESS], || run("python_chess.py")),
        needs::trial("lichess-bot", &[PYTHON, CHESS, YAML, LICHESS_BOT], || {
            run("lichess_bot.py")
        }),
    ]
}

/// Runs a script of unit tests. An error contains its output.
fn run(script: &str) -> Result<(), String> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/hosts");
    let mut command = Command::new("python3");
    command
        .arg(scripts.join(script))
        .env("GAUR", needs::gaur())
        .stdin(Stdio::null());
    folder::with_settings(&mut command, &folder::fresh(script)?);
    let output = command
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    // A script that ran no test is an error.
    if output.status.success() && printed.contains("\nOK") && !printed.contains("Ran 0 tests") {
        Ok(())
    } else {
        Err(printed)
    }
}
