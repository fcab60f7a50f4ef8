//! Settings files on a real file system.

use super::*;

/// Writes a file that Gaur has read or written before.
fn write(path: &Path, text: &str) -> Result<(), FileProblem> {
    write_text(name(path), text, true, MAX_BYTES, &|| true)
}

/// Writes a file that did not exist when it was named.
fn write_new(path: &Path, text: &str) -> Result<(), FileProblem> {
    write_text(name(path), text, false, MAX_BYTES, &|| true)
}

fn name(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Returns the number of files in a folder, temporary ones included.
fn count(folder: &tempfile::TempDir) -> usize {
    fs::read_dir(folder.path()).expect("a folder").count()
}

#[test]
fn a_written_file_is_read_and_replaced() {
    let folder = folder();
    let path = folder.path().join("settings");
    assert_eq!(read_text(name(&path)), Err(FileProblem::Missing));
    for text in ["first and longer", "second"] {
        assert_eq!(write(&path, text), Ok(()));
        assert_eq!(read_text(name(&path)).as_deref(), Ok(text));
    }
    assert_eq!(count(&folder), 1, "no temporary file is left");
}

#[test]
fn a_file_that_has_appeared_is_not_replaced() {
    let folder = folder();
    let path = folder.path().join("settings");
    fs::write(&path, "of another program").expect("written");
    let appeared = Err(FileProblem::Other(APPEARED.to_owned()));
    assert_eq!(write_new(&path, "new"), appeared);
    // The file appears only after it was found missing.
    let other = folder.path().join("other");
    let appear = || {
        fs::write(&other, "of another program").expect("written");
        true
    };
    for may_replace in [false, true] {
        let result = write_text(name(&other), "new", may_replace, MAX_BYTES, &appear);
        assert_eq!(
            result,
            if may_replace {
                Ok(())
            } else {
                appeared.clone()
            }
        );
        assert_eq!(
            content(&other),
            if may_replace {
                "new"
            } else {
                "of another program"
            }
        );
    }
    assert_eq!(content(&path), "of another program");
    assert_eq!(count(&folder), 2, "no temporary file is left");
}

#[test]
fn a_cancelled_write_changes_nothing() {
    let folder = folder();
    let path = folder.path().join("settings");
    for old in [None, Some("old")] {
        if let Some(old) = old {
            fs::write(&path, old).expect("written");
        }
        let result = write_text(name(&path), "new", true, MAX_BYTES, &|| false);
        assert!(matches!(result, Err(FileProblem::Other(_))));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), old);
    }
    assert_eq!(count(&folder), 1, "no temporary file is left");
}

