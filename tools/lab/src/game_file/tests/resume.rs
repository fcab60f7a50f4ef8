//! Tests of the continuation of a run in its file.

use std::fs;
use std::path::PathBuf;

use super::*;

/// A folder and the path of a file in it with these bytes.
fn file_with(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn a_run_continues_at_every_length_of_the_last_block() {
    let games = &games()[..3];
    let bytes = file_of(games);
    let start = offsets(games)[2];
    for length in start..bytes.len() {
        let (_folder, path) = file_with(&bytes[..length]);
        let (mut writer, contents) = GameWriter::resume(&path, &header()).unwrap();
        assert_eq!(contents.numbers, [0, 1]);
        let removed = contents.removed.map(|region| (region.start, region.length));
        let expected = (start as u64, (length - start) as u64);
        assert_eq!(removed, (length > start).then_some(expected));
        writer.write(2, &games[2]).unwrap();
        assert!(fs::read(&path).unwrap() == bytes, "{length}");
    }
}

#[test]
fn a_run_continues_at_every_length_of_the_header() {
    let games = &games()[..1];
    let bytes = file_of(games);
    for length in 0..=header_length() {
        let (_folder, path) = file_with(&bytes[..length]);
        let (mut writer, contents) = GameWriter::resume(&path, &header()).unwrap();
        assert!(contents.numbers.is_empty());
        let removed = contents.removed.map(|region| region.length);
        let is_part = length > 0 && length < header_length();
        assert_eq!(removed, is_part.then_some(length as u64));
        writer.write(0, &games[0]).unwrap();
        assert!(fs::read(&path).unwrap() == bytes, "{length}");
    }
}

#[test]
fn files_that_are_not_this_run_stay_as_they_are() {
    let games = &games()[..3];
    let bytes = file_of(games);
    let mut other = header();
    other.run.as_mut().unwrap().seed = 3;
    let mut flipped = bytes.clone();
    flipped[offsets(games)[1] + 40] ^= 1;
    let mut length = bytes.clone();
    length[offsets(games)[0] + 4] = 255;
    let mut wrong_header = bytes.clone();
    wrong_header[30] ^= 1;
    let mut zeros = bytes.clone();
    zeros.extend([0; 30]);
    let several = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let writer = GameWriter::create(&path, &Header::new(None)).unwrap();
        writer.finish().unwrap();
        fs::read(path).unwrap()
    };
    let mut shortened = bytes.clone();
    shortened.drain(offsets(games)[1] + 30..offsets(games)[2] - 10);
    let cases: [(&[u8], Header, &str); 9] = [
        (&shortened, header(), "gaur-lab data repair"),
        (b"a diary", header(), "not a game file"),
        (&[7; 1000], header(), "not a game file"),
        (&bytes, other, "other settings or of another version"),
        (&flipped, header(), "gaur-lab data repair"),
        (&length, header(), "gaur-lab data repair"),
        (&wrong_header, header(), "gaur-lab data repair"),
        (&zeros, header(), "gaur-lab data repair"),
        (&several, header(), "several or unknown runs"),
    ];
    for (bytes, header, expected) in cases {
        let (_folder, path) = file_with(bytes);
        let Err(error) = GameWriter::resume(&path, &header) else {
            panic!("{expected}: the run was continued")
        };
        assert!(error.to_string().contains(expected), "{error}");
        assert!(fs::read(&path).unwrap() == bytes, "{expected}");
    }
}

#[test]
fn a_file_has_one_writer() {
    let (_folder, path) = file_with(&file_of(&[]));
    let first = GameWriter::resume(&path, &header()).unwrap();
    let second = GameWriter::resume(&path, &header());
    let error = second.err().unwrap();
    assert!(matches!(error, DataError::Busy));
    let text = error.to_string();
    assert!(
        text.ends_with("wait for its end or name another file"),
        "{text}"
    );
    drop(first);
    assert!(GameWriter::resume(&path, &header()).is_ok());
    let created = GameWriter::create(&path, &header());
    assert!(matches!(created, Err(DataError::Io(_))), "the file existed");
}

#[test]
fn a_new_file_has_its_name_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let entries = || fs::read_dir(folder.path()).unwrap().count();
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    writer.write(0, &games()[0]).unwrap();
    assert!(!path.exists());
    drop(writer);
    assert_eq!(entries(), 0, "an unfinished file disappears");
    write(&path, &games()[..1]);
    assert_eq!(entries(), 1);
    // Of a run the file has its name, and a header, at once.
    let other = folder.path().join("run");
    let _writer = GameWriter::resume(&other, &header()).unwrap();
    assert_eq!(fs::read(&other).unwrap(), header().to_bytes().unwrap());
}

#[test]
fn files_of_openings_and_networks_are_distinguished_by_content() {
    let named = |name: &str, checksum| Some(FileId::new(name, checksum));
    let with = |openings| {
        let mut header = header();
        header.run.as_mut().unwrap().openings = openings;
        header
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    drop(GameWriter::resume(&path, &with(named("a.epd", 1))).unwrap());
    assert!(GameWriter::resume(&path, &with(named("b.epd", 1))).is_ok());
    let other = GameWriter::resume(&path, &with(named("a.epd", 2)));
    assert!(matches!(other, Err(DataError::OtherRun(_))));
}
