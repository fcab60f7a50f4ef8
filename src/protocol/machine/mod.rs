//! The protocol machine: from lines of the GUI and events of the search to replies and search orders.
//!
//! It is pure. It starts no thread, reads no clock and prints nothing: the time comes with each line and event, and
//! what is to be done comes back as [`Action`]s, in order. One value, the mode, says what is going on; each
//! search has a number, and what arrives with another number than that of the running search is dropped.
//!
//! | file | what it handles |
//! |---|---|
//! | `mode` | the modes, and what can be asked of any of them |
//! | `dispatch` | which command goes where |
//! | `play` | `go`, `force` and their like, and the search for a move |
//! | `moves` | moves from the GUI |
//! | `talk` | greetings and comments on a server |
//! | `takeback` | moves taken back on a server, of which the GUI says nothing |
//! | `clocks` | `level`, `time` and their like, and how late they are |
//! | `limits` | what ends a search for a move, and how its time is measured |
//! | `ending` | draws and results |
//! | `ponder` | thinking on the opponent's time |
//! | `analyse` | `analyze`, `exit`, `.`, `exclude`, `include`, `setscore` |
//! | `setup` | `new`, `variant`, `setboard`, `undo`, `remove` |
//! | `edit` | the lines between `edit` and its `.` |
//! | `touch` | `lift`, `put`, `hover` |
//! | `pause` | `pause` and `resume` |
//! | `backlog` | lines that wait while the search takes over settings or a new game |
//! | `configure` | features, options, memory, cores |
//! | `host` | what the accepted features tell of the GUI |
//! | `log` | remarks for the log, and what is wrong with it |
//! | `settings` | the file of settings |
//! | `network` | a network that could not be read |
//! | `pending_pongs` | pings that cannot be answered yet |
//! | `thinking` | thinking lines, shown or kept until `post` |
//! | `console` | what a person at a terminal sees |

mod analyse;
mod backlog;
mod clocks;
mod configure;
mod console;
mod dispatch;
mod edit;
mod ending;
mod host;
mod limits;
mod log;
mod mode;
mod moves;
mod network;
mod pause;
mod pending_pongs;
mod play;
mod ponder;
mod settings;
mod setup;
mod takeback;
mod talk;
mod thinking;
mod touch;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::clock::{ClockReports, Clocks, LagEstimate, TimeControl};
use crate::config::{Config, LogSettings};
use crate::game::{Game, Players};
use crate::messages::{
    Limits, Purpose, ScoreOverrides, SearchEvent, SearchId, SearchInfo, SearchOrder, SearchRequest,
};
use crate::protocol::command::{Command, ParseError};
use crate::protocol::manners::Manners;
use crate::protocol::parser;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::{Position, Variant};
use crate::types::{Color, Depth, Move, Square};

pub use settings::{FileProblem, SettingsEvent};

use backlog::{Backlog, Waiting};
use host::Host;
use limits::Measure;
use mode::Mode;
use pending_pongs::PendingPongs;
use talk::Talk;

/// Longest time for a move or a pong that is due at the end of input, where nobody waits for the end of the process. It
/// takes milliseconds, unless the search must first provide a large table.
const PATIENCE_AT_END_OF_INPUT: Duration = Duration::from_secs(10);

/// The most bytes that a line may have. No GUI comes near it; of a longer one nothing is obeyed.
pub const LONGEST_LINE: usize = 1 << 16;

/// How the machine begins.
#[derive(Clone, Debug, Default)]
pub struct MachineSettings {
    /// A person types at a terminal: `help` and `d` work until `xboard` says that a GUI is there.
    pub terminal: bool,
    /// The settings that the search begins with, too.
    pub config: Config,
}

/// Something that the machine wants done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Print this.
    Reply(Reply),
    /// Tell the search this.
    Search(SearchOrder),
    /// Configure the log.
    Log {
        /// Settings of the log.
        settings: LogSettings,
        /// Summary of all settings, for the head of a log file.
        summary: String,
    },
    /// Read the file of this name and give it to [`Machine::on_settings`].
    ReadSettings(String),
    /// Read the network file with this path, send the network to the search, and report the result to
    /// [`Machine::on_network`]. An empty path stands for the embedded network.
    ReadNetwork(PathBuf),
    /// Write a file whole or not at all, and tell [`Machine::on_settings`].
    WriteSettings {
        /// Its name.
        path: String,
        /// What is to be in it.
        text: String,
    },
    /// Hear nothing more from the GUI, and leave at the latest after this time: an answer is still owed.
    QuitWithin(Duration),
    /// Leave; nothing comes after it.
    Quit,
}

