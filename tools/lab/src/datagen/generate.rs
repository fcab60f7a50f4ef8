//! Generation of the games that a file lacks, by several threads, in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Add, ControlFlow};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use crate::LabError;
use crate::digits::grouped;
use crate::game_file::{Contents, DataError, GameRecord, GameWriter};
use crate::interrupt::Interrupt;
use crate::warning::warn;

use super::game_settings::GameSettings;
use super::play::Player;

/// Games per thread that may be started before the first unfinished one is written. It bounds the memory of games that
/// wait for an earlier one.
const GAMES_AHEAD: usize = 16;

/// Time after which the size of the file is reported although no game has been finished.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(1);

/// Time after which a waiting thread asks again whether to start a game or to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Size of a game file or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Number of games.
    pub games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

impl Add for Totals {
    type Output = Totals;

    fn add(self, other: Totals) -> Totals {
        Totals {
            games: self.games + other.games,
            positions: self.positions + other.positions,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [games, positions] = [self.games, self.positions].map(grouped);
        let megabytes = grouped(self.bytes.div_ceil(1_000_000));
        write!(f, "{games} games, {positions} positions, {megabytes} MB")
    }
}

/// A locked file of a run that lacks games.
pub(crate) struct Generator<'a> {
    settings: &'a GameSettings,
    seed: u64,
    writer: GameWriter,
    games: u32,
    /// Numbers of the games that the file has.
    present: BTreeSet<u32>,
    totals: Totals,
}

/// Number and record of a finished game, with its index among the games that were lacking.
type Finished = (usize, u32, GameRecord);

impl<'a> Generator<'a> {
    /// Creates the file of the run with this seed, or continues it until it has the games with the numbers below
    /// `games`. Reports an incomplete game that was removed from its end to standard error.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged or belongs to another run.
    pub fn open(
        settings: &'a GameSettings,
        seed: u64,
        path: &Path,
        games: u32,
    ) -> Result<Generator<'a>, LabError> {
        let (writer, contents) = GameWriter::resume(path, &settings.header(seed))
            .map_err(|error| LabError::Data(path.to_owned(), error))?;
        let Contents {
            numbers,
            positions,
            removed,
        } = contents;
        if let Some(region) = removed {
            warn(format_args!(
                "{}: removed an incomplete part at {region}",
                path.display()
            ));
        }
        Ok(Generator {
            settings,
            seed,
            games,
            totals: Totals {
                games: numbers.len() as u64,
                positions,
                bytes: writer.length(),
            },
            present: numbers.into_iter().collect(),
            writer,
        })
    }

    /// Returns the current size of the file.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Plays the missing games with `threads` threads, and calls `observe` with the size of the file after each game
    /// and at least once per second. Threads wait before a new game while fewer than all of them are `allowed`.
    /// Ends early if that returns `Break` or `interrupt` is set; games that are unfinished then, or wait for an
    /// unfinished one, are discarded.
    ///
    /// # Errors
    /// If a game cannot be written.
    pub fn run(
        mut self,
        threads: usize,
        allowed: &AtomicUsize,
        interrupt: &Interrupt,
        mut observe: impl FnMut(Totals) -> ControlFlow<()>,
    ) -> Result<Totals, DataError> {
        let present = std::mem::take(&mut self.present);
        let total = self.games as usize - present.range(..self.games).count();
        let missing = (0..self.games).filter(move |number| !present.contains(number));
        let missing = Mutex::new(missing.enumerate());
        let stop = Interrupt::default();
        thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::unbounded();
            let (permit, permits) = crossbeam_channel::unbounded();
            for index in 0..threads {
                let (sender, permits, missing) = (sender.clone(), permits.clone(), &missing);
                let player = Player::new(self.settings, self.seed);
                let should_stop = || interrupt.is_set() || stop.is_set();
                let may_start = move || index < allowed.load(Ordering::Relaxed);
                scope.spawn(move || {
                    play_games(player, missing, &permits, may_start, should_stop, &sender);
                });
                for _ in 0..GAMES_AHEAD {
                    let _ = permit.send(());
                }
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut written = 0;
            while written < total {
                match receiver.recv_timeout(OBSERVE_INTERVAL) {
                    Ok((index, number, game)) => waiting.insert(index, (number, game)),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        let _ = observe(self.totals);
                        continue;
                    }
                };
                while let Some((number, game)) = waiting.remove(&written) {
                    if let Err(error) = self.writer.write(number, &game) {
                        stop.set();
                        return Err(error);
                    }
                    written += 1;
                    let _ = permit.send(());
                    self.totals.games += 1;
                    self.totals.positions += game.moves.len() as u64;
                    self.totals.bytes = self.writer.length();
                    if observe(self.totals).is_break() {
                        stop.set();
                        return Ok(self.totals);
                    }
                }
            }
            // Threads may still wait until they are allowed to start a game.
            stop.set();
            Ok(self.totals)
        })
    }
}

/// Plays missing games until there are no more: one per permit, and only while `may_start` returns `true`.
fn play_games(
    mut player: Player,
    missing: &Mutex<impl Iterator<Item = (usize, u32)>>,
    permits: &Receiver<()>,
    may_start: impl Fn() -> bool,
    should_stop: impl Fn() -> bool,
    finished: &Sender<Finished>,
) {
    loop {
        // Between games, so that no unfinished game makes the other threads wait.
        while !may_start() && !should_stop() {
            thread::sleep(STOP_INTERVAL);
        }
        match permits.recv_timeout(STOP_INTERVAL) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) if !should_stop() => continue,
            Err(_) => return,
        }
        let next = missing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next();
        let Some((index, number)) = next else {
            return;
        };
        let Some(game) = player.play(number, &should_stop) else {
            return;
        };
        if finished.send((index, number, game)).is_err() {
            return;
        }
    }
}
