//! Tests of the thread with files that cannot be written.

use super::*;

/// Longest wait. Only a failure takes so long.
const TIMEOUT: Duration = Duration::from_secs(20);

fn game(white: &str) -> GameRecord {
    GameRecord {
        white: white.into(),
        result: "*".into(),
        ..GameRecord::default()
    }
}

#[test]
fn games_are_written_before_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgn");
    let thread = ArchiveThread::start(Archive::new(&file), |error| panic!("{error}"));
    let thread = thread.expect("a thread");
    for number in 0..50 {
        thread.append(game(&format!("Player{number}")));
    }
    assert_eq!(thread.finish(TIMEOUT), Some(0));
    let text = std::fs::read_to_string(&file).expect("games");
    assert_eq!(text.matches("[Event ").count(), 50);
}

#[test]
fn a_disk_that_does_not_answer_delays_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let (stopped, waits) = bounded::<()>(0);
    // The folder cannot be written as a file, and the thread waits while it reports this.
    let thread = ArchiveThread::start(Archive::new(folder.path()), move |_| {
        let _ = waits.recv();
    });
    let thread = thread.expect("a thread");
    for _ in 0..50 {
        thread.append(game("Gaur"));
    }
    assert_eq!(thread.finish(Duration::from_millis(50)), None);
    drop(stopped);
}

#[test]
fn games_that_could_not_be_written_are_written_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgn");
    // A folder with this name is in the way.
    std::fs::create_dir(&file).expect("a folder");
    let (sender, errors) = unbounded();
    let retry = Duration::from_millis(10);
    let thread = ArchiveThread::start_with(Archive::new(&file), retry, move |error| {
        drop(sender.send(error.to_string()));
    });
    let thread = thread.expect("a thread");
    thread.append(game("Gaur"));
    let error = errors.recv_timeout(TIMEOUT).expect("an error");
    assert!(error.contains("waiting in memory: 1"), "{error}");
    std::fs::remove_dir(&file).expect("the folder");
    let until = std::time::Instant::now() + TIMEOUT;
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.contains("Gaur")) {
        assert!(std::time::Instant::now() < until, "nothing is written");
        thread::sleep(retry);
    }
    assert_eq!(thread.finish(TIMEOUT), Some(0));
    assert!(errors.is_empty(), "the error is reported once");
}

#[test]
fn games_that_are_not_written_at_the_end_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let thread = ArchiveThread::start(Archive::new(folder.path()), |_| ());
    let thread = thread.expect("a thread");
    thread.append(game("Gaur"));
    thread.append(game("Gaur"));
    assert_eq!(thread.finish(TIMEOUT), Some(2));
}

#[test]
fn the_last_game_waits_for_another_account_that_writes_to_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgn");
    let other = std::fs::File::create(&file).expect("a file");
    other.lock().expect("a lock");
    let thread = ArchiveThread::start(Archive::new(&file), |error| panic!("{error}"));
    let thread = thread.expect("a thread");
    thread.append(game("Gaur"));
    let unlocks = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        drop(other);
    });
    assert_eq!(thread.finish(TIMEOUT), Some(0));
    unlocks.join().expect("the other account");
    let text = std::fs::read_to_string(&file).expect("games");
    assert!(text.contains("Gaur"), "{text}");
}
