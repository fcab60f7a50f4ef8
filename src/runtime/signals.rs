//! Signals, where there are any: SIGINT is ignored, because GUIs send it to wake up engines that do not listen;
//! SIGTERM means quit.

use crossbeam_channel::Receiver;

/// A request to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminate;

/// Tells of each request to leave. If signals cannot be watched, they keep their usual meaning.
#[cfg(unix)]
pub fn watch() -> Receiver<Terminate> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    /// After this the process ends even if nobody has listened, perhaps because a write never returns.
    const PATIENCE: Duration = Duration::from_millis(400);

    // A handler that does nothing visible: the signal is taken and forgotten.
    if let Err(error) = flag::register(SIGINT, Arc::new(AtomicBool::new(false))) {
        super::complain(&format!("SIGINT is not ignored: {error}"));
    }
    let (sender, receiver) = crossbeam_channel::unbounded();
    let watcher = Signals::new([SIGTERM]).and_then(|mut signals| {
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                if signals.forever().next().is_some() && sender.send(Terminate).is_ok() {
                    thread::sleep(PATIENCE);
                }
                std::process::exit(0);
            })
    });
    match watcher {
        Ok(_) => receiver,
        Err(error) => {
            super::complain(&format!("SIGTERM is not watched: {error}"));
            crossbeam_channel::never()
        }
    }
}

/// There are no such signals here.
#[cfg(not(unix))]
pub fn watch() -> Receiver<Terminate> {
    crossbeam_channel::never()
}
