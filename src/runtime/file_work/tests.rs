//! Files that are read and written, and those that block.

use std::fs;

use super::*;

/// Time that a busy machine may need.
const TIMEOUT: Duration = Duration::from_secs(20);

fn result(files: &FileWork) -> FileResult {
    files.results.recv_timeout(TIMEOUT).expect("a result")
}

/// Starts a work that blocks until the sender returned is dropped.
fn start_blocked(files: &mut FileWork, work: Work) -> Sender<()> {
    let (end, blocked) = bounded::<()>(0);
    files.start_with(work.clone(), move |begin_writing| {
        let _ = blocked.recv();
        work.access(begin_writing)
    });
    end
}

#[test]
fn a_network_is_read_again_each_time() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut files = FileWork::new();
    for seed in [5, 6] {
        let network = Network::random(seed);
        fs::write(file.path(), network.to_bytes()).expect("written");
        files.start(Work::ReadNetwork(file.path().to_owned()));
        let FileResult::Network(Ok(read)) = result(&files) else {
            panic!("a network")
        };
        assert_eq!(read.to_bytes(), network.to_bytes());
    }
}

#[test]
fn settings_are_written_and_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings").display().to_string();
    let mut files = FileWork::new();
    files.start(Work::WriteSettings {
        path: path.clone(),
        text: "MultiPV=3".to_owned(),
        may_replace: false,
    });
    let FileResult::Settings(event) = result(&files) else {
        panic!("settings")
    };
    assert_eq!(event, SettingsEvent::Written(path.clone(), Ok(())));
    files.start(Work::ReadSettings(path.clone()));
    let FileResult::Settings(event) = result(&files) else {
        panic!("settings")
    };
    let text = Ok("MultiPV=3".to_owned());
    assert_eq!(event, SettingsEvent::Read(path, text));
}

#[test]
fn a_file_that_blocks_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings");
    let name = path.display().to_string();
    for work in [
        Work::ReadNetwork(path.clone()),
        Work::ReadTablebases(name.clone()),
        Work::ReadBook {
            file: name.clone(),
            learns: true,
        },
        Work::LearnBook {
            file: name.clone(),
            moves: Vec::new(),
        },
        Work::ReadSettings(name.clone()),
        Work::WriteSettings {
            path: name.clone(),
            text: "MultiPV=3".to_owned(),
            may_replace: true,
        },
        Work::AddGame {
            path: name.clone(),
            text: "[Event \"?\"]\n\n*\n\n".to_owned(),
        },
    ] {
        let mut files = FileWork::new();
        let end = start_blocked(&mut files, work);
        assert!(files.results.is_empty());
        files.limit(Duration::from_millis(10));
        files.limit(Duration::from_secs(10));
        let problem = match result(&files) {
            FileResult::Network(result) => result.map(drop).expect_err("no network").to_string(),
            FileResult::Tablebases(tablebases) => tablebases.problem.expect("no tablebases"),
            FileResult::Book(report) => report.book.map(drop).expect_err("no book"),
            FileResult::Learned(result) => result.map(drop).expect_err("not written"),
            FileResult::Settings(event) => format!("{event:?}"),
            FileResult::Game(_, result) => result.expect_err("no game"),
        };
        assert!(problem.contains("has not answered within"), "{problem}");
        assert!(!problem.contains("later"), "{problem}");
        drop(end);
        // The thread that was left behind ends without a second result.
        let until = Instant::now() + TIMEOUT;
        while files.threads.load(Ordering::Acquire) > 0 && Instant::now() < until {
            thread::sleep(RECHECK_INTERVAL);
        }
        assert_eq!(files.threads.load(Ordering::Acquire), 0);
        assert!(files.results.is_empty());
        assert!(!path.exists(), "written after the error was reported");
    }
}

#[test]
fn an_error_says_that_a_file_may_still_be_written() {
    let mut files = FileWork::new();
    let (end, blocked) = bounded::<()>(0);
    let (writes, is_writing) = bounded(1);
    let work = Work::AddGame {
        path: "game.pgn".to_owned(),
        text: String::new(),
    };
    files.start_with(work, move |begin_writing| {
        writes.send(begin_writing()).expect("a receiver");
        let _ = blocked.recv();
        Box::new(|| FileResult::Game(String::new(), Ok(Saved::Alone)))
    });
    assert_eq!(is_writing.recv_timeout(TIMEOUT), Ok(true));
    files.limit(Duration::ZERO);
    let FileResult::Game(_, Err(problem)) = result(&files) else {
        panic!("an error")
    };
    assert!(
        problem.contains("it may still be written later"),
        "{problem}"
    );
    drop(end);
}

#[test]
fn a_result_that_is_there_when_the_time_ends_counts() {
    // A choice at random between the two would be wrong sometimes.
    for _ in 0..100 {
        let (limit_sender, limits) = bounded(1);
        let (message_sender, messages) = bounded(1);
        limit_sender.send(Duration::ZERO).expect("a receiver");
        message_sender.send("result").expect("a receiver");
        assert_eq!(receive_within(&messages, &limits), Ok("result"));
    }
}

#[test]
fn few_threads_are_left_behind() {
    let mut files = FileWork::new();
    let name = "settings".to_owned();
    let ends: Vec<Sender<()>> = (0..MAX_THREADS)
        .map(|_| {
            let end = start_blocked(&mut files, Work::ReadSettings(name.clone()));
            files.limit(Duration::ZERO);
            result(&files);
            end
        })
        .collect();
    files.start(Work::ReadSettings(name));
    let FileResult::Settings(SettingsEvent::Read(_, Err(problem))) = result(&files) else {
        panic!("an error")
    };
    let FileProblem::Other(problem) = problem else {
        panic!("{problem:?}")
    };
    assert!(problem.contains("for other files"), "{problem}");
    files.start(Work::ReadNetwork(PathBuf::new()));
    assert!(
        matches!(result(&files), FileResult::Network(Ok(_))),
        "the embedded network needs no file"
    );
    drop(ends);
}

#[test]
fn the_end_waits_for_a_file_that_is_being_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings");
    let mut files = FileWork::new();
    files.finish_writing(Instant::now() + TIMEOUT);
    let work = Work::WriteSettings {
        path: path.display().to_string(),
        text: "MultiPV=3".to_owned(),
        may_replace: false,
    };
    let end = start_blocked(&mut files, work);
    files.finish_writing(Instant::now() + Duration::from_millis(10));
    assert!(!path.exists());
    drop(end);
    files.finish_writing(Instant::now() + TIMEOUT);
    assert!(path.exists());
}
