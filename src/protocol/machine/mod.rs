//! The protocol machine: from lines of the GUI and events of the search to replies and search orders.
//!
//! It is pure. It starts no thread, reads no clock and prints nothing: the time comes with each line and event, and
//! what is to be done comes back as [`Action`]s, in order. One value, the mode, says what is going on; each
//! search has a number, and what arrives with another number than that of the running search is dropped.
//!
//! | file | what it handles |
//! |---|---|
//! | `mode` | the modes, and what can be asked of any of them |
//! | `play` | `go`, moves, `force`, draws, results: playing a game |
//! | `ponder` | thinking on the opponent's time |
//! | `analyse` | `analyze`, `exit`, `.`, `exclude`, `include` |
//! | `setup` | `new`, `variant`, `setboard`, `undo`, `remove` |
//! | `edit` | the lines between `edit` and its `.` |
//! | `pause` | `pause` and `resume` |
//! | `configure` | features, options, memory, cores |
//! | `pongs` | pings that cannot be answered yet |
//! | `console` | what a person at a terminal sees |

mod analyse;
mod configure;
mod console;
mod edit;
mod mode;
mod pause;
mod play;
mod ponder;
mod pongs;
mod setup;

#[cfg(test)]
mod tests;

use std::time::Instant;

use crate::clock::{Clocks, TimeControl};
use crate::config::Config;
use crate::game::{Game, Players};
use crate::messages::{Limits, Purpose, SearchEvent, SearchId, SearchOrder, SearchRequest};
use crate::protocol::command::{Command, ParseError};
use crate::protocol::manners::Manners;
use crate::protocol::parser;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::{Position, Variant};
use crate::types::{Color, Depth, Move};

