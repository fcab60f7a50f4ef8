//! Signals that end the program: SIGTERM and SIGINT, on Windows Ctrl-C.

use std::io;

use crossbeam_channel::Sender;

use super::event::Event;

/// Reports each signal as an event.
///
/// # Errors
///
/// Returns an error if the system refuses the handler.
#[cfg(unix)]
pub(super) fn watch(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT])?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for _ in signals.forever() {
                if events.send(Event::Signal).is_err() {
                    return;
                }
            }
        })?;
    Ok(())
}

/// Reports each signal as an event.
///
/// # Errors
///
/// Returns an error if the system refuses the handler.
#[cfg(windows)]
pub(super) fn watch(events: Sender<Event>) -> io::Result<()> {
    // Without a receiver the program is about to end.
    ctrlc::set_handler(move || drop(events.send(Event::Signal))).map_err(io::Error::other)
}
