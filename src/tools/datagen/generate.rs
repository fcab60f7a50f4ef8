//! Generation of the games that a file lacks, by several threads, in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use crate::data::{Contents, DataError, GameRecord, GameWriter};
use crate::tools::ToolError;
use crate::tools::interrupt::Interrupt;

use super::play::Player;
use super::settings::GameSettings;

/// Size of a game file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tools) struct FileSize {
    /// Number of games.
    pub games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// A file of a run, locked, and the numbers of the games that it lacks.
pub(in crate::tools) struct Generator<'a> {
    settings: &'a GameSettings,
    seed: u64,
    writer: GameWriter,
    missing: Vec<u32>,
    size: FileSize,
}

impl<'a> Generator<'a> {
    /// Creates the file of the run with this seed, or continues it until it has `games` games. Reports an incomplete
    /// game that was removed from its end to standard error.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged or belongs to another run.
    pub fn open(
        settings: &'a GameSettings,
        seed: u64,
        path: &Path,
        games: u32,
    ) -> Result<Generator<'a>, ToolError> {
        let (writer, contents) = GameWriter::resume(path, &settings.header(seed))
            .map_err(|error| ToolError::Data(path.to_owned(), error))?;
        let Contents {
            numbers,
            positions,
            removed,
        } = contents;
        if let Some(region) = removed {
            eprintln!(
                "gaur: {}: removed an incomplete game at {region}",
                path.display()
            );
        }
        let size = FileSize {
            games: numbers.len() as u64,
            positions,
            bytes: writer.length(),
        };
        let present: BTreeSet<u32> = numbers.into_iter().collect();
        let missing = (0..games).filter(|number| !present.contains(number));
        Ok(Generator {
            settings,
            seed,
            missing: missing.collect(),
            writer,
            size,
        })
    }

    /// Returns the present size of the file.
    pub fn size(&self) -> FileSize {
        self.size
    }

    /// Plays the missing games with so many threads, and calls `observe` with the size of the file after each game.
    /// Ends early if that returns `Break` or `interrupt` is set.
    ///
    /// # Errors
    /// If a game cannot be written.
    pub fn run(
        mut self,
        threads: u64,
        interrupt: &Interrupt,
        mut observe: impl FnMut(FileSize) -> ControlFlow<()>,
    ) -> Result<FileSize, DataError> {
        let missing = std::mem::take(&mut self.missing);
        let next = AtomicUsize::new(0);
        let stop = Interrupt::default();
        thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::unbounded();
            for _ in 0..threads {
                let (sender, missing, next) = (sender.clone(), &missing, &next);
                let player = Player::new(self.settings, self.seed);
                let should_stop = || interrupt.is_wanted() || stop.is_wanted();
                scope.spawn(move || play_games(player, missing, next, should_stop, &sender));
            }
            drop(sender);
            let mut finished_early = BTreeMap::new();
            let mut written = 0;
            for (index, game) in receiver {
                finished_early.insert(index, game);
                while let Some(game) = finished_early.remove(&written) {
                    if let Err(error) = self.writer.write(missing[written], &game) {
                        stop.want();
                        return Err(error);
                    }
                    written += 1;
                    self.size.games += 1;
                    self.size.positions += game.moves.len() as u64;
                    self.size.bytes = self.writer.length();
                    if observe(self.size).is_break() {
                        stop.want();
                        return Ok(self.size);
                    }
                }
            }
            Ok(self.size)
        })
    }
}

/// Plays games by their indices in `missing` until there are no more.
fn play_games(
    mut player: Player,
    missing: &[u32],
    next: &AtomicUsize,
    should_stop: impl Fn() -> bool,
    finished: &Sender<(usize, GameRecord)>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(&number) = missing.get(index) else {
            return;
        };
        let Some(game) = player.play(number, &should_stop) else {
            return;
        };
        if finished.send((index, game)).is_err() {
            return;
        }
    }
}
