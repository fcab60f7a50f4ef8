//! One run of a scenario: the server, `gaur-ics` with an engine, and Rabbit. At the end, the server's journal must
//! contain no fault of the program, and the PGN file the games of the server.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::archive::{self, OwnMoves};
use super::program::Program;
use super::settings::{Engine, Setting, configuration};
use crate::ics::client::Client;
use crate::ics::server::{Account, Family, Kind, Rules, Server};
use crate::ics::zippy_session::{ENGINE, RABBIT, check_clocks, empty_folder};

/// Time for an answer of the program.
pub const ANSWER: Duration = Duration::from_secs(15);

/// Time for the program to end.
const END: Duration = Duration::from_secs(20);

/// Password of the program's account.
pub const PASSWORD: &str = "secret";

/// Number of journal lines in an error message.
const EVIDENCE: usize = 80;

/// Interval between two looks into the journal.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Commands that the program may send by itself. Moves are allowed, too.
const COMMANDS: [&str; 25] = [
    "",
    "set",
    "iset",
    "style",
    "accept",
    "decline",
    "match",
    "moves",
    "refresh",
    "takeback",
    "withdraw",
    "flag",
    "seek",
    "unseek",
    "resign",
    "draw",
    "adjourn",
    "say",
    "kibitz",
    "whisper",
    "date",
    "finger",
    "=computer",
    "quit",
    "tell",
];

/// A scenario.
pub struct Scenario {
    pub name: &'static str,
    /// Configuration beyond the usual one.
    pub settings: &'static [Setting],
    pub play: fn(&mut ClientSession) -> Result<(), String>,
    /// Set if the scenario is played with Gaur only.
    pub only_gaur: bool,
    /// Kind of server.
    pub family: Family,
}

impl Scenario {
    /// Returns a scenario for both engines.
    pub const fn new(
        name: &'static str,
        settings: &'static [Setting],
        play: fn(&mut ClientSession) -> Result<(), String>,
    ) -> Scenario {
        Scenario {
            name,
            settings,
            play,
            only_gaur: false,
            family: Family::Fics,
        }
    }

    /// Limits the scenario to Gaur.
    pub const fn with_gaur(mut self) -> Scenario {
        self.only_gaur = true;
        self
    }

    /// Plays the scenario on such a server.
    pub const fn on(mut self, family: Family) -> Scenario {
        self.family = family;
        self
    }
}

/// Server, program and opponent.
#[derive(Debug)]
pub struct ClientSession {
    pub server: Server,
    pub rabbit: Client,
    /// The program; `None` after its expected end.
    pub program: Option<Program>,
    /// Number of starts of the program.
    starts: usize,
    pub engine: Engine,
    /// Name of the program's user.
    account: String,
    folder: PathBuf,
    settings: &'static [Setting],
    /// Beginnings of refusals that are not faults.
    allowed_refusals: Vec<&'static str>,
    /// Number of journal entries already read.
    read: usize,
}

impl ClientSession {
    /// Plays a scenario with an engine and checks the journal and the PGN file.
    pub fn run(scenario: &Scenario, engine: Engine) -> Result<(), String> {
        let mut session = ClientSession::open(scenario, engine)?;
        (scenario.play)(&mut session)
            .and_then(|()| session.finish())
            .map_err(|error| format!("{error}\n\n{}", session.evidence()))
    }

    fn open(scenario: &Scenario, engine: Engine) -> Result<ClientSession, String> {
        let folder = empty_folder(&format!("{}-{}", engine.name(), scenario.name))?;
        let rules = rules(scenario.family);
        let server = Server::start_with(rules, 0).map_err(|error| error.to_string())?;
        let rabbit = Client::login(server.port(), RABBIT, seed(scenario.name))?;
        let mut session = ClientSession {
            server,
            rabbit,
            program: None,
            starts: 0,
            engine,
            account: ENGINE.to_string(),
            folder,
            settings: scenario.settings,
            allowed_refusals: Vec::new(),
            read: 0,
        };
        if scenario.family != Family::Fics {
            // Settings of the login that only FICS has.
            session.allow_refusal("No such variable name ptime.");
            session.allow_refusal("No such ivariable \"nowrap\".");
        }
        session.start_program(PASSWORD)?;
        Ok(session)
    }

