//! The stop and pause signal of the workers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Identifier of a run of the workers. A search that restarts with other settings gets a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunId(pub u64);

/// Stops and pauses runs.
///
/// A stop names the last run that it ends, and this identifier only grows. A stop can therefore neither be lost nor end
/// a later run.
#[derive(Debug, Default)]
pub(super) struct StopGate {
    /// Identifier of the last stopped run.
    stopped_through: AtomicU64,
    paused: AtomicBool,
    /// Notified when a paused worker may have to continue.
    changed: Condvar,
    /// Held while `paused` changes or `changed` is notified, so that no worker misses the notification.
    lock: Mutex<()>,
}

impl StopGate {
    /// Stops a run and all earlier ones.
    pub fn stop_through(&self, run: RunId) {
        self.stopped_through.fetch_max(run.0, Ordering::Release);
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    /// Returns `true` if the run has been stopped.
    #[inline]
    pub fn is_stopped(&self, run: RunId) -> bool {
        self.stopped_through.load(Ordering::Relaxed) >= run.0
    }

    /// Pauses the workers or lets them continue.
    pub fn set_paused(&self, paused: bool) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.paused.store(paused, Ordering::Release);
        self.changed.notify_all();
    }

    /// Blocks while the workers are paused, until the run is stopped.
    #[inline]
    pub fn wait_while_paused(&self, run: RunId) {
        if self.paused.load(Ordering::Relaxed) {
            self.sleep_while_paused(run);
        }
    }

    #[cold]
    fn sleep_while_paused(&self, run: RunId) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.paused.load(Ordering::Acquire) && !self.is_stopped(run) {
            guard = self
                .changed
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
    fn a_paused_run_can_be_stopped() {
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
