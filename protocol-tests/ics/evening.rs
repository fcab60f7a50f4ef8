//! An evening at the server: the engine's account, played by XBoard, and Rabbit, who plays random moves. When it is
//! over, the server's journal must show that the engine has behaved.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::ics::client::Client;
use crate::ics::server::{Account, Journal, Kind, Server};
use crate::ics::xboard::Xboard;

/// The account that the engine plays for.
pub const ENGINE: &str = "GaurBot";

/// The other one.
pub const RABBIT: &str = "Rabbit";

/// XBoard must have logged in and greeted its engine by then.
const START: Duration = Duration::from_secs(30);

/// Lines of evidence from each side when something has gone wrong.
const EVIDENCE: usize = 60;

/// Everybody who takes part.
#[derive(Debug)]
pub struct Evening {
    pub server: Server,
    pub xboard: Xboard,
    pub rabbit: Client,
    folder: PathBuf,
    /// What XBoard sets in the engine.
    options: &'static str,
    /// What was typed on XBoard's console; XBoard and the engine have typed the rest.
    by_operator: Vec<String>,
    /// How refusals begin that are nobody's fault.
    allowed_refusals: Vec<&'static str>,
    /// How lines begin that only the engine of this evening types.
    allowed_words: Vec<&'static str>,
    /// So many entries of the journal are behind us.
    read: usize,
}

/// Opens the server, lets both come in, the engine with these options, plays the scenario, and checks the journal.
pub fn spend(
    name: &str,
    options: &'static str,
    scenario: fn(&mut Evening) -> Result<(), String>,
) -> Result<(), String> {
    let mut evening = Evening::open(name, options)?;
    scenario(&mut evening)
        .and_then(|()| evening.check())
        .and_then(|()| match evening.xboard.complaint() {
            Some(complaint) => Err(format!("the engine complained: {complaint}")),
            None => Ok(()),
        })
        .map_err(|error| format!("{error}\n\n{}", evening.evidence()))
}

impl Evening {
    fn open(name: &str, options: &'static str) -> Result<Evening, String> {
        let folder = empty_folder(name)?;
        let server = Server::start(accounts(), 0).map_err(|error| error.to_string())?;
        let rabbit = Client::login(server.port(), RABBIT, seed(name))?;
        let xboard = Xboard::start(&folder, server.port(), ENGINE, &engine(), options)?;
        Ok(Evening {
            server,
            xboard,
            rabbit,
            folder,
            options,
            by_operator: Vec::new(),
            // XBoard types this after each game, and FICS does not know it either.
            allowed_refusals: vec!["gameend: Command not found."],
            allowed_words: Vec::new(),
            read: 0,
        })
    }

    /// Rabbit challenges the engine; `terms` as behind `match NAME`.
    pub fn challenge(&mut self, terms: &str) -> Result<(), String> {
        self.rabbit.challenge(ENGINE, terms)
    }

    /// Types on XBoard's console once the server has told the engine's account this.
    pub fn operator_answers(&mut self, told: &str, line: &str) -> Result<(), String> {
        self.wait_until_told(ENGINE, told)?;
        self.by_operator.push(line.to_string());
        self.xboard.type_line(line)
    }