    /// Starts all again on a server that writes at most this number of bytes at a time.
    pub fn restart_in_parts(&mut self, family: Family, chunk: usize) -> Result<(), String> {
        self.program = None;
        let mut rules = rules(family);
        rules.chunk = Some(chunk);
        self.server = Server::start_with(rules, 0).map_err(|error| error.to_string())?;
        self.rabbit_returns()?;
        self.start_program(PASSWORD)
    }

    /// Starts the program, in place of an earlier one.
    pub fn start_program(&mut self, password: &str) -> Result<(), String> {
        self.program = None;
        let text = configuration(self.engine, self.server.port(), self.settings)?;
        self.program = Some(Program::start(&self.folder, &text, password)?);
        self.starts += 1;
        Ok(())
    }

    /// Returns the running program.
    pub fn program(&mut self) -> Result<&mut Program, String> {
        self.program
            .as_mut()
            .ok_or_else(|| "gaur-ics is not running".into())
    }

    /// Lets Rabbit challenge the program until it accepts; `terms` are the arguments after `match NAME`.
    pub fn challenge(&mut self, terms: &str) -> Result<(), String> {
        self.rabbit.challenge(ENGINE, terms)
    }

    /// Lets Rabbit resign and waits for the end.
    pub fn rabbit_resigns(&mut self) -> Result<(), String> {
        self.rabbit.type_line("resign")?;
        self.rabbit.wait_for_the_end(ANSWER).map(drop)
    }

    /// Lets Rabbit play this number of moves and then resign.
    pub fn rabbit_resigns_after(&mut self, moves: usize) -> Result<(), String> {
        self.rabbit.play(moves)?;
        self.rabbit_resigns()
    }

    /// Names the user of a program that is logged in as a guest.
    pub fn as_guest(&mut self, name: &str) {
        self.account = name.to_string();
    }

    /// Logs Rabbit in again on a new connection.
    pub fn rabbit_returns(&mut self) -> Result<(), String> {
        self.rabbit = Client::login(self.server.port(), RABBIT, seed("again"))?;
        Ok(())
    }

    /// Waits until the server sends a text to the program, after the previously awaited text.
    pub fn wait_until_told(&mut self, text: &str) -> Result<(), String> {
        self.wait_for_entry(Kind::Told, text)
    }

    /// Waits until the program sends this line, after the previously awaited text.
    pub fn wait_until_typed(&mut self, line: &str) -> Result<(), String> {
        self.wait_for_entry(Kind::Typed, line)
    }

    fn wait_for_entry(&mut self, kind: Kind, text: &str) -> Result<(), String> {
        let end = Instant::now() + 2 * ANSWER;
        while Instant::now() < end {
            let journal = self.server.journal();
            let found = journal.entries.iter().skip(self.read).position(|entry| {
                entry.who == self.account && entry.kind == kind && entry.text.contains(text)
            });
            drop(journal);
            if let Some(index) = found {
                self.read += index + 1;
                return Ok(());
            }
            thread::sleep(POLL_INTERVAL);
        }
        Err(format!(
            "the journal has no {kind:?} {text:?} of {}",
            self.account
        ))
    }

