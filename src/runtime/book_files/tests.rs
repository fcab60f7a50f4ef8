//! Books and files of results that can be used, and those that cannot.

use tempfile::TempDir;

use super::*;
use crate::book::LearnedResult;

fn entry(key: u64) -> Entry {
    Entry {
        key,
        mv: 1,
        weight: 1,
        learn: 0,
    }
}

/// A folder with a book of one entry, and the name of its file.
fn book() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    fs::write(&path, entry(5).to_bytes()).expect("written");
    let name = path.display().to_string();
    (folder, name)
}

fn learn_result(
    file: &str,
    result: LearnedResult,
    begin_writing: &dyn Fn() -> bool,
) -> Result<Learned, String> {
    let mv = 796;
    learn(file, &[LearnedMove { key: 5, mv, result }], begin_writing)
}

fn learn_win(file: &str) -> Result<Learned, String> {
    learn_result(file, LearnedResult::Win, &|| true)
}

#[test]
fn a_book_is_opened() {
    let (_folder, name) = book();
    let report = load(&name, false);
    let book = report.book.expect("a book");
    let found = book.entries(5, Duration::ZERO).expect("readable");
    assert_eq!(
        (found.entries, found.time),
        (vec![entry(5)], Duration::ZERO)
    );
    assert_eq!((report.learned, report.problem), (None, None));
}

#[test]
fn the_built_in_book_needs_no_file() {
    assert!(load("", false).book.is_ok());
    assert!(unreadable("", "no thread").book.is_ok());
}

#[test]
fn a_file_that_is_no_book_is_a_problem() {
    let (folder, name) = book();
    let problem = |name: &str| load(name, false).book.map(drop).expect_err("no book");
    let missing = folder.path().join("missing.bin").display().to_string();
    assert_eq!(problem(&missing), format!("{missing} does not exist"));
    fs::write(&name, "no book").expect("written");
    assert!(problem(&name).contains("is not a Polyglot book"));
    let folder = folder.path().display().to_string();
    assert_eq!(
        problem(&folder),
        format!("{folder} is not an ordinary file")
    );
}

#[test]
fn results_are_learned_in_a_file_beside_the_book() {
    let (_folder, name) = book();
    let report = load(&name, true);
    assert_eq!(
        (report.learned, report.problem),
        (Some(Learned::default()), None)
    );
    learn_win(&name).expect("learned");
    let learned = learn_result(&name, LearnedResult::Loss, &|| true).expect("learned");
    let text = fs::read_to_string(format!("{name}.learned")).expect("a file");
    assert!(text.ends_with("\n0000000000000005 e2e4 1 0 1\n"), "{text}");
    assert_eq!(load(&name, true).learned, Some(learned));
    assert_eq!(load(&name, false).learned, None);
}

#[test]
fn damaged_lines_are_reported_and_kept() {
    let (_folder, name) = book();
    let file = format!("{name}.learned");
    let text = "# Gaur book learning, version 1\n# mine\n0000000000000005 e2e4 1 0 0\ndamage\n";
    fs::write(&file, text).expect("written");
    let report = load(&name, true);
    let problem = report.problem.expect("a problem");
    assert!(problem.contains("1 line(s) cannot be read"), "{problem}");
    assert_eq!(
        fs::read_to_string(&file).expect("a file"),
        text,
        "unchanged"
    );
    learn_win(&name).expect("learned");
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.contains("# mine\n# not readable: damage\n"), "{text}");
    assert!(text.contains("e2e4 2 0 0"), "{text}");
    assert_eq!(load(&name, true).problem, None);
}

#[test]
fn another_file_is_not_overwritten() {
    let (_folder, name) = book();
    let file = format!("{name}.learned");
    for content in [&b"a letter\n"[..], &[0xff, 0xfe]] {
        fs::write(&file, content).expect("written");
        let report = load(&name, true);
        assert!(report.book.is_ok() && report.learned.is_none());
        let problem = report.problem.expect("a problem");
        assert!(problem.ends_with("Gaur learns nothing."), "{problem}");
        let problem = learn_win(&name).expect_err("not learned");
        assert!(
            problem.contains(&file) && problem.contains("not learned"),
            "{problem}"
        );
        assert_eq!(fs::read(&file).expect("a file"), content);
    }
}