/// Who reads our answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    Person,
    Gui,
}

/// What the GUI has switched on or off.
#[derive(Clone, Copy, Debug, Default)]
struct Switches {
    /// `post`: print thinking lines.
    post: bool,
    /// `hard`: think on the opponent's time.
    ponder: bool,
    /// `accepted debug`: lines that begin with `#` are welcome.
    debug: bool,
}

/// The protocol machine.
#[derive(Debug)]
pub struct Machine {
    mode: Mode,
    game: Game,
    clocks: Clocks,
    /// What was said of the clocks since the engine's last move.
    clock_reports: ClockReports,
    /// What the way to the host costs at each move.
    lag: LagEstimate,
    /// `sd`.
    depth_limit: Option<Depth>,
    /// `nps`.
    measure: Measure,
    /// The measure that the newest search counts its time by.
    measure_of_search: Measure,
    /// Root moves not to be considered in the present position.
    excluded: Vec<Move>,
    /// The square of the piece that the user has picked up.
    lifted: Option<Square>,
    /// `setscore`.
    score_overrides: ScoreOverrides,
    players: Players,
    manners: Manners,
    talk: Talk,
    config: Config,
    switches: Switches,
    /// Knowledge of the GUI.
    host: Host,
    /// The newest lines that the present search has sent while `post` was off, best first.
    unshown: Vec<SearchInfo>,
    audience: Audience,
    pongs: PendingPongs,
    backlog: Backlog,
    last_search: SearchId,
    /// The GUI knows our features, or has begun without asking for them.
    greeted: bool,
    /// What the user is to be told as soon as we have been greeted.
    trouble: Option<String>,
    /// Nothing more comes from the GUI; what is owed is paid, and then the machine quits.
    leaving: bool,
    /// What this call has produced so far.
    actions: Vec<Action>,
}

impl Machine {
    /// A machine as after `new`: the engine plays Black from the start position.
    pub fn new(settings: MachineSettings) -> Machine {
        Machine {
            mode: Mode::Waiting {
                engine: Color::Black,
            },
            game: Game::new(Variant::Standard),
            clocks: Clocks::new(TimeControl::default()),
            clock_reports: ClockReports::default(),
            lag: LagEstimate::default(),
            depth_limit: None,
            measure: Measure::WallClock,
            measure_of_search: Measure::WallClock,
            excluded: Vec::new(),
            lifted: None,
            score_overrides: ScoreOverrides::default(),
            players: Players::default(),
            manners: Manners::default(),
            talk: Talk::default(),
            config: settings.config,
            switches: Switches::default(),
            host: Host::default(),
            unshown: Vec::new(),
            audience: if settings.terminal {
                Audience::Person
            } else {
                Audience::Gui
            },
            pongs: PendingPongs::default(),
            backlog: Backlog::default(),
            last_search: SearchId(0),
            greeted: false,
            trouble: None,
            leaving: false,
            actions: Vec::new(),
        }
    }

    /// Obeys one line, without its line end, that arrived at `now`, or later if it must wait for the search.
    pub fn on_line(&mut self, line: &str, now: Instant) -> Vec<Action> {
        if self.is_behind() {
            self.put_off(Waiting::Line(line.to_owned(), now));
        } else {
            self.take_line(line, now);
        }
        self.finish()
    }

    fn take_line(&mut self, line: &str, now: Instant) {
        if line.len() > LONGEST_LINE {
            return self.refuse(ErrorKind::LineTooLong, line);
        }
        let line = line.trim();
        if matches!(self.mode, Mode::Editing { .. }) {
            self.edit_line(line, now);
        } else {
            match parser::parse(line) {
                // It is about the move that is due, which may have been found just before the pause.
                Ok(Command::Go) if self.mode.is_paused() && self.mode.thinking().is_some() => {
                    self.resume(now);
                }
                Ok(command) => {
                    if dispatch::ends_pause(&command) {
                        self.resume(now);
                    }
                    self.obey(command, line, now);
                }
                Err(ParseError::UnknownCommand) => self.refuse(ErrorKind::UnknownCommand, line),
                Err(ParseError::BadArgument) => self.refuse(ErrorKind::BadArgument, line),
            }
        }
    }

    /// Takes in a report of the search that arrived at `now`.
    pub fn on_event(&mut self, event: SearchEvent, now: Instant) -> Vec<Action> {
        self.take_event(event, now);
        self.finish()
    }

    /// Whether a move is owed at once. What the GUI has sent behind `?` must then wait for that move: it might end the
    /// search, and nobody would ever see the move that was asked for.
    pub fn is_hurried(&self) -> bool {
        self.mode.is_hurried()
    }

