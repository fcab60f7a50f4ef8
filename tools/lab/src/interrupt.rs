//! Ctrl-C and SIGTERM as a request to end in an orderly way.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to end the work. A second Ctrl-C ends the process at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Returns an interrupt that Ctrl-C and SIGTERM set. On systems without these signals nothing sets it.
    ///
    /// # Errors
    /// If signals cannot be watched.
    pub(crate) fn watch() -> io::Result<Interrupt> {
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

    /// Returns `true` if the work must end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Requests the end of the work.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
