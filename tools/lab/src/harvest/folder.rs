//! Folder of game files: what it contains, and which file is next.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::ops::Add;
use std::path::{Path, PathBuf};

use crate::LabError;
use crate::datagen::{GameSettings, Totals};
use crate::game_file::{GameReader, Header, NodeLimit};
use crate::game_input::{EXTENSION, files_in, for_each_game};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::warning::warn;

/// File that a process locks while it generates games into the folder.
const LOCK: &str = "harvest.lock";

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Seed of the run.
    pub seed: u64,
}

/// A readable file of the folder.
struct KnownFile {
    file: RunFile,
    /// Program and settings that the games come from.
    header: Header,
    totals: Totals,
    /// `false` if the file is damaged or cannot be written.
    can_continue: bool,
}

/// A folder of game files, locked.
pub(super) struct Folder {
    path: PathBuf,
    files: Vec<KnownFile>,
    /// Seed of the next new file; `None` if the largest one is used.
    next_seed: Option<u64>,
    /// Holds the lock as long as it is open.
    _lock: File,
}

impl Folder {
    /// Opens or creates a folder, and reads the sizes of all files in it. Reports files that cannot be read or are
    /// damaged to standard error, and does not change them. Returns `None` if `interrupt` is set meanwhile.
    ///
    /// # Errors
    /// If the folder cannot be created or read, or another process has locked it.
    pub fn open(
        path: &Path,
        first_seed: u64,
        interrupt: &Interrupt,
    ) -> Result<Option<Folder>, LabError> {
        if path.is_file() {
            let reason = format!("{} is a file, not a folder", path.display());
            return Err(LabError::Arguments(reason));
        }
        fs::create_dir_all(path).map_err(|error| unwritable(path, error))?;
        let mut folder = Folder {
            path: path.to_owned(),
            files: Vec::new(),
            next_seed: Some(first_seed),
            _lock: lock(path)?,
        };
        let files = files_in(path)?;
        let mut progress = Progress::new(0, files.len() as u64);
        for file in files {
            if interrupt.is_set() {
                return Ok(None);
            }
            if let Some(seed) = seed_in_name(&file) {
                folder.use_seed(seed);
            }
            match KnownFile::read(&file) {
                Ok(known) => folder.add(known),
                Err(error) => warn(format_args!("{error}; the file is not used")),
            }
            progress.step(|| "files read".to_owned());
        }
        progress.finish();
        Ok(Some(folder))
    }

    /// Adds the file of a run. Of two files of the same run, such as a damaged and a repaired one, only the better one
    /// counts.
    fn add(&mut self, known: KnownFile) {
        let Some(run) = &known.header.run else {
            warn(format_args!(
                "{} holds games of several runs and is not counted",
                known.file.path.display()
            ));
            return;
        };
        self.use_seed(run.seed);
        let mut files = self.files.iter_mut();
        let Some(other) = files.find(|other| other.header == known.header) else {
            self.files.push(known);
            return;
        };
        warn(format_args!(
            "{} and {} contain games of the same run; remove one of them",
            other.file.path.display(),
            known.file.path.display()
        ));
        let rank = |file: &KnownFile| (file.can_continue, file.totals.games);
        if rank(&known) > rank(other) {
            *other = known;
        }
    }

    /// Notes that a file has this seed.
    fn use_seed(&mut self, seed: u64) {
        let following = seed.checked_add(1);
        self.next_seed = self
            .next_seed
            .zip(following)
            .map(|(next, following)| next.max(following));
    }

    /// Returns the sums over all files.
    pub fn totals(&self) -> Totals {
        let totals = self.files.iter().map(|known| known.totals);
        totals.fold(Totals::default(), Totals::add)
    }

    /// Returns the sums over all files but this one.
    pub fn totals_without(&self, file: &RunFile) -> Totals {
        let others = self.files.iter().filter(|known| known.file != *file);
        others
            .map(|known| known.totals)
            .fold(Totals::default(), Totals::add)
    }

