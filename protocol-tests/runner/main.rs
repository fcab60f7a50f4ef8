//! Runs the protocol scripts: against the protocol machine with a simulated search, against the program, or, if
//! `GAUR_TEST_ENGINE` contains a command line, against another engine. See `protocol-tests/README.md`.

mod conversation;
mod coverage;
mod directive;
mod events;
mod features;
mod fuzzed;
mod in_process;
mod model;
mod pattern;
mod peer;
mod play;
mod process;
mod random;
mod referee;
mod replay;
mod script;
mod simulated_search;
mod words;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use features::Features;
use in_process::InProcess;
use peer::Peer;
use play::Strictness;
use process::Process;
use script::Script;

/// Folder of games on Debian, which is not always in PATH.
const GAMES: &str = "/usr/games";

/// Engine that the scripts are played against.
#[derive(Clone)]
enum Opponent {
    /// The protocol machine, in this process.
    Machine,
    /// The program.
    Program(Vec<String>),
    /// Another engine.
    Stranger(Vec<String>),
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // More searching processes at once would be too slow to meet the time limits.
    arguments.test_threads.get_or_insert(2);
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scripts: Vec<Arc<Script>> = script::load_all(&root.join("protocol-tests"))?
        .into_iter()
        .map(Arc::new)
        .collect();
    let replays = root.join("protocol-tests/replays");
    let mut trials = Vec::new();
    let opponents = match env::var("GAUR_TEST_ENGINE") {
        Ok(line) => vec![other_engine(&line)?],
        Err(_) => {
            let all: Vec<Script> = scripts.iter().map(|script| (**script).clone()).collect();
            trials.push(Trial::test(
                "every item has its scripts in docs/protocol.md",
                move || coverage::check(root, &all).map_err(Failed::from),
            ));
            trials.push(Trial::test("rows", || {
                coverage::self_test().map_err(Failed::from)
            }));
            trials.push(Trial::test("patterns", || {
                pattern::self_test().map_err(Failed::from)
            }));
            trials.push(Trial::test("model", || {
                model::self_test().map_err(Failed::from)
            }));
            trials.extend(replay::trials(&replays)?);
            trials.extend(random::trials());
            trials.extend(fuzzed::trials(random::seconds()));
            vec![Opponent::Machine, Opponent::Program(process::program())]
        }
    };
    for opponent in opponents {
        let features = match opponent.features() {
            Ok(features) => features,
            // A trial could be skipped by a filter.
            Err(error) => return Err(format!("{} cannot be greeted: {error}", opponent.name())),
        };
        for script in &scripts {
            if opponent.suits(script) {
                trials.extend(opponent.trial(script, &features));
            }
        }
    }
    Ok(trials)
}

/// Returns an engine by its command line. The program is searched in PATH, then among the games.
fn other_engine(line: &str) -> Result<Opponent, String> {
    let mut command: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    let program = command.first_mut().ok_or("GAUR_TEST_ENGINE is empty")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let game = Path::new(GAMES).join(&*program);
    let is_found = |folder: PathBuf| folder.join(&*program).is_file();
    if !env::split_paths(&path).any(is_found) && game.is_file() {
        *program = game.to_string_lossy().into_owned();
    }
    Ok(Opponent::Stranger(command))
}

impl Opponent {
    fn name(&self) -> &'static str {
        match self {
            Opponent::Machine => "machine",
            Opponent::Program(_) => "program",
            Opponent::Stranger(_) => "engine",
        }
    }

    fn strictness(&self) -> Strictness {
        match self {
            Opponent::Stranger(_) => Strictness::Lenient,
            Opponent::Machine | Opponent::Program(_) => Strictness::Strict,
        }
    }

    fn start(&self, script: Option<&Script>) -> Result<Box<dyn Peer>, String> {
        let directory = script.and_then(|script| script.directory.as_deref());
        Ok(match self {
            Opponent::Machine => Box::new(InProcess::new(
                script.is_none_or(|script| !script.needs_pretence),
            )),
            Opponent::Program(command) => Box::new(Process::start(command, directory, true)?),
            Opponent::Stranger(command) => Box::new(Process::start(command, directory, false)?),
        })
    }

    /// Returns the features that the engine announces.
    fn features(&self) -> Result<Features, String> {
        process::attempt(|| {
            let mut peer = self.start(None)?;
            let features = play::greet(peer.as_mut())?;
            peer.finish()?;
            Ok(features)
        })
    }

    /// Returns `true` if a script can be played against this engine.
    fn suits(&self, script: &Script) -> bool {
        match self {
            Opponent::Machine => !script.needs_process,
            Opponent::Program(_) => !script.needs_pretence,
            Opponent::Stranger(_) => !script.needs_pretence && !script.only_gaur,
        }
    }

    /// Returns the trial for a script, or `None` if the features of the engine exclude it.
    fn trial(&self, script: &Arc<Script>, features: &Features) -> Option<Trial> {
        let applies = script.features.iter().all(|feature| features.has(feature))
            && !script.without.iter().any(|feature| features.has(feature));
        if !applies {
            return None;
        }
        let name = format!("{}::{}", self.name(), script.name);
        let opponent = self.clone();
        let script = Arc::clone(script);
        Some(Trial::test(name, move || {
            process::attempt(|| {
                let mut peer = opponent.start(Some(&script))?;
                play::play(&script, peer.as_mut(), opponent.strictness())
            })
            .map_err(Failed::from)
        }))
    }
}
