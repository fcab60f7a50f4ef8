//! Files of endgame tablebases: search for them in directories, and access during the search.
//!
//! Small files are read completely when the tables are loaded, so that the search needs no disk for them. Larger ones,
//! and those for which the system has too little memory, are opened when they are first needed, and read at positions.
//! They are not mapped into memory, because a disk that disappears would then end the program.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty_syzygy::filesystem::OsFilesystem;

use crate::search::has_memory_for_file;
use crate::tablebase::{Filesystem, RandomAccessFile, ReadHint, TableCounts, Tablebases};

/// Largest file that is read completely, in bytes.
const MAX_SMALL_FILE: u64 = 1 << 20;

/// Largest number of bytes of all files that are read completely.
const MAX_SMALL_FILES: u64 = 64 << 20;

/// Number of files that every system lets a process open.
const FEW_FILES: usize = 128;

/// The tables in the directories of a path, and what is wrong with the path.
#[derive(Debug, Default)]
pub struct TablebaseFiles {
    /// The tables; `None` if there is none.
    pub tables: Option<Arc<Tablebases>>,
    /// Numbers of tables.
    pub counts: TableCounts,
    /// The first problem, in words for the user, and the number of further ones.
    pub problem: Option<String>,
    /// Set if all problems are that directories do not exist or contain no tables.
    pub is_absence: bool,
}

/// Loads the tables in the directories of a path. They are separated as in `PATH`, and may be quoted. An empty path
/// stands for no tables.
pub fn load(path: &str) -> TablebaseFiles {
    let mut problems = Problems::default();
    let mut paths = Vec::new();
    let mut names = HashSet::new();
    for directory in directories(path) {
        match tables_in(&directory) {
            Ok(found) if found.is_empty() => {
                problems.add(true, || {
                    format!("{} contains no Syzygy tables", directory.display())
                });
            }
            // Of files with the same name, that of the first directory counts.
            Ok(found) => paths.extend(
                found
                    .into_iter()
                    .filter(|path| names.insert(path.file_name().map(ToOwned::to_owned))),
            ),
            Err(error) => {
                let is_absence = error.kind() == ErrorKind::NotFound;
                problems.add(is_absence, || {
                    format!("{} {}", directory.display(), reason(&error))
                });
            }
        }
    }
    // Tables with few men are needed most often. The order of those with equally many stays.
    paths.sort_by_key(|path| Tablebases::men_of(path));
    let mut small_files = SmallFiles::default();
    let usable = paths
        .into_iter()
        .filter(|path| match small_files.add(path) {
            Ok(()) => true,
            Err(error) => {
                problems.add(false, || format!("{} {}", path.display(), reason(&error)));
                false
            }
        });
    let usable: Vec<PathBuf> = usable.collect();
    let is_on_disk = |path: &PathBuf| !small_files.contains(path);
    let on_disk: Vec<bool> = usable.iter().map(is_on_disk).collect();
    let mut tables = Tablebases::new(Arc::new(small_files));
    let mut men_in_memory = usize::MAX;
    for (path, is_on_disk) in usable.into_iter().zip(on_disk) {
        match tables.add(&path) {
            Ok(()) if is_on_disk => {
                men_in_memory = men_in_memory.min(Tablebases::men_of(&path).saturating_sub(1));
            }
            Ok(()) => {}
            Err(error) => problems.add(false, || format!("{} {}", path.display(), reason(&error))),
        }
    }
    tables.set_men_in_memory(men_in_memory);
    let counts = tables.counts();
    if counts.wdl + counts.dtz > FEW_FILES {
        allow_many_files();
    }
    TablebaseFiles {
        tables: (counts.men > 0).then(|| Arc::new(tables)),
        counts,
        is_absence: problems.absences == problems.count,
        problem: problems.into_text(),
    }
}

/// Raises the number of files that the process may open to what the system allows: the tables of six men have more
/// files than the usual limit.
#[cfg(unix)]
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let maximum = getrlimit(Resource::Nofile).maximum;
    let limit = Rlimit {
        current: maximum,
        maximum,
    };
    // With the old limit, a file that cannot be opened disables the tables.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn allow_many_files() {}

/// Returns the directories of a path.
fn directories(path: &str) -> Vec<PathBuf> {
    let path = path.trim();
    // The name of a directory may contain the separator.
    if Path::new(unquoted(path)).is_dir() {
        return vec![PathBuf::from(unquoted(path))];
    }
    env::split_paths(path)
        .map(|directory| PathBuf::from(unquoted(directory.to_string_lossy().trim())))
        .filter(|directory| !directory.as_os_str().is_empty())
        .collect()
}

/// Returns a text without the quotation marks around it.
fn unquoted(text: &str) -> &str {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

/// Returns the paths in a directory that have the name of a table.
fn tables_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if Tablebases::is_table(&path) {
            paths.push(path);
        }
    }
    // The order of the system is arbitrary, but the first problem must be the same one each time.
    paths.sort_unstable();
    Ok(paths)
}

