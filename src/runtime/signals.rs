//! Signals on Unix: SIGTERM means quit, and SIGINT is ignored.
//!
//! GUIs send SIGINT to interrupt engines that do not read their input while they think.

use crossbeam_channel::Receiver;

/// A request to end the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminate;

/// Returns a receiver of SIGTERM. A signal that cannot be watched keeps its usual effect.
#[cfg(unix)]
pub fn watch() -> Receiver<Terminate> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    /// Time after which the process ends even if the event loop does not, for example because a write never returns.
    const EXIT_TIMEOUT: Duration = Duration::from_millis(400);

    // The handler sets a flag that no code reads, so that the signal has no effect.
    if let Err(error) = flag::register(SIGINT, Arc::new(AtomicBool::new(false))) {
        super::standard_error::print_error(&format!("SIGINT is not ignored: {error}"));
    }
    let (sender, receiver) = crossbeam_channel::unbounded();
    let watcher = Signals::new([SIGTERM]).and_then(|mut signals| {
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                if signals.forever().next().is_some() && sender.send(Terminate).is_ok() {
                    thread::sleep(EXIT_TIMEOUT);
                }
                std::process::exit(0);
            })
    });
    match watcher {
        Ok(_) => receiver,
        Err(error) => {
            super::standard_error::print_error(&format!("SIGTERM is not watched: {error}"));
            crossbeam_channel::never()
        }
    }
}

/// Returns a receiver without events: there are no such signals on this system.
#[cfg(not(unix))]
pub fn watch() -> Receiver<Terminate> {
    crossbeam_channel::never()
}