    /// Waits until the log of the program contains this text.
    pub fn wait_until_logged(&mut self, text: &str) -> Result<(), String> {
        let end = Instant::now() + ANSWER;
        while !self.program()?.log()?.contains(text) {
            if Instant::now() > end {
                return Err(format!("the log has no {text:?}"));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Returns the lines that the program has sent so far.
    pub fn typed(&self) -> Vec<String> {
        let journal = self.server.journal();
        journal
            .of(&self.account, Kind::Typed)
            .map(str::to_string)
            .collect()
    }

    /// Checks the results of the finished games, in order.
    pub fn expect(&self, endings: &[&str]) -> Result<(), String> {
        self.server.journal().expect(endings)
    }

    /// Allows refusals to the program's account with this beginning.
    pub fn allow_refusal(&mut self, words: &'static str) {
        self.allowed_refusals.push(words);
    }

    /// Waits for the expected end of the program and returns its exit status.
    pub fn wait_for_exit(&mut self, timeout: Duration) -> Result<Option<i32>, String> {
        let status = self.program()?.wait(timeout)?;
        Ok(status.code())
    }

    /// Stops a program that is still running, and checks what it did.
    fn finish(&mut self) -> Result<(), String> {
        if let Some(program) = &mut self.program
            && program.expect_running().is_ok()
        {
            program.terminate()?;
            let code = self.wait_for_exit(END)?;
            if code != Some(0) {
                return Err(format!("gaur-ics ended with {code:?} after SIGTERM"));
            }
        }
        self.check_journal()?;
        let finished = self.server.journal().finished.clone();
        let own_moves = OwnMoves {
            account: &self.account,
            lost_scores: self
                .program
                .as_ref()
                .map_or(0, |program| program.lost_engines),
            is_restarted: self.starts > 1,
        };
        archive::check(&self.folder.join("games.pgn"), &finished, &own_moves)
    }

    fn check_journal(&self) -> Result<(), String> {
        let journal = self.server.journal();
        if let Some(fault) = journal
            .entries
            .iter()
            .find(|entry| entry.kind == Kind::Fault)
        {
            return Err(format!("the server noted a fault: {fault}"));
        }
        for refusal in journal.of(&self.account, Kind::Refused) {
            let is_allowed = |words: &&str| refusal.starts_with(*words);
            if !self.allowed_refusals.iter().any(is_allowed) {
                return Err(format!("{} was refused something: {refusal}", self.account));
            }
        }
        for line in journal.of(&self.account, Kind::Typed) {
            let verb = line
                .trim_start_matches('$')
                .split(' ')
                .next()
                .unwrap_or_default();
            if !is_move(verb) && !COMMANDS.contains(&verb) {
                return Err(format!("{} typed {line:?}", self.account));
            }
        }
        check_clocks(&journal, &self.account)
    }

    fn evidence(&self) -> String {
        let journal = self.server.journal();
        let lines: Vec<String> = journal
            .entries
            .iter()
            .filter(|entry| entry.who == self.account || entry.kind == Kind::Typed)
            .map(ToString::to_string)
            .collect();
        let last = &lines[lines.len().saturating_sub(EVIDENCE)..];
        let program = self.program.as_ref().map(Program::evidence);
        format!(
            "The server's journal ends:\n{}\n\n{}",
            last.join("\n"),
            program.unwrap_or_default()
        )
    }
}

fn rules(family: Family) -> Rules {
    let own = Account {
        password: Some(PASSWORD.into()),
        titles: "(C)".into(),
        ..Account::new(ENGINE, 2000)
    };
    Rules {
        family,
        ..Rules::new(vec![own, Account::new(RABBIT, 1200)])
    }
}

/// Returns `true` for a move as the program sends it: `e2e4`, `e7e8=q`, `O-O`.
pub fn is_move(word: &str) -> bool {
    let letters = word.as_bytes();
    let file = |index: usize| {
        letters
            .get(index)
            .is_some_and(|letter| (b'a'..=b'h').contains(letter))
    };
    let rank = |index: usize| {
        letters
            .get(index)
            .is_some_and(|letter| (b'1'..=b'8').contains(letter))
    };
    let castles = ["o-o", "o-o-o"].contains(&word.to_lowercase().as_str());
    castles || (matches!(word.len(), 4 | 6) && file(0) && rank(1) && file(2) && rank(3))
}

/// Returns the seed of a scenario: different games in each, the same in each run.
fn seed(name: &str) -> u64 {
    name.bytes().fold(7, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(byte.into())
    })
}