/// Returns why a file or directory cannot be used, in words that follow its name.
///
/// The texts for common system errors are Gaur's own: XBoard takes those of the system for a sign that the engine could
/// not be started.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "does not exist".to_owned(),
        ErrorKind::PermissionDenied => "may not be read".to_owned(),
        ErrorKind::NotADirectory => "is no directory".to_owned(),
        ErrorKind::InvalidInput => "is no tablebase file".to_owned(),
        ErrorKind::InvalidData => "is damaged: no table has this size; copy it again".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// The first problem, and the number of problems.
#[derive(Default)]
struct Problems {
    first: Option<String>,
    count: usize,
    /// Number of those that directories do not exist or contain no tables.
    absences: usize,
}

impl Problems {
    fn add(&mut self, is_absence: bool, problem: impl FnOnce() -> String) {
        self.first.get_or_insert_with(problem);
        self.count += 1;
        self.absences += usize::from(is_absence);
    }

    fn into_text(self) -> Option<String> {
        let first = self.first?;
        Some(match self.count {
            1 => first,
            2 => format!("{first} (and one other problem)"),
            count => format!("{first} (and {} other problems)", count - 1),
        })
    }
}

/// The file system with the small files in memory.
#[derive(Debug, Default)]
struct SmallFiles {
    files: HashMap<PathBuf, Arc<Vec<u8>>>,
    /// Number of bytes of all files.
    bytes: u64,
    system: OsFilesystem,
}

impl SmallFiles {
    /// Returns `true` if a file is in memory.
    fn contains(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Reads an ordinary file if it is small and leaves enough memory for everything else.
    fn add(&mut self, path: &Path) -> io::Result<()> {
        let size = self.system.regular_file_size(path)?;
        if size <= MAX_SMALL_FILE
            && self.bytes + size <= MAX_SMALL_FILES
            && has_memory_for_file(size as usize)
        {
            let bytes = fs::read(path)?;
            self.bytes += bytes.len() as u64;
            // Without a copy, which the slice that an `Arc` can hold would need.
            self.files.insert(path.to_owned(), Arc::new(bytes));
        }
        Ok(())
    }
}

impl Filesystem for SmallFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        match self.files.get(path) {
            Some(bytes) => Ok(bytes.len() as u64),
            None => self.system.regular_file_size(path),
        }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        match self.files.get(path) {
            Some(bytes) => Ok(Box::new(FileInMemory(Arc::clone(bytes)))),
            None => self.system.open(path),
        }
    }
}

/// A file in memory.
struct FileInMemory(Arc<Vec<u8>>);

