//! The two passes of the conversion: games to buckets, and buckets to sample files.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::buckets::{Buckets, Duplicates, Record, buffered, limit_and_shuffle, random_numbers};
use super::of_game;
use super::work_folder::WorkFolder;
use crate::LabError;
use crate::digits::grouped;
use crate::game_file::GameRecord;
use crate::game_input::try_read_games;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::sample_file::{CompleteSamples, SampleKind, SampleReader, SampleWriter, Share};

/// Bytes of a bucket to which the number of buckets is adapted.
pub(super) const BUCKET_BYTES: u64 = 1 << 26;

/// Largest number of buckets, besides one for rounding: their files are open at once, and systems limit that number.
pub(super) const MAX_BUCKETS: u64 = 200;

/// Bytes of the records that are in memory in the second pass, unless a single bucket is larger.
const MEMORY: u64 = 1 << 29;

/// Games passed to a thread at once.
const BATCH: usize = 64;

/// Bytes of a game file besides its moves, for each game; and for each move.
const GAME_BYTES: (u64, u64) = (60, 4);

const MEGABYTE: u64 = 1_000_000;

/// Settings of a conversion.
pub(super) struct Settings {
    pub validation_share: Share,
    pub max_occurrences: u32,
    pub seed: u64,
    pub threads: usize,
}

/// Files that are written.
pub(super) struct Output<'a> {
    pub training: &'a Path,
    pub validation: &'a Path,
}

/// Numbers of the samples, for the user.
#[derive(Default)]
pub(super) struct Summary {
    games: u64,
    positions: u64,
    files: Vec<(PathBuf, SampleKind, u64, Duplicates)>,
}

impl Summary {
    /// Returns `true` if there is a file of this kind.
    fn has(&self, kind: SampleKind) -> bool {
        self.files.iter().any(|(_, other, ..)| *other == kind)
    }
}

/// Buckets of both kinds.
struct Kinds {
    training: Buckets,
    validation: Buckets,
}

impl Kinds {
    /// Returns the number of buckets.
    fn count(&self) -> usize {
        self.training.count() + self.validation.count()
    }
}

/// Games of a file that a thread converts.
struct Batch {
    path: PathBuf,
    /// Number of the first game in the order of the file, from 1.
    first: usize,
    games: Vec<GameRecord>,
}

/// Writes training and validation samples of all files.
///
/// # Errors
/// If a file cannot be read or written, a game is illegal, there are no samples for training (or, with [`Share::ALL`],
/// for validation), or the work is interrupted. No new file remains then.
pub(super) fn run(
    files: &[PathBuf],
    settings: &Settings,
    output: &Output,
    interrupt: &Interrupt,
) -> Result<Summary, LabError> {
    let unwritable = |error| LabError::unwritable(output.training, error);
    let folder = WorkFolder::create(output.training).map_err(unwritable)?;
    let bytes: u64 = files.iter().map(|file| length(file)).sum();
    // A sample takes about seven times as many bytes as its move in the game file, and two thirds of all positions are
    // samples.
    let [training, validation] = bucket_counts(bytes * 5, settings.validation_share);
    let kinds = Kinds {
        training: Buckets::create(&folder, "training", training)?,
        validation: Buckets::create(&folder, "validation", validation)?,
    };
    let cancelled = || LabError::Cancelled(output.training.to_owned());
    let stop = || LabError::if_interrupted(interrupt, output.training);
    let mut summary = distribute(files, bytes, settings, &kinds, stop, cancelled)?;
    let parts = [
        (SampleKind::Validation, &kinds.validation, output.validation),
        (SampleKind::Training, &kinds.training, output.training),
    ];
    let mut progress = Progress::new(0, kinds.count() as u64);
    let mut complete = Vec::new();
    for (kind, buckets, path) in parts {
        let (file, duplicates) =
            write(buckets, kind, path, settings, &folder, &mut progress, stop)?;
        let Some(file) = file else {
            // One of an earlier run must not lie beside the new training file.
            must_not_exist(path)?;
            continue;
        };
        let count = file.header().records;
        let numbers = (path.to_owned(), kind, count, duplicates);
        summary.files.push(numbers);
        complete.push((file, path));
    }
    progress.finish();
    check_kinds(&summary, settings.validation_share, output)?;
    give_names(complete)?;
    Ok(summary)
}

