//! Ctrl-C and SIGTERM as a request to end, so that no incomplete file is left.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to end the work.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Returns an interrupt that Ctrl-C and SIGTERM set; a second signal ends the process at once. A file that becomes
    /// too large for the limit of the process is an ordinary error from now on. On Windows, nothing sets the interrupt.
    ///
    /// # Errors
    /// Returns an error if signals cannot be watched.
    pub(super) fn watch() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
            use signal_hook::flag::{register, register_conditional_shutdown};

            for signal in [SIGINT, SIGTERM] {
                // In this order: the first signal finds the flag unset and sets it.
                register_conditional_shutdown(signal, 130, Arc::clone(&interrupt.0))?;
                register(signal, Arc::clone(&interrupt.0))?;
            }
            // No code reads this flag.
            register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        }
        Ok(interrupt)
    }

    /// Returns `true` if the work must end.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
