//! Signals that end the program: SIGTERM, SIGINT and SIGHUP, on Windows Ctrl-C.

#[cfg(unix)]
use std::ffi::c_int;
use std::io;

use crossbeam_channel::Sender;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::event::Event;

/// Reports each signal as an event.
///
/// # Errors
///
/// Returns an error if the system refuses the handler.
#[cfg(unix)]
pub(super) fn watch(events: Sender<Event>) -> io::Result<()> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut signals = signal_hook::iterator::Signals::new(watched(&status))?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            let mut is_first = true;
            for signal in signals.forever() {
                if !counts(signal, is_first) {
                    continue;
                }
                is_first = false;
                if events.send(Event::Signal).is_err() {
                    return;
                }
            }
        })?;
    Ok(())
}

/// Returns the signals to watch. `status` is the content of `/proc/self/status`. A program that `nohup` has started
/// ignores SIGHUP and must continue to do so; without `/proc`, this cannot be known.
#[cfg(unix)]
fn watched(status: &str) -> Vec<c_int> {
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let hangs_up = ignored.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) == 0);
    let mut signals = vec![SIGTERM, SIGINT];
    signals.extend(hangs_up.then_some(SIGHUP));
    signals
}

/// Returns `true` if the signal is reported. A terminal that is closed can send SIGHUP more than once, and a second
/// signal would end the program at once.
#[cfg(unix)]
fn counts(signal: c_int, is_first: bool) -> bool {
    is_first || signal != SIGHUP
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_closed_terminal_is_noticed_unless_its_signal_is_ignored() {
        let with_mask = |mask: &str| format!("Name:\tgaur-ics\nSigIgn:\t{mask}\nSigCgt:\t0\n");
        for (status, hangs_up) in [
            (with_mask("0000000000001000"), true),
            (with_mask("0000000000001001"), false),
            (String::new(), false),
        ] {
            let signals = watched(&status);
            assert_eq!(signals.contains(&SIGHUP), hangs_up, "{status}");
            assert!(signals.contains(&SIGTERM) && signals.contains(&SIGINT));
        }
    }

    #[test]
    fn a_closed_terminal_is_no_second_signal() {
        assert!(counts(SIGHUP, true));
        assert!(!counts(SIGHUP, false));
        assert!(counts(SIGTERM, false));
    }
}