/// Returns an error if there are no samples of the kind that is wanted: for training, or with [`Share::ALL`] for
/// validation.
fn check_kinds(summary: &Summary, share: Share, output: &Output) -> Result<(), LabError> {
    let (kind, path) = match share {
        Share::ALL => (SampleKind::Validation, output.validation),
        _ => (SampleKind::Training, output.training),
    };
    if summary.has(kind) {
        return Ok(());
    }
    let path = path.to_owned();
    Err(match summary.has(SampleKind::Validation) {
        true => LabError::NoTrainingSamples(path),
        false => LabError::NoSamples(path),
    })
}

/// Returns the numbers of buckets for training and validation, given the bytes of all samples: in proportion to the
/// samples of each kind, because a whole bucket is in memory at once. They do not depend on the number of threads,
/// because the order of the samples depends on them.
pub(super) fn bucket_counts(bytes: u64, validation_share: Share) -> [usize; 2] {
    let count = bytes.div_ceil(BUCKET_BYTES).min(MAX_BUCKETS);
    [validation_share.rest(), validation_share].map(|share| share.of(count).max(1) as usize)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// Gives the files their names, the validation file first: a training file always has its validation file beside it.
///
/// A run that was killed between the two names has left the validation file. The same one is kept.
///
/// # Errors
/// If a name is taken by another file or cannot be given. No new file remains then.
fn give_names(files: Vec<(CompleteSamples, &Path)>) -> Result<(), LabError> {
    let mut named = Vec::new();
    for (file, path) in files {
        if is_same(&file, path) {
            continue;
        }
        if let Err(error) = file.rename(path) {
            for path in named {
                let _ = fs::remove_file(path);
            }
            return Err(LabError::unwritable(path, error));
        }
        named.push(path);
    }
    Ok(())
}

/// Returns an error if a file exists.
pub(super) fn must_not_exist(path: &Path) -> Result<(), LabError> {
    match path.exists() {
        true => Err(LabError::unwritable(path, ErrorKind::AlreadyExists.into())),
        false => Ok(()),
    }
}

/// Returns `true` if there is a sample file with the same contents: the header states a checksum of all records.
fn is_same(file: &CompleteSamples, path: &Path) -> bool {
    SampleReader::open(path).is_ok_and(|other| other.header() == file.header())
}

/// First pass: distributes the samples of all games to the buckets.
fn distribute(
    files: &[PathBuf],
    bytes: u64,
    settings: &Settings,
    kinds: &Kinds,
    stop: impl Fn() -> Result<(), LabError>,
    cancelled: impl Fn() -> LabError,
) -> Result<Summary, LabError> {
    let (sender, receiver) = bounded(2 * settings.threads);
    let failed = AtomicBool::new(false);
    let buffered = buffered(settings.threads, kinds.count());
    thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.threads)
            .map(|_| {
                let batches = receiver.clone();
                let failed = &failed;
                scope.spawn(move || {
                    let share = settings.validation_share;
                    let converted = convert_games(batches, share, kinds, buffered);
                    if converted.is_err() {
                        failed.store(true, Ordering::Relaxed);
                    }
                    converted
                })
            })
            .collect();
        drop(receiver);
        let read = read_games(files, bytes, sender, || {
            match failed.load(Ordering::Relaxed) {
                true => Err(cancelled()),
                false => stop(),
            }
        });
        let mut summary = Summary::default();
        for thread in threads {
            let converted = thread.join();
            // The error of a thread is the reason why reading was cancelled.
            summary.positions += converted.unwrap_or_else(|panic| resume_unwind(panic))?;
        }
        summary.games = read?;
        Ok(summary)
    })
}

/// Reads all games, passes them to the threads and returns their number. Calls `stop` from time to time and ends with
/// its error.
fn read_games(
    files: &[PathBuf],
    bytes: u64,
    sender: Sender<Batch>,
    stop: impl Fn() -> Result<(), LabError>,
) -> Result<u64, LabError> {
    let mut progress = Progress::new(0, bytes.div_ceil(MEGABYTE));
    let (mut count, mut read, mut shown) = (0, 0, 0);
    for path in files {
        let mut batch = Batch::new(path, 1);
        let reading = try_read_games(path, |number, game| {
            count += 1;
            read += GAME_BYTES.0 + GAME_BYTES.1 * game.moves.len() as u64;
            while shown < read / MEGABYTE {
                shown += 1;
                progress.step(|| "MB of games read".to_owned());
            }
            batch.games.push(game);
            if batch.games.len() == BATCH {
                stop()?;
                let full = std::mem::replace(&mut batch, Batch::new(path, number + 1));
                // If all threads have failed, the next call of `stop` returns an error.
                let _ = sender.send(full);
            }
            Ok(())
        })?;
        reading.report(path);
        stop()?;
        let _ = sender.send(batch);
    }
    progress.finish();
    Ok(count)
}

