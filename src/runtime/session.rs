//! The session: the protocol machine and everything that it acts on, behind one lock.
//!
//! The thread that has an input locks the session, hands the input to the machine and carries out the machine's actions
//! itself: the input thread for a line, the search thread for a search event, the main thread for the rest. No thread
//! must run in between. The lock is held for microseconds: nothing behind it waits for the GUI, a file or the search.
//!
//! If a person types at a terminal, the terminal client stands between input and machine until `xboard` arrives.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::descriptor::InputEnd;
use super::file_work::{FileResult, FileWork};
use super::input::Input;
use super::log::{Log, LogFailure};
use super::output::Output;
use super::tablebase_files::TablebaseFiles;
use crate::messages::{SearchEvent, SearchOrder};
use crate::protocol::machine::{Machine, TablebaseReport};
use crate::search::ImmediateMoves;
use crate::tablebase::TableCounts;
use crate::terminal::{self, TerminalClient};

mod actions;
#[cfg(test)]
mod tests;

/// Time after which the input thread looks for the end of input again while it reads nothing.
const END_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Longest time that a GUI that has closed its end of the input may read nothing while output waits. With the time of
/// the shutdown, the program ends within a second.
const UNREAD_TIMEOUT: Duration = Duration::from_millis(700);

/// Longest time that the program waits at its end for the GUI to read the last lines, for the log and for the threads
/// of the search. A pending move or pong may have taken its time before; GUIs wait about 500 ms for the process to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

/// Time between two checks whether the errors have been printed.
const RECHECK_INTERVAL: Duration = Duration::from_millis(2);

/// A message to the main thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// [`SharedSession::on_deadline`] must be called at this time.
    Deadline(Instant),
    /// The session has ended.
    Ended,
    /// A thread has panicked while others may wait for it.
    Panicked,
}

/// The machine and the objects that its actions change.
pub struct Parts {
    /// The protocol machine.
    pub machine: Machine,
    /// Client for a person at a terminal; `None` for a GUI.
    pub terminal: Option<TerminalClient>,
    /// Reads and writes files.
    pub files: FileWork,
    /// Log of all traffic.
    pub log: Log,
    /// Lines to the GUI.
    pub output: Output,
    /// The end of standard input.
    pub input_end: InputEnd,
}

/// The session, shared by the threads that have inputs for it.
pub struct SharedSession {
    session: Mutex<Session>,
    /// Notified after each change of the session, for the input thread.
    changed: Condvar,
    /// Another handle to the output, to wait for it without the lock.
    output: Output,
    input_end: InputEnd,
    notices: Sender<Notice>,
    /// Set as long as there is a client for a person.
    is_interactive: Arc<AtomicBool>,
}

/// The data behind the lock.
struct Session {
    machine: Machine,
    terminal: Option<TerminalClient>,
    is_interactive: Arc<AtomicBool>,
    /// Orders to the search; `None` before it is started and after it has ended.
    orders: Option<Sender<SearchOrder>>,
    /// Answers the orders that leave no time to search.
    immediate: ImmediateMoves,
    files: FileWork,
    log: Log,
    output: Output,
    notices: Sender<Notice>,
    /// Prints errors on standard error.
    error_printer: Option<JoinHandle<()>>,
    /// Set while a game is written to a file. The next line waits, so that `quit` does not hide an error.
    is_saving_game: bool,
    /// Set by [`Action::QuitWithin`]: no more commands are read.
    is_quitting: bool,
    /// Set when the time of [`Action::QuitWithin`] is over.
    is_overdue: bool,
    /// Set at the end: all later inputs are ignored.
    has_ended: bool,
    /// Time for the shutdown as long as the GUI reads nothing.
    shutdown_timeout: Duration,
}

impl SharedSession {
    /// Creates a session without a search, and returns it with the receiver of the main thread.
    pub fn new(parts: Parts) -> (Arc<SharedSession>, Receiver<Notice>) {
        let (notices, receiver) = unbounded();
        let is_interactive = Arc::new(AtomicBool::new(parts.terminal.is_some()));
        let session = SharedSession {
            is_interactive: Arc::clone(&is_interactive),
            changed: Condvar::new(),
            output: parts.output.clone(),
            input_end: parts.input_end,
            notices: notices.clone(),
            session: Mutex::new(Session {
                machine: parts.machine,
                terminal: parts.terminal,
                is_interactive,
                orders: None,
                immediate: ImmediateMoves::default(),
                files: parts.files,
                log: parts.log,
                output: parts.output,
                notices,
                error_printer: None,
                is_saving_game: false,
                is_quitting: false,
                is_overdue: false,
                has_ended: false,
                shutdown_timeout: SHUTDOWN_TIMEOUT,
            }),
        };
        (Arc::new(session), receiver)
    }