#[test]
fn a_cancelled_result_is_not_written() {
    let (_folder, name) = book();
    learn_win(&name).expect("learned");
    let file = format!("{name}.learned");
    let before = fs::read(&file).expect("a file");
    let problem = learn_result(&name, LearnedResult::Win, &|| false);
    assert!(problem.expect_err("cancelled").contains("not learned"));
    assert_eq!(fs::read(&file).expect("a file"), before);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let (folder, _) = book();
    let file = folder.path().join("none/book.bin").display().to_string();
    let problem = learn_win(&file).expect_err("not learned");
    assert!(
        problem.contains("lies in a folder that does not exist"),
        "{problem}"
    );
}

#[test]
fn several_programs_lose_no_result() {
    let (_folder, name) = book();
    let wins = 15;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..wins).for_each(|_| drop(learn_win(&name).expect("learned"))));
        }
    });
    let text = fs::read_to_string(format!("{name}.learned")).expect("a file");
    assert!(text.ends_with(" e2e4 60 0 0\n"), "{text}");
}

#[test]
fn a_lock_that_is_not_released_is_an_error() {
    let (_folder, name) = book();
    let path = PathBuf::from(format!("{name}.learned"));
    let held = lock(&path).expect("free");
    let problem = learn_win(&name).expect_err("locked");
    assert!(
        problem.contains("is in use by another program"),
        "{problem}"
    );
    assert!(!path.exists());
    drop(held);
    learn_win(&name).expect("learned");
}

/// A book that answers each request when the test allows it.
#[derive(Debug)]
struct SlowBook(Receiver<()>);

impl BookSource for SlowBook {
    fn entries(&self, key: u64, _: Duration) -> Result<FoundEntries, String> {
        self.0.recv().unwrap_or_default();
        let entries = vec![entry(key)];
        Ok(FoundEntries {
            entries,
            time: Duration::ZERO,
        })
    }

    fn is_in_memory(&self) -> bool {
        false
    }
}

/// Returns a large book, and a channel that allows its answers.
fn slow_book(max_silence: Duration) -> (LargeBook, Sender<()>) {
    let (allow, allowed) = crossbeam_channel::unbounded();
    let book = LargeBook::start(Box::new(SlowBook(allowed)), max_silence);
    (book.expect("a thread"), allow)
}

/// Time that is longer than anything in these tests.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_large_book_answers_through_its_thread() {
    let (book, allow) = slow_book(LONG);
    drop(allow);
    for key in 0..100 {
        let found = book.entries(key, LONG).expect("in time");
        assert_eq!(found.entries, [entry(key)]);
        assert!(!found.time.is_zero(), "the clock is charged for it");
    }
}

#[test]
fn a_look_up_without_an_answer_counts_once() {
    let (book, allow) = slow_book(LONG);
    let started = Instant::now();
    let found = book.entries(1, MAX_LOOK_UP_TIME).expect("still used");
    assert!(found.entries.is_empty() && found.time >= MAX_LOOK_UP_TIME);
    // A disk that needs seconds to start has time for it, and costs no more time meanwhile.
    for key in 0..100 {
        let found = book.entries(key, LONG).expect("still used");
        assert_eq!(found, FoundEntries::default());
    }
    assert!(started.elapsed() < LONG);
    drop(allow);
    let found = || book.entries(7, LONG).expect("in time").entries;
    while found() != [entry(7)] {
        assert!(started.elapsed() < LONG);
        thread::sleep(LOCK_INTERVAL);
    }
}

#[test]
fn a_book_without_any_answer_is_given_up_after_a_time() {
    let (book, _allow) = slow_book(Duration::ZERO);
    let found = book.entries(1, Duration::ZERO).expect("still used");
    assert!(found.entries.is_empty());
    assert_eq!(book.entries(1, Duration::ZERO), Err(NO_ANSWER.to_owned()));
}

#[test]
fn a_book_that_is_always_late_is_given_up() {
    let (book, allow) = slow_book(LONG);
    // A limit that leaves no disk enough time does not count.
    let limits = [Duration::ZERO; 20].into_iter();
    let limits = limits.chain([MAX_LOOK_UP_TIME; MAX_LATE as usize]);
    let mut results = Vec::new();
    for limit in limits {
        results.push(book.entries(1, limit));
        allow.send(()).expect("the thread");
        // The next look-up begins after the answer.
        let is_answered = || {
            let state = book.state.lock().expect("no panic");
            state
                .pending
                .as_ref()
                .is_none_or(|(answers, _)| !answers.is_empty())
        };
        while !is_answered() {
            thread::sleep(LOCK_INTERVAL);
        }
    }
    let last = results.pop().expect("results");
    assert_eq!(last, Err(NO_ANSWER.to_owned()));
    assert!(results.iter().all(|result| result.is_ok()));
}