impl Batch {
    fn new(path: &Path, first: usize) -> Batch {
        Batch {
            path: path.to_owned(),
            first,
            games: Vec::with_capacity(BATCH),
        }
    }
}

/// Converts games until there are no more, and returns the number of their positions.
fn convert_games(
    batches: Receiver<Batch>,
    validation_share: Share,
    kinds: &Kinds,
    buffered: usize,
) -> Result<u64, LabError> {
    let mut training = kinds.training.writer(buffered);
    let mut validation = kinds.validation.writer(buffered);
    let mut positions = 0;
    for batch in batches {
        for (number, game) in (batch.first..).zip(&batch.games) {
            let samples = of_game(game).map_err(|reason| LabError::BadGame {
                path: batch.path.clone(),
                number,
                reason,
            })?;
            positions += game.moves.len() as u64;
            let writer = match validation_share.contains(game.identity()) {
                true => &mut validation,
                false => &mut training,
            };
            for sample in samples {
                writer.add(sample.to_bytes())?;
            }
        }
    }
    training.finish()?;
    validation.finish()?;
    Ok(positions)
}

/// Second pass: shuffles the buckets of one kind and writes them to a file in the folder. Without any sample there is
/// no file.
fn write(
    buckets: &Buckets,
    kind: SampleKind,
    path: &Path,
    settings: &Settings,
    folder: &WorkFolder,
    progress: &mut Progress,
    stop: impl Fn() -> Result<(), LabError>,
) -> Result<(Option<CompleteSamples>, Duplicates), LabError> {
    let unwritable = |error| LabError::unwritable(path, error);
    let mut writer = SampleWriter::create(
        &folder.file(kind.name()),
        kind,
        settings.validation_share,
        settings.max_occurrences,
    )
    .map_err(unwritable)?;
    let mut duplicates = Duplicates::default();
    let at_once = (MEMORY / buckets.longest().max(1)).clamp(1, settings.threads as u64);
    let numbers: Vec<usize> = (0..buckets.count()).collect();
    for group in numbers.chunks(at_once as usize) {
        for part in shuffled(buckets, group, settings)? {
            let (records, found) = part?;
            stop()?;
            writer.write(&records).map_err(unwritable)?;
            duplicates.repeated += found.repeated;
            duplicates.omitted += found.omitted;
            progress.step(|| "parts shuffled".to_owned());
        }
    }
    let file = match writer.records() {
        0 => None,
        _ => Some(writer.complete().map_err(unwritable)?),
    };
    Ok((file, duplicates))
}

/// Records of a bucket, shuffled.
type Shuffled = Result<(Vec<Record>, Duplicates), LabError>;

/// Shuffles several buckets at once.
fn shuffled(
    buckets: &Buckets,
    numbers: &[usize],
    settings: &Settings,
) -> Result<Vec<Shuffled>, LabError> {
    let shuffle = |number: usize| {
        let mut records = buckets.take(number)?;
        let mut random = random_numbers(settings.seed, number);
        let duplicates = limit_and_shuffle(&mut records, settings.max_occurrences, &mut random);
        Ok((records, duplicates))
    };
    thread::scope(|scope| {
        let spawn = |&number| scope.spawn(move || shuffle(number));
        let threads: Vec<_> = numbers.iter().map(spawn).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        Ok(joined
            .map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect())
    })
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, positions) = (grouped(self.games), grouped(self.positions));
        writeln!(f, "{games} games, {positions} positions")?;
        for (path, kind, count, duplicates) in &self.files {
            let Duplicates { repeated, omitted } = *duplicates;
            let all = count + omitted;
            writeln!(
                f,
                "{}: {} samples for {}; {} of {} repeat a position ({:.2} %), {} omitted",
                path.display(),
                grouped(*count),
                kind.name(),
                grouped(repeated),
                grouped(all),
                100.0 * repeated as f64 / all as f64,
                grouped(omitted)
            )?;
        }
        match self.has(SampleKind::Validation) {
            true => Ok(()),
            false => writeln!(f, "no games for validation"),
        }
    }
}
