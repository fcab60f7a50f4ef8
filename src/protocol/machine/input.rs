//! The machine's inputs: lines, search events, the end of input, and commands from the backlog.

use std::time::{Duration, Instant};

use crate::config::SAVE_SETTINGS;
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::command::{Command, ParseError};
use crate::protocol::parser;
use crate::protocol::reply::{ErrorKind, Reply};

use super::backlog::{Input, PendingFile};
use super::interface::{Action, MAX_LINE_BYTES};
use super::mode::Mode;
use super::state::Machine;

/// Time after `quit` for the replies to earlier commands, unless [`Machine::must_not_quit`]. GUIs wait about 500 ms for
/// the process to end.
const QUIT_TIMEOUT: Duration = Duration::from_millis(400);

/// Time after the end of input for the replies to earlier commands, unless [`Machine::must_not_quit`]. No GUI waits for
/// the process to end.
const END_OF_INPUT_TIMEOUT: Duration = Duration::from_secs(10);

/// Time that a file may take from the arrival of a command that cannot wait for long. Files usually take
/// milliseconds.
const URGENT_FILE_TIMEOUT: Duration = Duration::from_secs(1);

impl Machine {
    /// Handles one line, without its line end, that arrived at `now`. It waits in the backlog if it must.
    pub fn on_line(&mut self, line: &str, now: Instant) -> Vec<Action> {
        let input = Input::Line(line.to_owned(), now);
        if self.must_defer(&input) && !self.may_overtake(line) {
            self.defer(input);
        } else {
            self.handle_line(line, now);
        }
        self.finish()
    }

    /// Handles a search event that arrived at `now`.
    pub fn on_event(&mut self, event: SearchEvent, now: Instant) -> Vec<Action> {
        self.handle_event(event, now);
        self.finish()
    }

    /// Handles the end of input: Gaur quits. A script that was piped in still gets its replies: a move comes at once,
    /// as after `?`, even during a pause, and pongs that wait for settings are sent.
    pub fn on_end_of_input(&mut self, now: Instant) -> Vec<Action> {
        if self.must_defer(&Input::End(now)) {
            self.defer(Input::End(now));
        } else {
            self.handle_end_of_input(now);
        }
        self.finish()
    }

    /// Returns `true` if `?` was received and its move has not been sent yet.
    ///
    /// The caller holds back further commands meanwhile: one that ends the search would lose the move.
    pub fn is_move_now_pending(&self) -> bool {
        self.mode.is_move_now_pending()
    }

    /// Returns `true` if the time of [`Action::QuitWithin`] must not end the program yet: commands wait for the search,
    /// which always answers, settings are being saved, or a requested move or a save waits for a file. The time of
    /// files is limited.
    pub fn must_not_quit(&self) -> bool {
        let delays_end = |input: &Input| match input {
            Input::Line(line, _) => command(line).is_some_and(|command| match command {
                Command::MoveNow => true,
                Command::Option { name, .. } => name.eq_ignore_ascii_case(SAVE_SETTINGS),
                _ => false,
            }),
            Input::End(_) => false,
        };
        self.is_move_now_pending()
            || self.pongs.block_commands()
            || matches!(
                self.backlog.file(),
                Some(PendingFile::WriteSettings | PendingFile::BookLearning)
            )
            || self.backlog.inputs().any(delays_end)
    }

    /// Returns `true` if so many commands wait that the caller should stop reading them.
    pub fn is_backlog_full(&self) -> bool {
        self.backlog.is_full()
    }

    /// Returns `true` if an input that arrives now must wait.
    fn must_defer(&self, input: &Input) -> bool {
        !self.backlog.is_empty() || self.must_wait(input)
    }

    /// Returns `true` if the oldest input must wait for settings or for a file.
    fn must_wait(&self, input: &Input) -> bool {
        self.pongs.block_commands()
            || match self.backlog.file() {
                None => false,
                Some(
                    PendingFile::Network(_)
                    | PendingFile::Tablebases
                    | PendingFile::Book
                    | PendingFile::ReadSettings,
                ) => true,
                Some(PendingFile::WriteSettings | PendingFile::BookLearning) => {
                    waits_for_written_file(input)
                }
            }
    }

