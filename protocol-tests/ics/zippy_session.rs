//! One Zippy session: the engine's account, played by XBoard, and the account Rabbit, which plays random moves. At the
//! end, the server's journal must contain no fault of the engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::ics::client::Client;
use crate::ics::server::{Account, Journal, Kind, Server};
use crate::ics::xboard::Xboard;

/// Name of the engine's account.
pub const ENGINE: &str = "GaurBot";

/// Name of the opponent's account.
pub const RABBIT: &str = "Rabbit";

/// Time for XBoard to log in and start the engine.
const START: Duration = Duration::from_secs(30);

/// Number of lines from each side in an error message.
const EVIDENCE: usize = 60;

/// Server, XBoard and opponent.
#[derive(Debug)]
pub struct ZippySession {
    pub server: Server,
    pub xboard: Xboard,
    pub rabbit: Client,
    folder: PathBuf,
    /// Engine options that XBoard sets.
    options: &'static str,
    /// Lines typed on XBoard's console; XBoard and the engine have sent all others.
    by_operator: Vec<String>,
    /// Beginnings of refusals that are not faults.
    allowed_refusals: Vec<&'static str>,
    /// Beginnings of lines that only the engine of this session may send.
    allowed_words: Vec<&'static str>,
    /// Number of journal entries already read.
    read: usize,
}

/// Starts the server, logs both accounts in, plays the scenario and checks the journal.
pub fn run(
    name: &str,
    options: &'static str,
    scenario: fn(&mut ZippySession) -> Result<(), String>,
) -> Result<(), String> {
    let mut session = ZippySession::open(name, options)?;
    scenario(&mut session)
        .and_then(|()| session.check())
        .and_then(|()| match session.xboard.complaint() {
            Some(complaint) => Err(format!("the engine complained: {complaint}")),
            None => Ok(()),
        })
        .map_err(|error| format!("{error}\n\n{}", session.evidence()))
}

impl ZippySession {
    fn open(name: &str, options: &'static str) -> Result<ZippySession, String> {
        let folder = empty_folder(name)?;
        let server = Server::start(accounts(), 0).map_err(|error| error.to_string())?;
        let rabbit = Client::login(server.port(), RABBIT, seed(name))?;
        let xboard = Xboard::start(&folder, server.port(), ENGINE, &engine(), options)?;
        Ok(ZippySession {
            server,
            xboard,
            rabbit,
            folder,
            options,
            by_operator: Vec::new(),
            // XBoard sends this after each game; FICS does not know it either.
            allowed_refusals: vec!["gameend: Command not found."],
            allowed_words: Vec::new(),
            read: 0,
        })
    }

    /// Lets Rabbit challenge the engine; `terms` are the arguments after `match NAME`.
    pub fn challenge(&mut self, terms: &str) -> Result<(), String> {
        self.rabbit.challenge(ENGINE, terms)
    }

    /// Types on XBoard's console once the server has sent this text to the engine's account.
    pub fn operator_answers(&mut self, received: &str, line: &str) -> Result<(), String> {
        self.wait_until_received(ENGINE, received)?;
        self.by_operator.push(line.to_string());
        self.xboard.type_line(line)
    }

    /// Waits until the server sends a text to an account, after the previously awaited text.
    pub fn wait_until_received(&mut self, who: &str, text: &str) -> Result<(), String> {
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
        Err(format!("{who} has not been received {text:?}"))
    }

    /// Starts XBoard again after it has ended, as an operator's script does.
    pub fn restart(&mut self) -> Result<(), String> {
        self.xboard.wait_for_exit()?;
        let port = self.server.port();
        self.xboard = Xboard::start(&self.folder, port, ENGINE, &engine(), self.options)?;
        Ok(())
    }

    /// Logs Rabbit in again on a new connection.
    pub fn rabbit_returns(&mut self) -> Result<(), String> {
        self.rabbit = Client::login(self.server.port(), RABBIT, seed("again"))?;
        Ok(())
    }

    /// Checks the results of the finished games, in order.
    pub fn expect(&self, endings: &[&str]) -> Result<(), String> {
        self.server.journal().expect(endings)
    }

    /// Allows refusals to the engine's account with this beginning.
    pub fn allow_refusal(&mut self, words: &'static str) {
        self.allowed_refusals.push(words);
    }

    /// Allows lines of the engine's account with this beginning.
    pub fn allow_words(&mut self, words: &'static str) {
        self.allowed_words.push(words);
    }

    /// Checks that no command was refused, no unexpected line was sent and no flag fell.
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
        check_clocks(&journal, ENGINE)
    }

    fn evidence(&self) -> String {
        let journal = self.server.journal();
        // Rabbit receives the same boards.
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

/// Returns an empty folder for the files of a host. It stays until the next run.
pub fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ics-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Returns the accounts.
pub fn accounts() -> Vec<Account> {
    [(ENGINE, 2000), (RABBIT, 1200)]
        .map(|(name, rating)| Account::new(name, rating))
        .to_vec()
}

/// Returns the command line of the engine: Gaur, or `GAUR_TEST_ENGINE`.
pub fn engine() -> String {
    std::env::var("GAUR_TEST_ENGINE")
        .unwrap_or_else(|_| format!("\"{}\"", env!("CARGO_BIN_EXE_gaur")))
}

/// Returns the seed of a session: different games in each session, the same in each run.
fn seed(name: &str) -> u64 {
    name.bytes().fold(7, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(byte.into())
    })
}

/// Checks that this account always moved in time.
pub fn check_clocks(journal: &Journal, account: &str) -> Result<(), String> {
    for game in &journal.finished {
        let side = game.side_of(account).ok_or("a game without the engine")?;
        if game.least_time[side] <= 0 {
            return Err(format!(
                "{account} was out of time in a game of {} half-moves that ended {}",
                game.length,
                game.summary()
            ));
        }
    }
    Ok(())
}

/// Returns `true` for lines that XBoard sends by itself or for the engine: settings, answers to challenges, moves, ends
/// of games.
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
    // XBoard informs a challenger that the engine is not ready yet.
    is_move
        || words.contains(&verb)
        || line.starts_with(&format!("tell {RABBIT} I'm not quite ready"))
}
