//! Books and files of results that can be used, and those that cannot.

use tempfile::TempDir;

use super::*;

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

fn learn_win(file: &str) -> Result<Learned, String> {
    learn(file, &[(5, 796)], LearnedResult::Win, &|| true)
}

#[test]
fn a_book_is_opened() {
    let (_folder, name) = book();
    let report = load(&name, false);
    let book = report.book.expect("a book");
    assert_eq!(book.entries(5), Ok(vec![entry(5)]));
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
    let learned = learn(&name, &[(5, 796)], LearnedResult::Loss, &|| true).expect("learned");
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
    let problem = learn(&name, &[(5, 796)], LearnedResult::Win, &|| false);
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

/// A book that answers after a time.
#[derive(Debug)]
struct SlowBook(Duration);

impl BookSource for SlowBook {
    fn entries(&self, key: u64) -> Result<Vec<Entry>, String> {
        std::thread::sleep(self.0);
        Ok(vec![entry(key)])
    }
}

#[test]
fn a_large_book_answers_through_its_thread() {
    let book = LargeBook::start(Box::new(SlowBook(Duration::ZERO)), Duration::from_secs(20));
    let book = book.expect("a thread");
    for key in 0..100 {
        assert_eq!(book.entries(key), Ok(vec![entry(key)]));
    }
}

#[test]
fn a_book_that_does_not_answer_is_given_up() {
    let slow = SlowBook(Duration::from_secs(5));
    let book = LargeBook::start(Box::new(slow), Duration::from_millis(1)).expect("a thread");
    for _ in 1..MAX_TIMEOUTS {
        assert_eq!(book.entries(1), Ok(vec![]));
    }
    let problem = book.entries(1).expect_err("given up");
    assert!(problem.starts_with("does not answer in time"), "{problem}");
}
