//! How a search is told to end, to wait, and to go on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The number of one run of the workers. A search that is restarted with other settings gets a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunId(pub u64);

/// Ends runs by number. The number only grows, so that a stop can neither be lost nor hit a later run.
#[derive(Debug, Default)]
pub(super) struct StopGate {
    stopped_through: AtomicU64,
    frozen: AtomicBool,
    thaw: Condvar,
    lock: Mutex<()>,
}

impl StopGate {
    /// Ends the run and all before it.
    pub fn stop_through(&self, run: RunId) {
        self.stopped_through.fetch_max(run.0, Ordering::Release);
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.thaw.notify_all();
    }

    /// Whether the run is to end.
    #[inline]
    pub fn is_stopped(&self, run: RunId) -> bool {
        self.stopped_through.load(Ordering::Relaxed) >= run.0
    }

    /// Makes workers wait, or lets them go on.
    pub fn set_paused(&self, frozen: bool) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.frozen.store(frozen, Ordering::Release);
        self.thaw.notify_all();
    }

    /// Sleeps while frozen, unless the run is stopped.
    #[inline]
    pub fn wait_while_paused(&self, run: RunId) {
        if self.frozen.load(Ordering::Relaxed) {
            self.sleep_while_paused(run);
        }
    }

    #[cold]
    fn sleep_while_paused(&self, run: RunId) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.frozen.load(Ordering::Acquire) && !self.is_stopped(run) {
            guard = self
                .thaw
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn a_stop_ends_earlier_runs_and_spares_later_ones() {
        let gate = StopGate::default();
        gate.stop_through(RunId(5));
        gate.stop_through(RunId(3));
        assert!(
            gate.is_stopped(RunId(4)) && gate.is_stopped(RunId(5)) && !gate.is_stopped(RunId(6))
        );
    }

    #[test]
    fn a_frozen_run_can_be_stopped() {
        let gate = Arc::new(StopGate::default());
        gate.set_paused(true);
        let sleeper = {
            let gate = Arc::clone(&gate);
            std::thread::spawn(move || gate.wait_while_paused(RunId(1)))
        };
        std::thread::sleep(Duration::from_millis(20));
        assert!(!sleeper.is_finished());
        gate.stop_through(RunId(1));
        assert!(sleeper.join().is_ok());
    }
}