    /// Quits, because nothing more will come from the GUI. Whoever has piped in a script still reads the answers: a
    /// move that is due, paused or not, comes at once, as after `?`, and pongs for settings are waited for.
    pub fn on_end_of_input(&mut self, now: Instant) -> Vec<Action> {
        if self.is_behind() {
            self.put_off(Waiting::End(now));
        } else {
            self.end_input(now);
        }
        self.finish()
    }

    fn end_input(&mut self, now: Instant) {
        if self.mode.thinking().is_some() {
            self.leaving = true;
            self.actions
                .push(Action::QuitWithin(PATIENCE_AT_END_OF_INPUT));
            self.resume(now);
            self.move_now();
        } else {
            self.quit();
        }
    }

    fn take_event(&mut self, event: SearchEvent, now: Instant) {
        if let Mode::Paused { held, .. } = &mut self.mode
            && matches!(event, SearchEvent::Best { .. } | SearchEvent::Info(..))
        {
            // Sent before the search heard of the pause; it will be news again afterwards.
            held.push(event);
            return;
        }
        match event {
            SearchEvent::Info(id, info) if self.mode.search() == Some(id) => {
                if info.rank == 0 {
                    self.mode.note_best(info.pv.first().copied());
                    self.note_thought(&info);
                }
                self.show_or_keep(info);
            }
            SearchEvent::Status(id, status) if self.mode.search() == Some(id) => {
                self.say(Reply::Status(status, self.game.variant()));
            }
            SearchEvent::Best {
                id,
                best,
                ponder,
                score,
                time,
                nodes,
            } if self.mode.thinking() == Some(id) => {
                self.charge(time, nodes);
                self.on_best(best, ponder, score, now);
            }
            SearchEvent::Configured => self.pongs.configured(),
            // Answers to questions that have been withdrawn.
            SearchEvent::Info(..) | SearchEvent::Status(..) | SearchEvent::Best { .. } => {}
        }
    }

    fn quit(&mut self) {
        self.backlog.clear();
        self.order(SearchOrder::Quit);
        self.actions.push(Action::Quit);
    }

    /// Ends a call, after the lines that have waited for it.
    fn finish(&mut self) -> Vec<Action> {
        self.end_step();
        self.catch_up(true);
        std::mem::take(&mut self.actions)
    }

    /// Ends what a line or an event has brought about: pongs that are no longer held back come last.
    fn end_step(&mut self) {
        self.say_due_pongs();
        self.tell_trouble();
        // Pings behind the one that waits for the last move may wait for settings.
        if self.leaving && !self.mode.is_thinking() && !self.pongs.wait_for_settings() {
            self.leaving = false;
            self.quit();
        }
    }

    fn say_due_pongs(&mut self) {
        for text in self.pongs.release(self.mode.thinking()) {
            self.say(Reply::Pong(text));
        }
    }

    fn say(&mut self, reply: Reply) {
        self.actions.push(Action::Reply(reply));
    }

    /// Says why something was refused, to those who can bear more than the protocol's own words.
    fn explain(&mut self, reason: &str) {
        if self.audience == Audience::Person {
            self.say(Reply::Console(reason.to_owned()));
        } else if self.switches.debug {
            self.say(Reply::Debug(reason.to_owned()));
        }
    }

    fn refuse(&mut self, kind: ErrorKind, line: &str) {
        self.say(Reply::Error {
            kind,
            line: line.to_owned(),
        });
    }

    fn order(&mut self, order: SearchOrder) {
        self.actions.push(Action::Search(order));
    }

    /// Starts a search with the next number.
    fn start_search(
        &mut self,
        purpose: Purpose,
        position: Position,
        limits: Limits,
        excluded: Vec<Move>,
        started: Instant,
    ) -> SearchId {
        let id = SearchId(self.last_search.0 + 1);
        self.last_search = id;
        self.measure_of_search = self.measure;
        self.unshown.clear();
        self.order(SearchOrder::Start(Box::new(SearchRequest {
            id,
            position,
            purpose,
            limits,
            excluded,
            score_overrides: self.score_overrides.clone(),
            time_source: self.measure.time_source(),
            started,
        })));
        id
    }

    /// Ends whatever search is running, without a word. What remains is a mode at rest: the same game, the same
    /// side, nobody thinking.
    fn settle(&mut self, now: Instant) {
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Abandon(id));
        }
        self.mode.settle();
        self.clocks.stop(now);
        // Their pings came before whatever has ended the search, and before what will be said about that.
        self.say_due_pongs();
    }
}