    /// Waits until an account has been told something, later than what was waited for before.
    pub fn wait_until_told(&mut self, who: &str, text: &str) -> Result<(), String> {
        let end = Instant::now() + START;
        while Instant::now() < end {
            let found = self
                .server
                .journal()
                .entries
                .iter()
                .skip(self.read)
                .position(|entry| {
                    entry.who == who && entry.kind == Kind::Told && entry.text.contains(text)
                });
            if let Some(index) = found {
                self.read += index + 1;
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Err(format!("{who} has not been told {text:?}"))
    }

    /// The operator's script starts XBoard again after it has left.
    pub fn restart(&mut self) -> Result<(), String> {
        self.xboard.wait_for_exit()?;
        let port = self.server.port();
        self.xboard = Xboard::start(&self.folder, port, ENGINE, &engine(), self.options)?;
        Ok(())
    }

    /// Rabbit comes in again on a new connection.
    pub fn rabbit_returns(&mut self) -> Result<(), String> {
        self.rabbit = Client::login(self.server.port(), RABBIT, seed("again"))?;
        Ok(())
    }

    /// The games so far must have ended like this, in this order.
    pub fn expect(&self, endings: &[&str]) -> Result<(), String> {
        let journal = self.server.journal();
        let seen: Vec<String> = journal.finished.iter().map(|game| game.summary()).collect();
        if seen == endings {
            Ok(())
        } else {
            Err(format!("the games ended {seen:?} instead of {endings:?}"))
        }
    }

    /// In this scenario the server may refuse something to the engine's account with words that begin like this.
    pub fn allow_refusal(&mut self, words: &'static str) {
        self.allowed_refusals.push(words);
    }

    /// In this scenario the engine's account may type lines that begin like this.
    pub fn allow_words(&mut self, words: &'static str) {
        self.allowed_words.push(words);
    }

    /// Whether the engine has been a good guest: nothing was refused, nothing odd was typed, no clock ran out.
    fn check(&self) -> Result<(), String> {
        let journal = self.server.journal();
        for refusal in journal.of(ENGINE, Kind::Refused) {
            if !self
                .allowed_refusals
                .iter()
                .any(|words| refusal.starts_with(words))
            {
                return Err(format!("{ENGINE} was refused something: {refusal}"));
            }
        }
        for line in journal.of(ENGINE, Kind::Typed) {
            let is_allowed = self
                .allowed_words
                .iter()
                .any(|words| line.trim_start_matches('$').starts_with(words));
            let by_operator = self.by_operator.iter().any(|own| own == line);
            if !is_expected(line) && !is_allowed && !by_operator {
                return Err(format!("{ENGINE} typed {line:?}"));
            }
        }
        check_clocks(&journal)
    }

    fn evidence(&self) -> String {
        let journal = self.server.journal();
        // Rabbit is told the same boards.
        let lines: Vec<String> = journal
            .entries
            .iter()
            .filter(|entry| entry.who == ENGINE || entry.kind == Kind::Typed)
            .map(ToString::to_string)
            .collect();
        let last = &lines[lines.len().saturating_sub(EVIDENCE)..];
        format!(
            "The server's journal ends:\n{}\n\nXBoard's debug file ends:\n{}\n",
            last.join("\n"),
            self.xboard.debug_tail(EVIDENCE)
        )
    }
}

/// A folder for what a host writes; it stays there until the next run.
pub fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ics-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Those who have accounts.
pub fn accounts() -> Vec<Account> {
    [(ENGINE, 2000), (RABBIT, 1200)]
        .map(|(name, rating)| Account {
            name: name.to_string(),
            rating,
        })
        .to_vec()
}

/// The command line of the engine: Gaur, or what `GAUR_TEST_ENGINE` says.
pub fn engine() -> String {
    std::env::var("GAUR_TEST_ENGINE")
        .unwrap_or_else(|_| format!("\"{}\"", env!("CARGO_BIN_EXE_gaur")))
}

/// Each evening has games of its own, the same in each run.
fn seed(name: &str) -> u64 {
    name.bytes().fold(7, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(byte.into())
    })
}

/// Whether the engine always moved in time.
pub fn check_clocks(journal: &Journal) -> Result<(), String> {
    for game in &journal.finished {
        let side = game.side_of(ENGINE).ok_or("a game without the engine")?;
        if game.least_time[side] <= 0 {
            return Err(format!(
                "{ENGINE} was out of time in a game of {} half-moves that ended {}",
                game.length,
                game.summary()
            ));
        }
    }
    Ok(())
}

/// What XBoard types by itself or for the engine: settings, answers to challenges, moves, the end of games.
fn is_expected(line: &str) -> bool {
    let line = line.trim_start_matches('$');
    let verb = line.split_whitespace().next().unwrap_or_default();
    let is_move = {
        let letters = verb.as_bytes();
        verb == "o-o"
            || verb == "o-o-o"
            || (matches!(letters.len(), 4 | 6)
                && [0, 2]
                    .iter()
                    .all(|&at| (b'a'..=b'h').contains(&letters[at]))
                && [1, 3]
                    .iter()
                    .all(|&at| (b'1'..=b'8').contains(&letters[at])))
    };
    let words = [
        "", "alias", "set", "iset", "style", "accept", "decline", "draw", "resign", "flag",
        "moves", "refresh", "gameend",
    ];
    // XBoard itself tells a challenger that the engine is not ready yet.
    is_move
        || words.contains(&verb)
        || line.starts_with(&format!("tell {RABBIT} I'm not quite ready"))
}