impl RandomAccessFile for FileInMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(rest) = self.0.get(start..) else {
            return Ok(0);
        };
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::tablebase::Wdl;

    /// Folder with the tables of three men.
    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tablebase/testdata")
    }

    /// Copies the tables whose names begin with `prefix` to a folder.
    fn copy(prefix: &str, to: &Path) {
        for path in tables_in(&folder()).expect("readable") {
            let name = path.file_name().expect("a name");
            if name.to_string_lossy().starts_with(prefix) {
                fs::copy(&path, to.join(name)).expect("copied");
            }
        }
    }

    /// Returns the numbers of tables and the problem of a path.
    fn loaded(path: &str) -> ((usize, usize, usize), Option<String>) {
        let TablebaseFiles {
            tables,
            counts: TableCounts { men, wdl, dtz },
            problem,
            is_absence,
        } = load(path);
        assert_eq!(tables.is_some(), men > 0);
        let has_file = problem
            .as_ref()
            .is_some_and(|text| text.contains("no directory") || text.contains("tablebase file"));
        assert_eq!(is_absence, !has_file, "{problem:?}");
        ((men, wdl, dtz), problem)
    }

    #[test]
    fn an_empty_path_means_no_tables() {
        assert_eq!(loaded(""), ((0, 0, 0), None));
        assert_eq!(loaded(" "), ((0, 0, 0), None));
    }

    #[test]
    fn several_directories_may_have_blanks_and_quotation_marks() {
        let root = tempfile::tempdir().expect("a folder");
        let [queens, rooks] = ["tables of queens", "rooks"].map(|name| root.path().join(name));
        for (prefix, directory) in [("KQ", &queens), ("KR", &rooks)] {
            fs::create_dir(directory).expect("created");
            copy(prefix, directory);
        }
        let both = env::join_paths([&queens, &rooks]).expect("joined");
        let both = both.to_string_lossy();
        assert_eq!(loaded(&both), ((3, 2, 2), None));
        let separator = if cfg!(windows) { ';' } else { ':' };
        let quoted = format!("\"{}\"{separator} {}", queens.display(), rooks.display());
        assert_eq!(loaded(&quoted), ((3, 2, 2), None));
        let twice = format!("{both}{separator}{}", rooks.display());
        assert_eq!(loaded(&twice), ((3, 2, 2), None), "the same names");
    }

    #[cfg(unix)]
    #[test]
    fn the_name_of_a_directory_may_contain_the_separator() {
        let root = tempfile::tempdir().expect("a folder");
        let directory = root.path().join("a:b");
        fs::create_dir(&directory).expect("created");
        copy("KQ", &directory);
        assert_eq!(loaded(&directory.display().to_string()), ((3, 1, 1), None));
    }

    #[test]
    fn a_directory_that_cannot_be_used_is_one_problem() {
        let root = tempfile::tempdir().expect("a folder");
        let missing = root.path().join("missing");
        let problem = |path: &Path| loaded(&path.display().to_string());
        let expected = format!("{} does not exist", missing.display());
        assert_eq!(problem(&missing), ((0, 0, 0), Some(expected)));
        let expected = format!("{} contains no Syzygy tables", root.path().display());
        assert_eq!(problem(root.path()), ((0, 0, 0), Some(expected)));
        let file = root.path().join("file");
        fs::write(&file, "").expect("written");
        let (counts, reason) = problem(&file);
        assert_eq!(counts, (0, 0, 0));
        let reason = reason.expect("a problem");
        // Windows reports another error.
        assert!(
            cfg!(windows) || reason.ends_with(" is no directory"),
            "{reason}"
        );
    }

    #[test]
    fn files_that_cannot_be_used_are_left_out_and_counted() {
        let root = tempfile::tempdir().expect("a folder");
        copy("K", root.path());
        let file = |name| root.path().join(name);
        fs::write(file("KBvK.rtbw"), "short").expect("written");
        fs::remove_file(file("KNvK.rtbw")).expect("removed");
        fs::create_dir(file("KNvK.rtbw")).expect("created");
        let (counts, problem) = loaded(&root.path().display().to_string());
        assert_eq!(counts, (3, 3, 5));
        let expected = format!(
            "{} is no tablebase file (and one other problem)",
            file("KNvK.rtbw").display()
        );
        assert_eq!(problem, Some(expected));
    }

    #[test]
    fn small_files_are_kept_in_memory() {
        let root = tempfile::tempdir().expect("a folder");
        copy("K", root.path());
        let tables = load(&root.path().display().to_string()).tables;
        let tables = tables.expect("tables");
        drop(root);
        assert!(tables.men_in_memory() >= 3);
        let mut position = Position::standard();
        assert_eq!(tables.wdl(position.board()), None);
        position = queen_ending();
        assert_eq!(tables.wdl(position.board()), Some(Wdl::Win));
        assert_eq!(tables.take_problem(), None);
    }

    #[test]
    fn large_files_stay_on_the_disk() {
        let root = tempfile::tempdir().expect("a folder");
        copy("K", root.path());
        let path = root.path().display().to_string();
        // Like every table, 16 bytes more than a multiple of 64. It is opened when it is needed.
        let large = vec![0; MAX_SMALL_FILE as usize + 16];
        for (name, men_in_memory) in [("KRRvKN.rtbz", 4), ("KRvKN.rtbw", 3)] {
            fs::write(root.path().join(name), &large).expect("written");
            let tables = load(&path).tables.expect("tables");
            assert_eq!(tables.men_in_memory(), men_in_memory, "{name}");
        }
    }

    #[test]
    fn a_large_file_that_is_no_table_has_no_effect() {
        let root = tempfile::tempdir().expect("a folder");
        copy("K", root.path());
        let large = vec![0; MAX_SMALL_FILE as usize + 16];
        fs::write(root.path().join("notes.rtbw"), &large).expect("written");
        let loaded = load(&root.path().display().to_string());
        assert!(
            loaded
                .problem
                .is_some_and(|text| text.contains("notes.rtbw"))
        );
        let tables = loaded.tables.expect("tables");
        assert_eq!(tables.men_in_memory(), usize::MAX);
    }

    #[test]
    fn hidden_files_are_no_tables() {
        let root = tempfile::tempdir().expect("a folder");
        copy("KQ", root.path());
        fs::write(root.path().join("._KQvK.rtbw"), "attributes of macOS").expect("written");
        assert_eq!(
            loaded(&root.path().display().to_string()),
            ((3, 1, 1), None)
        );
    }

    fn queen_ending() -> Position {
        use crate::board::Setup;
        use crate::rules::Variant;
        use crate::types::{Piece, Square};

        let mut setup = Setup::empty();
        for (piece, square) in [('K', "e1"), ('Q', "a2"), ('k', "c3")] {
            let square = Square::from_name(square).expect("a square");
            setup.set(square, Piece::from_fen_letter(piece));
        }
        Position::from_setup(&setup, Variant::Standard).expect("legal")
    }
}