    /// Returns `true` for a `?` that may be handled before the inputs that wait for a file: it is about the running
    /// search, and these inputs do not affect this search.
    fn may_overtake(&self, line: &str) -> bool {
        command(line) == Some(Command::MoveNow)
            && self.mode.search_for_move().is_some()
            && self.backlog.file().is_some()
            && self.backlog.inputs().all(|input| match input {
                Input::Line(line, _) => command(line).is_some_and(|command| is_setting(&command)),
                Input::End(_) => false,
            })
    }

    /// Adds an input to the backlog.
    fn defer(&mut self, input: Input) {
        let timeout = match &input {
            Input::End(_) => Some(END_OF_INPUT_TIMEOUT),
            Input::Line(line, _) if command(line) == Some(Command::Quit) => Some(QUIT_TIMEOUT),
            Input::Line(..) => None,
        };
        if let Some(timeout) = timeout {
            self.actions.push(Action::QuitWithin(timeout));
        }
        self.backlog.push(input);
        self.request_confirmation();
        self.process_backlog();
    }

    /// Orders the search to confirm settings as soon as possible, if commands wait for them.
    pub(super) fn request_confirmation(&mut self) {
        if self.pongs.block_commands() && !self.backlog.is_empty() {
            self.order(SearchOrder::ConfirmNow);
        }
    }

    /// Handles inputs of the backlog as far as possible. Inputs after `?` wait for its move.
    fn process_backlog(&mut self) {
        while self.can_process_backlog()
            && let Some(input) = self.backlog.pop()
        {
            match input {
                Input::Line(line, arrived) => {
                    self.handle_line(&line, arrived);
                    // The wait for a file or the table does not predict that of later moves.
                    self.time.ignore_lateness();
                }
                Input::End(arrived) => self.handle_end_of_input(arrived),
            }
            self.finish_input();
        }
        if self.backlog.limits_file(is_urgent) {
            self.actions.push(Action::FileWithin(URGENT_FILE_TIMEOUT));
        }
    }

    fn can_process_backlog(&self) -> bool {
        let must_wait = |input| self.must_wait(input);
        !self.is_move_now_pending() && !self.backlog.inputs().next().is_some_and(must_wait)
    }

    fn handle_line(&mut self, line: &str, now: Instant) {
        if line.len() > MAX_LINE_BYTES {
            return self.reject(ErrorKind::LineTooLong, line);
        }
        let line = line.trim();
        if matches!(self.mode, Mode::Editing { .. }) {
            return self.edit_line(line, now);
        }
        match parser::parse(line) {
            // This `go` is about the running search, whose move may have been found just before the pause.
            Ok(Command::Go) if self.mode.is_paused() && self.mode.search_for_move().is_some() => {
                self.resume(now);
            }
            Ok(command) => {
                let is_due = self.mode.search_for_move().is_some();
                if ends_pause(&command) || command == Command::MoveNow && is_due {
                    self.resume(now);
                }
                if concerns_play(&command) {
                    self.conversation.on_play();
                }
                self.handle_command(command, line, now);
            }
            Err(ParseError::UnknownCommand) => self.reject(ErrorKind::UnknownCommand, line),
            Err(ParseError::BadArgument) => self.reject(ErrorKind::BadArgument, line),
        }
    }

    fn handle_end_of_input(&mut self, now: Instant) {
        if self.mode.search_for_move().is_some() {
            self.is_quitting = true;
            self.actions.push(Action::QuitWithin(END_OF_INPUT_TIMEOUT));
            self.resume(now);
            self.move_now();
        } else {
            self.quit();
        }
    }

