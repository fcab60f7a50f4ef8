//! `gaur-lab data samples` and `data convert` leave no incomplete file.

use std::io::{BufWriter, Write};

use super::*;

/// A folder with a file of 300 games.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    succeeded(&run(datagen(&folder.path().join("run.games"), 300)));
    folder
}

fn samples(folder: &Path) -> Command {
    let mut command = gaur_lab();
    command.args(["data", "samples", "--validation-share", "0.1"]);
    command.arg(folder.join("run.games"));
    command.arg("--out").arg(folder.join("run.samples"));
    command
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| text(entry.expect("an entry").file_name().as_encoded_bytes()))
        .collect();
    names.sort();
    names
}

const COMPLETE: [&str; 3] = ["run.games", "run.samples", "run.validation"];

/// A file with the same games many times, for commands that take a while. It may be too large for a folder in memory.
struct LongFile {
    folder: tempfile::TempDir,
}

impl LongFile {
    /// Writes the games of `folder` `count` times.
    fn new(folder: &Path, count: usize) -> LongFile {
        let own = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let file = LongFile { folder: own };
        // The new file belongs to no run, so that no command warns.
        let once = file.folder.path().join("once");
        let mut shuffle = gaur_lab();
        shuffle.args(["data", "shuffle"]);
        shuffle.arg(folder.join("run.games"));
        shuffle.arg("--out").arg(&once);
        succeeded(&run(shuffle));
        let bytes = fs::read(&once).expect("a file");
        let text = bytes[12..16].try_into().expect("four bytes");
        let (header, blocks) = bytes.split_at(20 + u32::from_le_bytes(text) as usize);
        let mut many = BufWriter::new(fs::File::create(file.path()).expect("a file"));
        many.write_all(header).expect("written");
        for _ in 0..count {
            many.write_all(blocks).expect("written");
        }
        many.flush().expect("written");
        file
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("many")
    }

    /// Adds the file to the arguments of a command.
    fn added_to(&self, mut command: Command) -> Command {
        command.arg(self.path());
        command
    }
}

