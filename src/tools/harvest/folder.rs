//! Folder of game files: what it contains, and which file is next.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::ops::{Add, Sub};
use std::path::{Path, PathBuf};

use crate::data::{DataError, GameReader, NodeLimit};
use crate::tools::ToolError;
use crate::tools::data::grouped;
use crate::tools::datagen::{FileSize, GameSettings};
use crate::tools::games::{EXTENSION, game_files, read_games};
use crate::tools::interrupt::Interrupt;
use crate::tools::progress::Progress;

/// File that a process locks while it generates games into the folder.
const LOCK: &str = "harvest.lock";

/// Sums over all game files of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// Number of games.
    pub games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

impl Add<FileSize> for Totals {
    type Output = Totals;

    fn add(self, size: FileSize) -> Totals {
        Totals {
            games: self.games + size.games,
            positions: self.positions + size.positions,
            bytes: self.bytes + size.bytes,
        }
    }
}

impl Sub<FileSize> for Totals {
    type Output = Totals;

    fn sub(self, size: FileSize) -> Totals {
        Totals {
            games: self.games.saturating_sub(size.games),
            positions: self.positions.saturating_sub(size.positions),
            bytes: self.bytes.saturating_sub(size.bytes),
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

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Seed of the run.
    pub seed: u64,
}

/// A file that is in the folder and can be read.
struct KnownFile {
    file: RunFile,
    /// Settings of the run; `None` if the header has none.
    run: Option<crate::data::Run>,
    size: FileSize,
    /// Set if the file is damaged: it is not continued then.
    is_damaged: bool,
}

/// A folder of game files, locked.
pub(super) struct Folder {
    path: PathBuf,
    files: Vec<KnownFile>,
    next_seed: u64,
    /// Holds the lock as long as it is open.
    _lock: File,
}

impl Folder {
    /// Opens or creates a folder, and reads the sizes of all files in it. Reports files that cannot be read, or are
    /// damaged, to standard error; they stay as they are.
    ///
    /// # Errors
    /// If the folder cannot be created or read, or another process has locked it.
    pub fn open(path: &Path, first_seed: u64, interrupt: &Interrupt) -> Result<Folder, ToolError> {
        fs::create_dir_all(path).map_err(|error| unwritable(path, error))?;
        let lock = lock(path)?;
        let mut folder = Folder {
            path: path.to_owned(),
            files: Vec::new(),
            next_seed: first_seed,
            _lock: lock,
        };
        let files = game_files(&[path.to_owned()])?;
        let mut progress = Progress::new(0, files.len() as u64);
        for file in files {
            if interrupt.is_wanted() {
                break;
            }
            if let Some(seed) = seed_in_name(&file) {
                folder.next_seed = folder.next_seed.max(seed.saturating_add(1));
            }
            match KnownFile::read(&file) {
                Ok(known) => folder.add(known),
                Err(error) => eprintln!("gaur: {error}; the file is left out"),
            }
            progress.step(|| "files read".to_owned());
        }
        progress.finish();
        Ok(folder)
    }

    fn add(&mut self, known: KnownFile) {
        if let Some(run) = &known.run {
            self.next_seed = self.next_seed.max(run.seed.saturating_add(1));
        }
        self.files.push(known);
    }

    /// Returns the sums over all files.
    pub fn totals(&self) -> Totals {
        let sizes = self.files.iter().map(|known| known.size);
        sizes.fold(Totals::default(), Totals::add)
    }

    /// Returns the file that is next, with its node limit: the incomplete file of these settings, or else a new one for
    /// the limit whose share of the games is missing most.
    pub fn next(&self, settings: &GameSettings, games_per_file: u32) -> (NodeLimit, RunFile) {
        let limits = || settings.limits.iter().filter(|limit| limit.permille > 0);
        let incomplete = limits().find_map(|limit| {
            let known = self
                .files_with(settings, *limit)
                .find(|known| !known.is_damaged && known.size.games < u64::from(games_per_file))?;
            Some((*limit, known.file.clone()))
        });
        if let Some(next) = incomplete {
            return next;
        }
        let played = |limit: &NodeLimit| {
            let files = self.files_with(settings, *limit);
            let games: u64 = files.map(|known| known.size.games).sum();
            games as f64 / f64::from(limit.permille)
        };
        let wanted = limits().min_by(|one, other| played(one).total_cmp(&played(other)));
        let limit = wanted.copied().unwrap_or(NodeLimit {
            nodes: 1,
            permille: 1000,
        });
        let name = file_name(settings, limit.nodes, self.next_seed);
        let file = RunFile {
            path: self.path.join(name),
            seed: self.next_seed,
        };
        (limit, file)
    }

    /// Returns the files whose games have these settings and this node limit.
    fn files_with(
        &self,
        settings: &GameSettings,
        limit: NodeLimit,
    ) -> impl Iterator<Item = &KnownFile> {
        let settings = single(settings, limit);
        self.files.iter().filter(move |known| {
            let run = known.run.as_ref();
            run.is_some_and(|run| Some(run) == settings.header(run.seed).run.as_ref())
        })
    }

    /// Notes the size that a file has now.
    pub fn update(&mut self, settings: &GameSettings, file: &RunFile, size: FileSize) {
        match self.files.iter_mut().find(|known| known.file == *file) {
            Some(known) => known.size = size,
            None => self.add(KnownFile {
                file: file.clone(),
                run: settings.header(file.seed).run,
                size,
                is_damaged: false,
            }),
        }
    }
}

/// Returns the settings with this node limit for all games. Every file has one limit, so that its name tells it.
pub(super) fn single(settings: &GameSettings, limit: NodeLimit) -> GameSettings {
    GameSettings {
        limits: vec![NodeLimit {
            permille: 1000,
            ..limit
        }],
        ..settings.clone()
    }
}

impl KnownFile {
    fn read(path: &Path) -> Result<KnownFile, ToolError> {
        let failed = |error: DataError| ToolError::Data(path.to_owned(), error);
        let header = GameReader::open(path).map_err(failed)?.header().clone();
        let mut positions = 0;
        let reading = read_games(path, |game| {
            positions += game.moves.len() as u64;
            Ok(())
        })?;
        for skipped in reading.skipped() {
            eprintln!("gaur: {}: {skipped}", path.display());
        }
        Ok(KnownFile {
            file: RunFile {
                path: path.to_owned(),
                seed: header.run.as_ref().map_or(0, |run| run.seed),
            },
            run: header.run,
            size: FileSize {
                games: reading.games as u64,
                positions,
                bytes: path.metadata().map_or(0, |metadata| metadata.len()),
            },
            is_damaged: !reading.damaged.is_empty(),
        })
    }
}

/// Returns the name of a file: network, node limit and seed.
fn file_name(settings: &GameSettings, nodes: u32, seed: u64) -> String {
    let network = match settings.network() {
        Some(network) => format!("{}-{}", network.name, network.checksum),
        None => "classical".to_owned(),
    };
    let network = network.replace(
        |letter: char| !letter.is_ascii_alphanumeric() && letter != '-',
        "_",
    );
    format!("{network}-n{nodes}-s{seed:06}.{EXTENSION}")
}

/// Returns the seed in the name of a file that [`file_name`] has made.
fn seed_in_name(path: &Path) -> Option<u64> {
    let name = path.file_stem()?.to_str()?;
    name.rsplit_once("-s")?.1.parse().ok()
}

/// Locks the folder for this process and writes the process number into the lock file.
fn lock(folder: &Path) -> Result<File, ToolError> {
    let path = folder.join(LOCK);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(|error| unwritable(&path, error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut process = String::new();
            let _ = file.read_to_string(&mut process);
            return Err(ToolError::FolderInUse {
                path: folder.to_owned(),
                process: process.trim().to_owned(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(unwritable(&path, error)),
    }
    let written = file
        .set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()));
    written.map_err(|error| unwritable(&path, error))?;
    Ok(file)
}

fn unwritable(path: &Path, error: std::io::Error) -> ToolError {
    ToolError::Unwritable {
        path: path.to_owned(),
        error,
    }
}
