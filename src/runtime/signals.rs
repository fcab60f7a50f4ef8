//! Signals: SIGTERM means quit, and SIGINT too if a person plays at a terminal; SIGXFSZ is ignored. On Windows,
//! Ctrl-C in the console that the GUI and the engine share corresponds to SIGINT.
//!
//! GUIs send SIGINT to interrupt engines that do not read their input while they think. The system sends SIGXFSZ when a
//! file grows beyond the limit of the process (`ulimit -f`); the write then fails with an error, too, which suffices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

use super::standard_error::print_error;

/// A request to end the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminate;

/// Ignores the signals that have no effect on the engine. A signal that cannot be ignored keeps its usual effect.
#[cfg(unix)]
pub fn ignore() {
    use signal_hook::consts::{SIGINT, SIGXFSZ};

    for (signal, name) in [(SIGINT, "SIGINT"), (SIGXFSZ, "SIGXFSZ")] {
        // The handler sets a flag that no code reads.
        if let Err(error) = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))) {
            print_error(&format!("{name} is not ignored: {error}"));
        }
    }
}

/// Does nothing: [`watch`] handles the only signal of this system.
#[cfg(not(unix))]
pub fn ignore() {}

/// Requests SIGCONT from the system when the parent process ends. A GUI may have stopped the engine (PyChess does so
/// after a game), and then only this signal lets it read the end of its input and end, too.
#[cfg(target_os = "linux")]
pub fn continue_without_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};

    if let Err(error) = set_parent_process_death_signal(Some(Signal::CONT)) {
        print_error(&format!("the end of the parent is not watched: {error}"));
    }
}

/// Does nothing: only Linux reports the end of the parent process.
#[cfg(not(target_os = "linux"))]
pub fn continue_without_parent() {}

/// Returns a receiver of SIGTERM, and of SIGINT while `is_interactive` is set. A signal that cannot be watched keeps
/// its usual effect.
///
/// If the main thread does not end the process in time, the process ends after a call of `before_exit`.
#[cfg(unix)]
pub fn watch(
    is_interactive: Arc<AtomicBool>,
    before_exit: impl FnOnce() + Send + 'static,
) -> Receiver<Terminate> {
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Time that the main thread has to end the process. It needs longer if, for example, the GUI reads slowly.
    const EXIT_TIMEOUT: Duration = Duration::from_millis(400);

    let (sender, receiver) = crossbeam_channel::unbounded();
    let watcher = Signals::new([SIGTERM, SIGINT]).and_then(|mut signals| {
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                let ends =
                    |signal: &_| *signal == SIGTERM || is_interactive.load(Ordering::Acquire);
                if signals.forever().find(ends).is_some() {
                    // Without a receiver, the main thread is about to end the process.
                    sender.send(Terminate).unwrap_or_default();
                    thread::sleep(EXIT_TIMEOUT);
                    before_exit();
                }
                std::process::exit(0);
            })
    });
    match watcher {
        Ok(_) => receiver,
        Err(error) => {
            print_error(&format!("SIGTERM is not watched: {error}"));
            crossbeam_channel::never()
        }
    }
}

/// Returns a receiver of Ctrl-C while `is_interactive` is set. Otherwise Ctrl-C is ignored. If it cannot be watched, it
/// keeps its usual effect.
#[cfg(not(unix))]
pub fn watch(
    is_interactive: Arc<AtomicBool>,
    _before_exit: impl FnOnce() + Send + 'static,
) -> Receiver<Terminate> {
    let (sender, receiver) = crossbeam_channel::unbounded();
    let handler = move || {
        if is_interactive.load(Ordering::Acquire) {
            // Without a receiver, the main thread is about to end the process.
            sender.send(Terminate).unwrap_or_default();
        }
    };
    match ctrlc::set_handler(handler) {
        Ok(()) => receiver,
        Err(error) => {
            print_error(&format!("Ctrl-C is not watched: {error}"));
            crossbeam_channel::never()
        }
    }
}