use mode::Mode;
use pongs::OwedPongs;

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
    /// `sd`.
    depth_limit: Option<Depth>,
    /// `nps`: nodes that count as a second; `None`: seconds count as seconds.
    node_rate: Option<u64>,
    /// Root moves not to be considered in the present position.
    excluded: Vec<Move>,
    players: Players,
    manners: Manners,
    config: Config,
    switches: Switches,
    audience: Audience,
    pongs: OwedPongs,
    last_search: SearchId,
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
            depth_limit: None,
            node_rate: None,
            excluded: Vec::new(),
            players: Players::default(),
            manners: Manners::default(),
            config: settings.config,
            switches: Switches::default(),
            audience: if settings.terminal {
                Audience::Person
            } else {
                Audience::Gui
            },
            pongs: OwedPongs::default(),
            last_search: SearchId(0),
            actions: Vec::new(),
        }
    }

    /// Obeys one line, without its line end, that arrived at `now`.
    pub fn on_line(&mut self, line: &str, now: Instant) -> Vec<Action> {
        let line = line.trim();
        if matches!(self.mode, Mode::Editing { .. }) {
            self.edit_line(line, now);
        } else {
            match parser::parse(line) {
                Ok(command) => {
                    if ends_pause(&command) {
                        self.resume(now);
                    }
                    self.obey(command, line, now);
                }
                Err(ParseError::UnknownCommand) => self.refuse(ErrorKind::UnknownCommand, line),
                Err(ParseError::BadArgument) => self.refuse(ErrorKind::BadArgument, line),
            }
        }
        self.finish()
    }

    /// Takes in a report of the search that arrived at `now`.
    pub fn on_event(&mut self, event: SearchEvent, now: Instant) -> Vec<Action> {
        self.take_event(event, now);
        self.finish()
    }

    /// Nothing more will come from the GUI, which has gone.
    pub fn on_end_of_input(&mut self, _now: Instant) -> Vec<Action> {
        self.quit();
        self.finish()
    }

    fn obey(&mut self, command: Command, line: &str, now: Instant) {
        match command {
            // Words that ask for nothing from an engine without books, drop moves or premoves; and "random",
            // because variety in play is an option of its own.
            Command::Nothing
            | Command::Random
            | Command::Bughouse
            | Command::Lift(_)
            | Command::Put(_)
            | Command::Hover(_) => {}
            Command::Quit => self.quit(),
            Command::Ping(text) => self.pongs.owe(text, self.mode.thinking()),

            Command::Xboard => self.audience = Audience::Gui,
            Command::Protover(version) => self.protover(version),
            Command::Accepted(feature) => self.accepted(&feature),
            Command::Rejected(_) => {}
            Command::Memory(megabytes) => self.memory(megabytes),
            Command::Cores(cores) => self.cores(cores),
            Command::Option { name, value } => self.option(&name, value.as_deref(), line),
            // No tablebases yet, and none announced: the path is of no use.
            Command::TablebasePath { .. } => {}

            Command::New => self.new_game(now),
            Command::Variant(name) => self.variant(&name, line, now),
            Command::SetBoard(fen) => self.set_board(&fen, now),
            Command::Edit => self.edit(now),
            Command::Undo => self.undo(line, now),
            Command::Remove => self.remove(line, now),

            Command::Force => self.force(now),
            Command::Go => self.go(now),
            Command::PlayOther => self.play_other(now),
            Command::White => self.give_move_to(Color::White, now),
            Command::Black => self.give_move_to(Color::Black, now),
            Command::UserMove(text) | Command::BareMove(text) => self.user_move(&text, now),
            Command::MoveNow => self.move_now(),
            Command::Draw => self.draw(),
            Command::GameResult(_) => self.game_result(now),
            Command::Hint => self.hint(),
            Command::Book => self.say(Reply::Book(Vec::new())),
            Command::Pause => self.pause(now),
            Command::Resume => self.resume(now),

            Command::TimeControl(control) => self.clocks.set_control(control, now),
            Command::DepthLimit(depth) => self.depth_limit = Some(depth.max(1)),
            Command::NodeRate(rate) => self.node_rate = Some(rate).filter(|&rate| rate > 0),
            Command::EngineClock(remaining) => self.clocks.tell_engine(remaining, now),
            Command::OpponentClock(remaining) => self.clocks.tell_opponent(remaining, now),

            Command::Hard => self.hard(now),
            Command::Easy => self.easy(),
            Command::Post => self.switches.post = true,
            Command::NoPost => self.switches.post = false,

            Command::Analyze => self.analyze(now),
            Command::Exit => self.exit(),
            Command::Status => self.status(),
            Command::Exclude(moves) => self.exclude(&moves, line, now),
            Command::Include(moves) => self.include(&moves, line, now),
            // Not announced: a score given from outside would have to hold inside the tree.
            Command::SetScore { .. } => self.refuse(ErrorKind::NotLegalNow, line),

            Command::OpponentName(name) => self.players.opponent_name = Some(name),
            Command::Ratings { own, opponent } => self.players.set_ratings(own, opponent),
            Command::Ics(server) => self.players.server = server,
            Command::Computer => self.players.opponent_is_computer = true,

            Command::Help | Command::Show if self.audience == Audience::Gui => {
                self.refuse(ErrorKind::UnknownCommand, line);
            }
            Command::Help => self.say(Reply::Console(console::HELP.to_owned())),
            Command::Show => self.show(now),
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
                self.mode.note_best(info.pv.first().copied());
                if self.switches.post {
                    self.say(Reply::Thinking(info, self.game.variant()));
                }
            }
            SearchEvent::Status(id, status) if self.mode.search() == Some(id) => {
                self.say(Reply::Status(status, self.game.variant()));
            }
            SearchEvent::Best {
                id,
                best,
                ponder,
                score,
            } if self.mode.thinking() == Some(id) => {
                self.on_best(best, ponder, score, now);
            }
            SearchEvent::Configured => self.pongs.configured(),
            // Answers to questions that have been withdrawn.
            SearchEvent::Info(..) | SearchEvent::Status(..) | SearchEvent::Best { .. } => {}
        }
    }

    fn quit(&mut self) {
        self.order(SearchOrder::Quit);
        self.actions.push(Action::Quit);
    }

    /// Ends a call: pongs that are no longer held back come last.
    fn finish(&mut self) -> Vec<Action> {
        for text in self.pongs.release(self.mode.thinking()) {
            self.say(Reply::Pong(text));
        }
        std::mem::take(&mut self.actions)
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
        self.order(SearchOrder::Start(Box::new(SearchRequest {
            id,
            position,
            purpose,
            limits,
            excluded,
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
    }
}

/// Whether a command, coming in a pause, means that the pause is over. Talk and settings do not.
fn ends_pause(command: &Command) -> bool {
    !matches!(
        command,
        Command::Nothing
            | Command::Random
            | Command::Bughouse
            | Command::Lift(_)
            | Command::Put(_)
            | Command::Hover(_)
            | Command::Ping(_)
            | Command::Xboard
            | Command::Protover(_)
            | Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Memory(_)
            | Command::Cores(_)
            | Command::Option { .. }
            | Command::TablebasePath { .. }
            | Command::Draw
            | Command::Hint
            | Command::Book
            | Command::Pause
            | Command::Resume
            | Command::TimeControl(_)
            | Command::DepthLimit(_)
            | Command::NodeRate(_)
            | Command::EngineClock(_)
            | Command::OpponentClock(_)
            | Command::Hard
            | Command::Easy
            | Command::Post
            | Command::NoPost
            | Command::Exit
            | Command::Status
            | Command::SetScore { .. }
            | Command::OpponentName(_)
            | Command::Ratings { .. }
            | Command::Ics(_)
            | Command::Computer
            | Command::Help
            | Command::Show
            | Command::Quit
    )
}
