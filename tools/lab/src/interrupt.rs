//! Ctrl-C and SIGTERM as a wish to end well.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody wants the work to end; the second Ctrl-C ends the process at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where there are no such signals, nobody will ever ask.
    ///
    /// # Errors
    /// If signals cannot be watched.
    pub(super) fn watch() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // In this order: the first signal finds the flag unset and sets it.
            signal_hook::flag::register_conditional_shutdown(
                signal,
                130,
                Arc::clone(&interrupt.0),
            )?;
            signal_hook::flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        Ok(interrupt)
    }

    /// Whether it is time to end.
    pub(super) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the work for another reason.
    pub(super) fn want(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