    /// Handles a search event. Events of searches that have been abandoned are ignored.
    pub(super) fn handle_event(&mut self, event: SearchEvent, now: Instant) {
        if let Mode::Paused { held_events, .. } = &mut self.mode
            && matches!(event, SearchEvent::Best { .. } | SearchEvent::Info(..))
        {
            // The search sent it before it received the pause. It is handled after the pause.
            held_events.push(event);
            return;
        }
        match event {
            SearchEvent::Info(id, info) if self.mode.search() == Some(id) => {
                if info.rank == 0 {
                    self.mode.set_best_so_far(info.pv.first().copied());
                    self.record_for_chat(&info);
                }
                if let Some(info) = self.thinking_output.filter(info) {
                    self.send_thinking_line(info);
                }
            }
            SearchEvent::Status(id, status) if self.mode.search() == Some(id) => {
                self.reply(Reply::Status(status, self.game.variant()));
            }
            SearchEvent::Best {
                id,
                best,
                ponder,
                score,
                time,
                nodes,
                is_tablebase_draw,
            } if self.mode.search_for_move() == Some(id) => {
                self.time.charge(time, nodes);
                self.on_best_move(best, ponder, score, is_tablebase_draw, now);
            }
            SearchEvent::Configured => self.pongs.on_settings_applied(),
            SearchEvent::TablebasesFailed {
                reason,
                is_replaced,
            } => {
                let rest = match is_replaced {
                    true => "The new tablebases apply from the next search on",
                    false => "Gaur plays on without tablebases",
                };
                self.conversation
                    .add_pending_error(format!("{reason}. {rest}."));
            }
            SearchEvent::Reduced(resources) => self.on_reduced_resources(resources),
            SearchEvent::Info(..) | SearchEvent::Status(..) | SearchEvent::Best { .. } => {}
        }
    }

    /// Ends all threads and the program.
    pub(super) fn quit(&mut self) {
        self.backlog.clear();
        self.order(SearchOrder::Quit);
        self.actions.push(Action::Quit);
    }

    /// Ends a call: handles the backlog and returns the actions.
    pub(super) fn finish(&mut self) -> Vec<Action> {
        self.finish_input();
        self.process_backlog();
        std::mem::take(&mut self.actions)
    }

    /// Ends the handling of one input. Pongs follow its other replies.
    fn finish_input(&mut self) {
        self.send_due_pongs();
        while let Some(error) = self.conversation.take_pending_error() {
            self.reply(error);
        }
        // A ping after the one that waits for the last move may wait for settings.
        if self.is_quitting && !self.mode.is_thinking() && !self.pongs.wait_for_settings() {
            self.is_quitting = false;
            self.quit();
        }
    }
}

/// Returns the command of a line without errors.
fn command(line: &str) -> Option<Command> {
    parser::parse(line.trim()).ok()
}

/// Returns `true` for an input that must not take effect before a settings file has been written: it accesses files,
/// ends the program, or confirms all earlier commands.
fn waits_for_written_file(input: &Input) -> bool {
    match input {
        Input::Line(line, _) => matches!(
            command(line),
            Some(
                Command::Option { .. }
                    | Command::TablebasePath { .. }
                    | Command::GameResult(_)
                    | Command::Ping(_)
                    | Command::Quit
            )
        ),
        Input::End(_) => true,
    }
}

/// Returns `true` for a command that leaves the running search alone.
fn is_setting(command: &Command) -> bool {
    matches!(
        command,
        Command::Option { .. }
            | Command::TablebasePath { .. }
            | Command::Memory(_)
            | Command::Cores(_)
            | Command::Ping(_)
            | Command::Accepted(_)
            | Command::Rejected(_)
    )
}

/// Returns `true` for an input that cannot wait long for a file, because a clock may be running or Gaur is to end.
fn is_urgent(input: &Input) -> bool {
    match input {
        Input::Line(line, _) => command(line).is_some_and(|command| {
            concerns_play(&command)
                || matches!(
                    command,
                    // A GUI waits a few seconds for the features.
                    Command::Protover(_) | Command::GameResult(_) | Command::Quit
                )
        }),
        Input::End(_) => true,
    }
}

/// Returns `true` for a command about the moves of a game.
fn concerns_play(command: &Command) -> bool {
    matches!(
        command,
        Command::Go
            | Command::PlayOther
            | Command::UserMove(_)
            | Command::BareMove(_)
            | Command::MoveNow
            | Command::Force
    )
}

/// Returns `true` for a command that ends every pause. Commands that end the paused activity end the pause, too;
/// settings and information about the game do not.
fn ends_pause(command: &Command) -> bool {
    matches!(
        command,
        Command::Go
            | Command::UserMove(_)
            | Command::BareMove(_)
            | Command::Exclude(_)
            | Command::Include(_)
            | Command::SetScore { .. }
    )
}