    /// Returns the file that is next, with its node limit: the incomplete file of these settings, or else a new one for
    /// the limit whose share of the games is missing most.
    ///
    /// # Errors
    /// If a file has the largest possible seed, so that none is left for a new one.
    pub fn next(
        &self,
        settings: &GameSettings,
        games_per_file: u32,
    ) -> Result<(NodeLimit, RunFile), LabError> {
        let incomplete = settings.limits.iter().find_map(|&limit| {
            let mut files = self.files_with(settings, limit);
            let known = files.find(|known| {
                known.can_continue && known.totals.games < u64::from(games_per_file)
            })?;
            Some((limit, known.file.clone()))
        });
        if let Some(next) = incomplete {
            return Ok(next);
        }
        let played = |limit: &NodeLimit| {
            let files = self.files_with(settings, *limit);
            let games: u64 = files.map(|known| known.totals.games).sum();
            // Half a file more, so that a limit with a small share does not come first (method of Sainte-Laguë).
            (games as f64 + f64::from(games_per_file) / 2.0) / f64::from(limit.permille)
        };
        let mut limits = settings.limits.iter().copied();
        let first = limits.next().unwrap_or(NodeLimit {
            nodes: 1,
            permille: 1000,
        });
        let limit = limits.fold(first, |least, limit| {
            match played(&limit) < played(&least) {
                true => limit,
                false => least,
            }
        });
        let seed = self.next_seed.ok_or_else(|| {
            let path = self.path.display();
            LabError::Arguments(format!(
                "{path} contains the largest seed, so that none is left; name another folder"
            ))
        })?;
        let path = self.path.join(file_name(settings, limit.nodes, seed));
        Ok((limit, RunFile { path, seed }))
    }

    /// Returns the files whose games have these settings and this node limit.
    fn files_with(
        &self,
        settings: &GameSettings,
        limit: NodeLimit,
    ) -> impl Iterator<Item = &KnownFile> {
        let settings = single(settings, limit);
        self.files.iter().filter(move |known| {
            // The whole header counts: another version of Gaur may play other games.
            let run = known.header.run.as_ref();
            run.is_some_and(|run| known.header == settings.header(run.seed))
        })
    }

    /// Returns the number of files with other settings than these.
    pub fn files_of_others(&self, settings: &GameSettings) -> usize {
        let limits = settings.limits.iter();
        let own: usize = limits
            .map(|&limit| self.files_with(settings, limit).count())
            .sum();
        self.files.len() - own
    }

    /// Notes the size that a file has now.
    pub fn update(&mut self, settings: &GameSettings, file: &RunFile, totals: Totals) {
        match self.files.iter_mut().find(|known| known.file == *file) {
            Some(known) => known.totals = totals,
            None => self.add(KnownFile {
                file: file.clone(),
                header: settings.header(file.seed),
                totals,
                can_continue: true,
            }),
        }
    }

    /// Excludes a file from being continued. Returns `false` if it is not in the folder, because it was to be created.
    pub fn exclude(&mut self, file: &RunFile) -> bool {
        let known = self.files.iter_mut().find(|known| known.file == *file);
        known.map(|known| known.can_continue = false).is_some()
    }
}

/// Returns the settings with this node limit for all games. Every file has one limit, which its name contains.
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
    /// Reads a whole file and reports its defects to standard error.
    ///
    /// # Errors
    /// If the file cannot be read or is no game file.
    fn read(path: &Path) -> Result<KnownFile, LabError> {
        let reader = GameReader::open(path);
        let reader = reader.map_err(|error| LabError::Data(path.to_owned(), error))?;
        let header = reader.header().clone();
        let mut positions = 0;
        let reading = for_each_game(path, |game| {
            positions += game.moves.len() as u64;
            Ok(())
        })?;
        let is_damaged = !reading.damaged.is_empty();
        if is_damaged {
            warn(format_args!(
                "{} is not continued: `gaur-lab data repair` copies its games into a new file, \
                 which can take its place",
                path.display()
            ));
        }
        Ok(KnownFile {
            file: RunFile {
                path: path.to_owned(),
                seed: header.run.as_ref().map_or(0, |run| run.seed),
            },
            header,
            totals: Totals {
                games: reading.games as u64,
                positions,
                bytes: path.metadata().map_or(0, |metadata| metadata.len()),
            },
            can_continue: !is_damaged,
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
///
/// # Errors
/// If another process has locked the folder, or the file cannot be written.
fn lock(folder: &Path) -> Result<File, LabError> {
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
            return Err(LabError::FolderInUse {
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

fn unwritable(path: &Path, error: std::io::Error) -> LabError {
    LabError::Unwritable {
        path: path.to_owned(),
        error,
    }
}
