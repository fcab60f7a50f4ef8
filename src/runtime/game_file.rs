//! Games of a person, added to PGN files.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::files;
use crate::terminal::Saved;

/// Number of bytes at the beginning of a file that show whether it contains games.
const EXAMINED_BYTES: u64 = 4096;

/// Content of a file to which a game is to be added.
enum Content {
    /// Nothing but blanks.
    Nothing,
    /// Games.
    Games,
    /// Something else.
    Other,
}

/// Adds a game to the end of a PGN file, which is created if it does not exist. `begin_writing` is called once, just
/// before; if it returns `false`, nothing is written or created.
///
/// # Errors
/// Returns the reason, in words that follow the name of the file, if the file cannot be written or contains something
/// other than games, or if the work was cancelled. Its content is then unchanged, and it has not been created.
pub fn add_game(path: &str, game: &str, begin_writing: &dyn Fn() -> bool) -> Result<Saved, String> {
    let path = PathBuf::from(path);
    // Opening a pipe could block forever.
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err("is not an ordinary file; choose another name.".to_owned());
    }
    let existing = match File::options().read(true).write(true).open(&path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(explain(&error)),
    };
    let saved = match existing.as_ref().map_or(Ok(Content::Nothing), content) {
        Ok(Content::Nothing) => Saved::Alone,
        Ok(Content::Games) => Saved::Added,
        Ok(Content::Other) => {
            return Err("contains something other than PGN games; choose another name.".to_owned());
        }
        Err(error) => return Err(format!("cannot be read: {error}.")),
    };
    if !begin_writing() {
        return Err("was not written: there was no answer in time.".to_owned());
    }
    let result = match existing {
        Some(mut file) => append(&mut file, game),
        None => create(path, game),
    };
    result.map(|()| saved).map_err(|error| explain(&error))
}

/// Describes an error of writing in words that follow the name of the file.
fn explain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            "is in a folder that does not exist; create it or choose another one.".to_owned()
        }
        _ => format!("cannot be written: {error}."),
    }
}

/// Returns the content of a file according to its beginning.
fn content(file: &File) -> io::Result<Content> {
    let mut beginning = Vec::new();
    file.take(EXAMINED_BYTES).read_to_end(&mut beginning)?;
    let text = String::from_utf8_lossy(&beginning);
    Ok(if text.trim_start_matches('\u{feff}').trim().is_empty() {
        Content::Nothing
    } else if begins_with_tag(&text) {
        Content::Games
    } else {
        Content::Other
    })
}

/// Returns `true` if a text begins, after comments and escaped lines, with a tag of PGN such as `[Event "A"]`.
fn begins_with_tag(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(end) = match rest.chars().next() {
        Some('%' | ';') => rest.find('\n'),
        Some('{') => rest.find('}'),
        _ => None,
    } {
        rest = rest[end + 1..].trim_start();
    }
    let Some((name, value)) = rest
        .strip_prefix('[')
        .and_then(|tag| tag.trim_start().split_once(char::is_whitespace))
    else {
        return false;
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_name) && value.trim_start().starts_with('"')
}

/// Creates a file with a game, and removes it after an error.
fn create(path: PathBuf, game: &str) -> io::Result<()> {
    let path = files::final_target(path)?;
    let mut file = File::create_new(&path)?;
    let result = write_synced(&mut file, game);
    if result.is_err() {
        fs::remove_file(path).unwrap_or_default();
    }
    result
}

/// Appends a game after an empty line, and restores the file after an error.
fn append(file: &mut File, game: &str) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
    file.read_to_end(&mut end)?;
    let separator = match end.as_slice() {
        b"" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    let result = write_synced(file, &format!("{separator}{game}"));
    if result.is_err() {
        // Removing the incomplete game needs no space.
        file.set_len(length).unwrap_or_default();
    }
    result
}

/// Writes text and waits until it is on the drive.
fn write_synced(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"?\"]\n\n1. e4 *\n\n";

    /// Adds a game to a file with this content, and returns the result and the new content.
    fn added_to(content: &[u8]) -> (Result<Saved, String>, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, content).expect("written");
        let result = add_game(&path.display().to_string(), GAME, &|| true);
        (result, fs::read(&path).expect("read"))
    }

    #[test]
    fn a_missing_file_is_created_and_games_follow_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.pgn").display().to_string();
        assert_eq!(add_game(&path, GAME, &|| true), Ok(Saved::Alone));
        assert_eq!(add_game(&path, GAME, &|| true), Ok(Saved::Added));
        assert_eq!(fs::read_to_string(&path).expect("read"), GAME.repeat(2));
    }

    #[test]
    fn a_cancelled_work_writes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let add = || add_game(&path.display().to_string(), GAME, &|| false);
        assert!(add().is_err_and(|reason| reason.contains("not written")));
        assert!(!path.exists(), "an empty file was created");
        fs::write(&path, GAME).expect("written");
        assert!(add().is_err_and(|reason| reason.contains("not written")));
        assert_eq!(fs::read_to_string(&path).expect("read"), GAME);
    }

    #[test]
    fn a_file_that_another_program_creates_meanwhile_is_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let appear = || {
            fs::write(&path, "other").expect("written");
            true
        };
        let result = add_game(&path.display().to_string(), GAME, &appear);
        assert!(result.is_err_and(|reason| reason.contains("cannot be written")));
        assert_eq!(fs::read_to_string(&path).expect("read"), "other");
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_symbolic_link_is_created() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link.pgn");
        std::os::unix::fs::symlink("games.pgn", &link).expect("a link");
        let result = add_game(&link.display().to_string(), GAME, &|| true);
        assert_eq!(result, Ok(Saved::Alone));
        assert!(link.is_symlink());
        let target = folder.path().join("games.pgn");
        assert_eq!(fs::read_to_string(target).expect("read"), GAME);
    }

    #[test]
    fn an_empty_line_separates_games() {
        for end in ["", "\n", "\n\n"] {
            let content = format!("[Event \"A\"]\n\n1. d4 *{end}");
            let (result, new) = added_to(content.as_bytes());
            assert_eq!(result, Ok(Saved::Added));
            let expected = format!("[Event \"A\"]\n\n1. d4 *\n\n{GAME}");
            assert_eq!(String::from_utf8_lossy(&new), expected);
        }
    }

    #[test]
    fn other_files_are_not_changed() {
        for content in [
            &b"name = \"gaur\""[..],
            b"\x7fELF\x02",
            b"\xff\xfe\x00",
            b"1. e4",
            b"[section]\nkey = 1",
            b"[package]\nname = \"gaur\"",
            b"{\"Event\": 1}",
            b"{\n  [1, \"a\"]}",
            b"% a paper\n\\documentclass[a]{b}",
            b"; a comment",
        ] {
            let (result, new) = added_to(content);
            assert!(result.is_err_and(|reason| reason.contains("other than PGN games")));
            assert_eq!(new, content);
        }
    }

    #[test]
    fn folders_and_missing_folders_are_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().display().to_string();
        let error = |path: &str| add_game(path, GAME, &|| true).expect_err("an error");
        assert_eq!(
            error(&name),
            "is not an ordinary file; choose another name."
        );
        assert!(error(&format!("{name}/none/x.pgn")).starts_with("is in a folder"));
    }
}