#[test]
fn a_file_that_is_not_text_is_rejected() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let is_rejected =
        |result: Result<String, FileProblem>| matches!(result, Err(FileProblem::Other(_)));
    assert!(is_rejected(read_text(name(folder.path()))));
    fs::write(path("bytes"), b"\xff\xfe").expect("written");
    assert!(is_rejected(read_text(name(&path("bytes")))));
    fs::write(path("large"), vec![b'#'; MAX_BYTES as usize + 1]).expect("written");
    assert!(is_rejected(read_text(name(&path("large")))));
    assert_eq!(
        write(&path("no folder/settings"), ""),
        Err(FileProblem::Missing)
    );
    assert!(matches!(
        write(folder.path(), ""),
        Err(FileProblem::Other(_))
    ));
    assert!(is_rejected(read_text("a\0b")));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o7777
    }

    #[test]
    fn permissions_are_kept_and_usual_for_a_new_file() {
        let folder = folder();
        let (usual, file) = (folder.path().join("usual"), folder.path().join("file"));
        fs::write(&usual, "").expect("written");
        assert_eq!(write_new(&file, "new"), Ok(()));
        assert_eq!(mode(&file), mode(&usual));
        for rights in [0o600, 0o640, 0o666, 0o4755] {
            fs::set_permissions(&file, fs::Permissions::from_mode(rights)).expect("our file");
            assert_eq!(write(&file, "changed"), Ok(()));
            assert_eq!(mode(&file), rights);
        }
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("written");
        symlink(&file, &link).expect("a link");
        assert_eq!(write(&link, "new"), Ok(()));
        assert!(link.is_symlink());
        assert_eq!(content(&file), "new");
    }

    #[test]
    fn the_target_of_a_dangling_link_is_created() {
        let folder = folder();
        fs::create_dir(folder.path().join("inner")).expect("a folder");
        let path = |name: &str| folder.path().join(name);
        symlink("inner/second", path("first")).expect("a link");
        symlink("file", path("inner/second")).expect("a link");
        assert_eq!(read_text(name(&path("first"))), Err(FileProblem::Missing));
        assert_eq!(write_new(&path("first"), "new"), Ok(()));
        assert!(path("first").is_symlink() && path("inner/second").is_symlink());
        assert_eq!(content(&path("inner/file")), "new");
        assert!(matches!(
            write_new(&path("first"), "newer"),
            Err(FileProblem::Other(_))
        ));
        assert_eq!(write(&path("first"), "newer"), Ok(()));
        assert_eq!(content(&path("inner/file")), "newer");

        symlink("no folder/file", path("lost")).expect("a link");
        assert_eq!(write_new(&path("lost"), "new"), Err(FileProblem::Missing));
        assert!(path("lost").is_symlink());
        symlink("loop", path("loop")).expect("a link");
        assert!(matches!(
            write_new(&path("loop"), "new"),
            Err(FileProblem::Other(_))
        ));
        assert!(path("loop").is_symlink());
    }

    #[test]
    fn hard_links_stay_together() {
        let folder = folder();
        let (file, other) = (folder.path().join("file"), folder.path().join("other"));
        fs::write(&file, "old and longer than the new one").expect("written");
        fs::hard_link(&file, &other).expect("a link");
        for text in ["new", "a longer text than before"] {
            assert_eq!(write(&file, text), Ok(()));
            assert_eq!(
                (content(&file), content(&other)),
                (text.to_owned(), text.to_owned())
            );
        }
        assert_eq!(count(&folder), 2, "no temporary file is left");
        let old = fs::metadata(&file).expect("a file");
        assert_eq!(old.nlink(), 2);
        let cancelled = write_text(name(&file), "newest", true, MAX_BYTES, &|| false);
        assert!(matches!(cancelled, Err(FileProblem::Other(_))));
        assert_eq!(content(&other), "a longer text than before");
    }

    #[test]
    fn owner_and_group_are_kept() {
        let folder = folder();
        let file = folder.path().join("file");
        fs::write(&file, "old").expect("written");
        // Only the superuser may give files away; everybody else keeps what the file has.
        let may_give = chown(&file, Some(12_345), Some(23_456)).is_ok();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).unwrap_or_default();
        let owner = |path: &Path| {
            let metadata = fs::metadata(path).expect("a file");
            (metadata.uid(), metadata.gid())
        };
        let before = owner(&file);
        assert_eq!(may_give, before == (12_345, 23_456));
        assert_eq!(write(&file, "new"), Ok(()));
        assert_eq!((owner(&file), mode(&file)), (before, 0o664));
        assert_eq!(content(&file), "new");
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = folder();
        let file = folder.path().join("file");
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("our file");
        // The superuser may write every file.
        let may_write = File::options().write(true).open(&file).is_ok();
        assert_eq!(write(&file, "new").is_ok(), may_write);
        assert_eq!(content(&file), if may_write { "new" } else { "old" });
        assert_eq!(mode(&file), 0o444);
    }
}

#[test]
fn a_file_that_is_too_large_is_not_overwritten_in_place() {
    let folder = folder();
    let path = folder.path().join("settings");
    fs::write(&path, "old text").expect("written");
    for (limit, expected) in [(7, "old text"), (8, "new")] {
        let file = File::options().read(true).write(true).open(&path);
        let result = write_in_place(file.expect("a file"), b"new", limit, &|| true);
        assert_eq!(
            (result.is_ok(), content(&path).as_str()),
            (limit == 8, expected)
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_in_place_restores_the_old_content() {
    let folder = folder();
    let path = folder.path().join("settings");
    fs::write(&path, "old").expect("written");
    // A file that cannot be written: opened for reading only.
    let file = File::open(&path).expect("a file");
    assert!(write_in_place(file, b"new", MAX_BYTES, &|| true).is_err());
    assert_eq!(content(&path), "old");
}
