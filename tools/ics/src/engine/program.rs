//! Search for the program of an engine, with the rules of the system.

use std::path::{Path, PathBuf};

use super::types::{EngineError, EngineSpec};

/// Folders of games on Unix, which are not in every search path.
#[cfg(unix)]
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Folders of games.
#[cfg(not(unix))]
const GAMES: [&str; 0] = [];

/// Returns the folders in which a name is searched: the search path of the system, then folders of games.
fn searched() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(GAMES.map(PathBuf::from))
        .collect()
}

/// Finds the program of an engine, and does not start it.
///
/// # Errors
///
/// Returns an error if the program or its folder does not exist, or if the program is not executable.
pub fn find(spec: &EngineSpec) -> Result<PathBuf, EngineError> {
    find_in(spec, &searched())
}

/// [`find`] with the folders of the search path.
fn find_in(spec: &EngineSpec, searched: &[PathBuf]) -> Result<PathBuf, EngineError> {
    let program = spec.command.first().filter(|program| !program.is_empty());
    let program = program.ok_or(EngineError::Empty)?;
    if let Some(folder) = spec.folder.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(EngineError::Folder(folder.clone()));
    }
    let candidates: Vec<PathBuf> = if is_name(program) {
        searched.iter().map(|folder| folder.join(program)).collect()
    } else {
        vec![locate(program, spec.folder.as_deref())]
    };
    let files: Vec<PathBuf> = candidates.iter().filter_map(|path| file(path)).collect();
    match files.iter().find(|path| is_executable(path)) {
        Some(path) => Ok(path.clone()),
        None if files.is_empty() && candidates.iter().all(|path| path.is_dir()) => {
            Err(EngineError::IsFolder(program.clone()))
        }
        None if files.is_empty() => Err(EngineError::NotFound(program.clone())),
        None => Err(EngineError::NotExecutable(program.clone())),
    }
}

/// Returns the path of the program. A relative path belongs to the engine's folder, or to the current one. A name in
/// the search path remains a name, which the system finds.
pub(super) fn locate(program: &str, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(program);
    if is_name(program) {
        let found = searched().into_iter().find_map(|folder| {
            let file = file(&folder.join(program))?;
            is_executable(&file).then_some((folder, file))
        });
        return match found {
            Some((folder, file)) if GAMES.iter().any(|games| folder == Path::new(games)) => file,
            _ => path.to_path_buf(),
        };
    }
    match folder {
        Some(folder) if path.is_relative() => {
            let inside = folder.join(path);
            let found = if inside.exists() { &inside } else { path };
            std::path::absolute(found).unwrap_or(inside)
        }
        _ => path.to_path_buf(),
    }
}

/// Returns `true` for a name without a folder, which the system looks for in the search path.
fn is_name(program: &str) -> bool {
    Path::new(program).components().count() == 1 && !program.starts_with('.')
}

/// Returns the file of this name. On Windows, `.exe` may be missing in the name.
fn file(path: &Path) -> Option<PathBuf> {
    let mut with_suffix = path.as_os_str().to_owned();
    with_suffix.push(std::env::consts::EXE_SUFFIX);
    [path.to_path_buf(), with_suffix.into()]
        .into_iter()
        .find(|path| path.is_file())
}

/// Returns `true` if this user may execute the file.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Returns `true`: on Windows, the name decides.
#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(path: &Path, mode: u32) {
        std::fs::write(path, "").unwrap();
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }

    fn spec(program: &str, folder: Option<&Path>) -> EngineSpec {
        EngineSpec {
            command: vec![program.to_owned()],
            folder: folder.map(Path::to_path_buf),
            ..EngineSpec::default()
        }
    }

    #[test]
    fn names_are_searched_in_the_path() {
        let root = tempfile::tempdir().unwrap();
        let folders = ["first", "second"].map(|name| root.path().join(name));
        for folder in &folders {
            std::fs::create_dir(folder).unwrap();
        }
        let find = |program: &str| find_in(&spec(program, None), &folders);
        assert!(matches!(find("engine"), Err(EngineError::NotFound(name)) if name == "engine"));
        assert!(matches!(find(""), Err(EngineError::Empty)));
        assert!(
            GAMES
                .iter()
                .all(|games| searched().iter().any(|folder| folder == Path::new(games)))
        );
        write(&folders[0].join("engine"), 0o600);
        assert!(matches!(
            find("engine"),
            Err(EngineError::NotExecutable(name)) if name == "engine"
        ));
        write(&folders[1].join("engine"), 0o700);
        assert_eq!(find("engine").unwrap(), folders[1].join("engine"));
        // A folder is no program.
        assert!(matches!(
            find(&folders[0].to_string_lossy()),
            Err(EngineError::IsFolder(_))
        ));
    }

    #[test]
    fn paths_belong_to_the_folder_of_the_engine() {
        let root = tempfile::tempdir().unwrap();
        write(&root.path().join("engine"), 0o700);
        let found = find_in(&spec("./engine", Some(root.path())), &[]).unwrap();
        assert!(
            found.is_absolute() && found.ends_with("engine"),
            "{found:?}"
        );
        let missing = root.path().join("missing");
        assert!(matches!(
            find_in(&spec("./engine", Some(&missing)), &[]),
            Err(EngineError::Folder(folder)) if folder == missing
        ));
    }
}