/// Starts a command and returns when the condition is met, while it is at work.
fn started(command: Command, is_met: impl Fn() -> bool) -> Background {
    let mut child = Background::start(command);
    let start = Instant::now();
    while !is_met() {
        let ended = child.0.try_wait().expect("the process can be asked");
        assert!(ended.is_none(), "the process has ended: {ended:?}");
        assert!(start.elapsed() < TIMEOUT, "the work does not begin");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn interrupted_and_killed_conversions_leave_no_incomplete_file() {
    let folder = folder();
    let folder = folder.path();
    // It is created when the work folder is locked.
    let bucket = folder.join("run.samples.parts/training-0");
    let long_file = LongFile::new(folder, 300);
    let long = || long_file.added_to(samples(folder));
    let mut child = started(long(), || bucket.exists());
    let second = run(samples(folder));
    assert!(
        text(&second.stderr).contains("another process writes these samples"),
        "{second:?}"
    );
    child.signal("-INT");
    let status = child.0.wait().expect("it has ended");
    assert_eq!(status.code(), Some(2));
    let mut error = String::new();
    let stderr = child.0.stderr.as_mut().expect("a pipe");
    stderr.read_to_string(&mut error).expect("text");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("interrupted; "), "{error}");
    assert_eq!(names(folder), ["run.games"]);

    started(long(), || bucket.exists()).kill();
    assert_eq!(names(folder), ["run.games", "run.samples.parts"]);
    succeeded(&run(samples(folder)));
    assert_eq!(names(folder), COMPLETE);
}

#[test]
fn a_kill_in_the_second_pass_leaves_no_validation_file_alone() {
    let folder = folder();
    let folder = folder.path();
    let parts = folder.join("run.samples.parts");
    let long_file = LongFile::new(folder, 300);
    let long = || long_file.added_to(samples(folder));
    let training = parts.join(".training.gaur-part");
    started(long(), || training.exists()).kill();
    assert_eq!(names(folder), ["run.games", "run.samples.parts"]);
    succeeded(&run(long()));
    assert_eq!(names(folder), COMPLETE);
}

#[test]
fn what_other_killed_commands_have_left_is_replaced() {
    let folder = folder();
    let folder = folder.path();
    let data = |words: &[&str]| {
        let mut command = gaur_lab();
        command
            .arg("data")
            .args(words)
            .arg(folder.join("run.games"));
        command.arg("--out").arg(folder.join("new"));
        command
    };
    let part = folder.join(".new.gaur-part");
    let commands: [&[&str]; 3] = [
        &["samples", "--ordered"],
        &["convert", "--to", "text"],
        &["filter", "--variant", "standard"],
    ];
    // The fastest command, `filter`, takes seconds, so that it is at work when the second one starts.
    let long_file = LongFile::new(folder, 6000);
    for words in commands {
        let child = started(long_file.added_to(data(words)), || length(&part) > 0);
        let second = run(data(words));
        assert_eq!(second.status.code(), Some(2), "{second:?}");
        let error = text(&second.stderr);
        assert!(
            error.contains("another process is writing"),
            "{words:?}: {error}"
        );
        child.kill();
        assert_eq!(names(folder), [".new.gaur-part", "run.games"]);
        succeeded(&run(data(words)));
        assert_eq!(names(folder), ["new", "run.games"]);
        fs::remove_file(folder.join("new")).expect("it can be removed");
    }
}

#[test]
fn a_full_disk_leaves_no_incomplete_file() {
    let folder = folder();
    let folder = folder.path();
    // A limit of the file size ends a write, as a full disk does: in the first pass, and in the second.
    let limited = |kilobytes: u32, command: Command| {
        let mut limited = Command::new("bash");
        limited.stdout(Stdio::piped()).stderr(Stdio::piped());
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
        limited.args(["-c", &script]);
        limited.arg(command.get_program()).args(command.get_args());
        run(limited)
    };
    succeeded(&run(samples(folder)));
    let kilobytes = length(&folder.join("run.samples")) as u32 / 1024;
    for name in ["run.samples", "run.validation"] {
        fs::remove_file(folder.join(name)).expect("it can be removed");
    }
    let convert = || {
        let mut command = gaur_lab();
        command.args(["data", "convert", "--to", "bulletformat"]);
        command.arg(folder.join("run.games"));
        command.arg("--out").arg(folder.join("run.bullet"));
        command
    };
    for (limit, command) in [
        (20, samples(folder)),
        (kilobytes, samples(folder)),
        (20, convert()),
    ] {
        let output = limited(limit, command);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = text(&output.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains("cannot write "), "{error}");
        assert!(
            error.contains("make room and repeat the command"),
            "{error}"
        );
        assert_eq!(names(folder), ["run.games"]);
    }
    succeeded(&run(samples(folder)));
    assert_eq!(names(folder), COMPLETE);
}

#[test]
fn damaged_sample_files_are_found() {
    let folder = folder();
    let folder = folder.path();
    succeeded(&run(samples(folder)));
    let verify = |name: &str| {
        let mut command = gaur_lab();
        command.args(["data", "verify"]).arg(folder.join(name));
        run(command)
    };
    let printed = succeeded(&verify("run.samples"));
    assert!(
        printed.contains(" samples, training, no defects"),
        "{printed}"
    );
    let printed = succeeded(&verify("run.validation"));
    assert!(
        printed.contains(" samples, validation, no defects"),
        "{printed}"
    );
    let mut bytes = fs::read(folder.join("run.samples")).expect("a file");
    bytes[100] ^= 1;
    fs::write(folder.join("run.samples"), &bytes).expect("it can be written");
    let output = verify("run.samples");
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(
        printed.contains("run.samples: damaged between byte 64 and byte "),
        "{printed}"
    );
    assert_eq!(printed.lines().count(), 1, "{printed}");
}