    /// Connects the search. No line may be handled before.
    pub fn connect_search(&self, orders: Sender<SearchOrder>, immediate: ImmediateMoves) {
        let mut session = self.lock();
        session.orders = Some(orders);
        session.immediate = immediate;
    }

    /// Applies the settings of the start. This is the first input.
    pub fn start(&self) {
        self.change(|session| {
            let actions = session.machine.start();
            session.carry_out(actions);
        });
    }

    /// Waits until the errors of the start have been printed, at most until `deadline`.
    pub fn finish_errors(&self, deadline: Instant) {
        let Some(printing) = self.lock().error_printer.take() else {
            return;
        };
        while !printing.is_finished() && Instant::now() < deadline {
            thread::sleep(RECHECK_INTERVAL);
        }
    }

    /// Greets a person at a terminal.
    pub fn greet(&self) {
        self.change(terminal::greet);
    }

    /// Returns a flag that is set as long as a person types at a terminal.
    pub fn is_interactive(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_interactive)
    }

    /// Handles an input once the session accepts it. Breaks if no more input must be read.
    ///
    /// An input waits while a move that `?` has requested is due, while the machine's backlog is full, and while the
    /// output is full. With a client, it waits until the machine has carried out the line before it.
    pub fn on_input(&self, input: Input) -> ControlFlow<()> {
        let session = self.wait_for_turn(&input);
        if session.stops_reading() {
            return ControlFlow::Break(());
        }
        let is_done = self.change_locked(session, |session| {
            match input {
                Input::Line(line, arrived) => {
                    // Before the machine, so that the log contains a line that makes it panic.
                    session.log.received(&line, arrived);
                    session.on_line(&line, arrived);
                }
                Input::End => {
                    session.log.comment("end of input");
                    session.leave_terminal();
                    let actions = session.machine.on_end_of_input(Instant::now());
                    session.carry_out(actions);
                    session.is_quitting = true;
                    // A script waits for all replies rather than for a quick end.
                    session.shutdown_timeout = UNREAD_TIMEOUT;
                }
            }
            session.stops_reading()
        });
        if is_done {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Waits until the session accepts an input or has ended. The end of input waits for no space in the output.
    fn wait_for_turn(&self, input: &Input) -> MutexGuard<'_, Session> {
        let mut unread_since = None;
        loop {
            let is_held_back = |session: &mut Session| session.must_hold_back_input();
            let wait = self.changed.wait_while(self.lock(), is_held_back);
            let mut session = wait.unwrap_or_else(PoisonError::into_inner);
            if session.stops_reading() || *input == Input::End || !session.output.is_full() {
                return session;
            }
            drop(session);
            let written = self.output.wait_for_space(END_CHECK_INTERVAL);
            if !self.input_end.is_certain() {
                continue;
            }
            let now = Instant::now();
            match unread_since {
                Some((before, since)) if before == written => {
                    if now.duration_since(since) >= UNREAD_TIMEOUT {
                        session = self.lock();
                        session.end("end of input, and the output is not read");
                        return session;
                    }
                }
                _ => unread_since = Some((written, now)),
            }
        }
    }

    /// Handles an event of the search.
    pub fn on_search_event(&self, event: SearchEvent) {
        self.change(|session| {
            let actions = session.machine.on_event(event, Instant::now());
            session.carry_out(actions);
        });
    }

    /// Records that the search has ended: nothing waits for a move any more.
    pub fn on_search_ended(&self) {
        self.change(|session| {
            session.orders = None;
            if session.is_quitting {
                session.end("the search has ended");
            }
        });
    }

    /// Handles the result for a file.
    pub fn on_file(&self, result: FileResult) {
        self.change(|session| {
            let actions = match result {
                FileResult::Network(Ok(network)) => {
                    session.send_order(SearchOrder::UseNetwork(network));
                    session.machine.on_network(Ok(()))
                }
                FileResult::Network(Err(error)) => {
                    session.machine.on_network(Err(error.to_string()))
                }
                FileResult::Tablebases(TablebaseFiles {
                    tables,
                    counts: TableCounts { men, wdl, dtz },
                    problem,
                    is_absence,
                }) => {
                    if men > 0 {
                        let found = format!("tablebases for {men} men: {wdl} WDL, {dtz} DTZ");
                        session.log.comment(&found);
                    }
                    session.send_order(SearchOrder::UseTablebases(tables));
                    session.machine.on_tablebases(TablebaseReport {
                        men,
                        wdl,
                        dtz,
                        problem,
                        is_absence,
                    })
                }
                FileResult::Book(report) => {
                    if report.book.is_ok() {
                        session.log.comment("an opening book is in use");
                    }
                    session.machine.on_book(report)
                }
                FileResult::Learned(result) => session.machine.on_learned(result),
                FileResult::Settings(event) => session.machine.on_settings(event),
                FileResult::Game(path, result) => {
                    session.is_saving_game = false;
                    return terminal::on_saved(session, &path, &result);
                }
            };
            session.carry_out(actions);
        });
    }

    /// Handles a failure of the log.
    pub fn on_log_failure(&self, failure: &LogFailure) {
        self.change(|session| {
            let actions = session
                .machine
                .on_log_error(&failure.folder, &failure.reason);
            session.carry_out(actions);
        });
    }

    /// Ends the session because the time of [`Action::QuitWithin`] is over, once the machine allows it.
    pub fn on_deadline(&self) {
        self.change(|session| session.is_overdue = true);
    }

    /// Ends the session for a reason that the machine does not know.
    pub fn end(&self, reason: &str) {
        self.change(|session| session.end(reason));
    }

    /// Changes the session, unless it has ended, and notifies the threads that wait for a change.
    fn change(&self, change: impl FnOnce(&mut Session)) {
        let session = self.lock();
        if !session.has_ended {
            self.change_locked(session, change);
        }
    }

    fn change_locked<T>(
        &self,
        mut session: MutexGuard<'_, Session>,
        change: impl FnOnce(&mut Session) -> T,
    ) -> T {
        let _notice = self.notice_of_panic();
        let result = change(&mut session);
        session.check_deadline();
        drop(session);
        self.changed.notify_all();
        result
    }

    /// Returns the longest time that the shutdown may take while the GUI reads nothing.
    pub fn shutdown_timeout(&self) -> Duration {
        self.lock().shutdown_timeout
    }

    /// Locks the session. If another thread has panicked, the main thread ends the program.
    fn lock(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a value that, dropped by a panic, makes the main thread end the program.
    pub fn notice_of_panic(&self) -> NoticeOfPanic {
        NoticeOfPanic(self.notices.clone())
    }
}

impl Session {
    /// Returns `true` if the next input must wait for the search or for a file.
    fn must_hold_back_input(&self) -> bool {
        !self.stops_reading()
            && (self.is_saving_game
                || self.is_client_waiting()
                || self.machine.is_backlog_full()
                || (self.machine.is_move_now_pending() && self.orders.is_some()))
    }

    /// Returns `true` if the machine still has to carry out a line of the client. The replies to this line then
    /// precede the next line, and the client sees the game and the settings as they are before the next line.
    fn is_client_waiting(&self) -> bool {
        self.terminal.is_some()
            && (self.machine.has_pending_file()
                || (self.machine.has_pending_work() && self.orders.is_some()))
    }

    fn stops_reading(&self) -> bool {
        self.is_quitting || self.has_ended
    }

    /// Ends the session if it is overdue and no answer is pending.
    fn check_deadline(&mut self) {
        let must_not_quit = self.machine.must_not_quit() && self.orders.is_some();
        if self.is_overdue && !must_not_quit && !self.has_ended {
            self.end("no time left for a pending answer");
        }
    }

    /// Sends an order to the search, unless it has ended.
    fn send_order(&mut self, order: SearchOrder) {
        if matches!(order, SearchOrder::NewGame) {
            self.immediate.on_new_game();
        }
        if let Some(orders) = &self.orders
            && orders.send(order).is_err()
        {
            self.orders = None;
        }
    }

    /// Ends the session for a reason that the machine does not know.
    fn end(&mut self, reason: &str) {
        self.log.comment(reason);
        self.leave_terminal();
        // The search may have ended, too.
        self.send_order(SearchOrder::Quit);
        self.finish();
    }

    fn finish(&mut self) {
        self.has_ended = true;
        self.notify(Notice::Ended);
    }

    fn notify(&self, notice: Notice) {
        // There is no receiver only while the program ends.
        self.notices.send(notice).unwrap_or_default();
    }
}

/// Notifies the main thread of a panic when it is dropped.
pub struct NoticeOfPanic(Sender<Notice>);

impl Drop for NoticeOfPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            // There is no receiver only while the program ends.
            self.0.send(Notice::Panicked).unwrap_or_default();
        }
    }
}
