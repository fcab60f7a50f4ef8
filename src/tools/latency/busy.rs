//! Busy threads beside a measurement.

use std::hint;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Threads that compute until they are dropped.
///
/// For the scheduler they are the same as busy processes in the session of the engine. As threads they cannot outlive
/// the program, even if it is killed.
#[derive(Debug, Default)]
pub struct BusyThreads {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyThreads {
    /// Starts `count` threads.
    ///
    /// # Errors
    /// If the system cannot start so many threads; those already started end.
    pub fn start(count: u32) -> io::Result<BusyThreads> {
        let mut busy = BusyThreads::default();
        for number in 1..=count {
            let stop = Arc::clone(&busy.stop);
            let thread = thread::Builder::new()
                .name(format!("busy {number}"))
                .spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        hint::spin_loop();
                    }
                })?;
            busy.threads.push(thread);
        }
        Ok(busy)
    }
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // The threads do not panic.
            thread.join().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_run_until_they_are_dropped() -> io::Result<()> {
        let busy = BusyThreads::start(2)?;
        let stop = Arc::clone(&busy.stop);
        assert_eq!(busy.threads.len(), 2);
        assert!(busy.threads.iter().all(|thread| !thread.is_finished()));
        // One reference here, one in `busy`, one in each thread.
        assert_eq!(Arc::strong_count(&stop), 4);
        drop(busy);
        assert_eq!(Arc::strong_count(&stop), 1);
        Ok(())
    }
}
