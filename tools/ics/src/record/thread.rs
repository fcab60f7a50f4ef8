//! The thread that writes the archive. Only this thread waits for a slow disk, or for another program that has locked
//! the file.
//!
//! Games wait in memory. None is dropped, except for the oldest ones if more than 1000 could not be written.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::{Archive, ArchiveError, GameRecord};

/// Time between two attempts to write games that could not be written.
const RETRY: Duration = Duration::from_secs(60);

/// The thread with the archive.
#[derive(Debug)]
pub struct ArchiveThread {
    games: Sender<GameRecord>,
    /// Number of games that are not written at the end.
    done: Receiver<usize>,
}

impl ArchiveThread {
    /// Starts the thread. It passes the errors of the archive to `report`.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if there is no thread.
    pub fn start(
        archive: Archive,
        report: impl Fn(&ArchiveError) + Send + 'static,
    ) -> io::Result<ArchiveThread> {
        ArchiveThread::start_with(archive, RETRY, report)
    }

    pub(super) fn start_with(
        mut archive: Archive,
        retry: Duration,
        report: impl Fn(&ArchiveError) + Send + 'static,
    ) -> io::Result<ArchiveThread> {
        let (games, received) = unbounded();
        let (sender, done) = bounded(1);
        thread::Builder::new()
            .name("archive".into())
            .spawn(move || {
                write(&mut archive, &received, retry, report);
                // Without a receiver, the time for the end is over.
                let _ = sender.send(archive.waiting());
            })?;
        Ok(ArchiveThread { games, done })
    }

    /// Appends a game, without waiting.
    pub fn append(&self, game: GameRecord) {
        // The thread runs until this value is gone.
        let _ = self.games.send(game);
    }

    /// Ends the thread after the games so far. Returns the number of games that cannot be written, or `None` if this
    /// takes longer than `wait`.
    pub fn finish(self, wait: Duration) -> Option<usize> {
        drop(self.games);
        self.done.recv_timeout(wait).ok()
    }
}

fn write(
    archive: &mut Archive,
    games: &Receiver<GameRecord>,
    retry: Duration,
    report: impl Fn(&ArchiveError),
) {
    loop {
        let (result, is_over) = match games.recv_timeout(retry) {
            Ok(game) => (archive.append(&game), false),
            Err(RecvTimeoutError::Timeout) => (archive.flush(), false),
            Err(RecvTimeoutError::Disconnected) => (archive.flush(), true),
        };
        if let Err(error) = result {
            report(&error);
        }
        if is_over {
            return;
        }
    }
}

#[cfg(test)]
#[path = "thread_tests.rs"]
mod tests;
