//! Tests with the built program: games on disk survive kills, a full disk, a second process and signals.

#![cfg(target_os = "linux")]

mod samples;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gaur_lab::game_file::{GameReader, GameRecord};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The settings of all runs: short searches, two threads, all kinds of games.
const SETTINGS: [&str; 10] = [
    "--nodes",
    "20,60",
    "--share",
    "0.8,0.2",
    "--double-chess960",
    "0.2",
    "--threads",
    "2",
    "--seed",
    "5",
];

/// Time within which a game is written on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Time that a process of the idle scheduling class may need on a busy machine.
const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

fn gaur_lab() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gaur-lab"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn datagen(out: &Path, games: u32) -> Command {
    let mut command = gaur_lab();
    command.arg("datagen").args(SETTINGS);
    command
        .args(["--games", &games.to_string(), "--out"])
        .arg(out);
    command
}

fn run(mut command: Command) -> Output {
    command.output().expect("the program can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts that a run has succeeded, and returns what it printed.
fn succeeded(output: &Output) -> String {
    let error = text(&output.stderr);
    assert!(output.status.success(), "{:?}: {error}", output.status);
    text(&output.stdout)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// A process in the background, which ends with the test at the latest.
struct Background(Child);

impl Background {
    fn start(mut command: Command) -> Background {
        Background(command.spawn().expect("the program can be started"))
    }

    fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        let status = kill.args([name, &self.0.id().to_string()]).status();
        assert!(status.expect("kill can be run").success());
    }

    /// Kills the process, which has no chance to end its work.
    fn kill(mut self) {
        self.signal("-KILL");
        self.0.wait().expect("it has ended");
    }

    /// Ends the process by SIGTERM and returns what it printed. It must succeed.
    fn terminate(self) -> String {
        let (status, printed, error) = self.end_by_sigterm();
        assert!(status.success(), "{status}: {error}");
        printed
    }

    /// Ends the process by SIGTERM and returns its status and what it printed to standard output and error.
    fn end_by_sigterm(mut self) -> (ExitStatus, String, String) {
        self.signal("-TERM");
        let start = Instant::now();
        let status = loop {
            match self.0.try_wait().expect("the process can be asked") {
                Some(status) => break status,
                None => assert!(start.elapsed() < IDLE_TIMEOUT, "SIGTERM is ignored"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        let [mut printed, mut error] = [String::new(), String::new()];
        if let (Some(out), Some(err)) = (&mut self.0.stdout, &mut self.0.stderr) {
            out.read_to_string(&mut printed).expect("text");
            err.read_to_string(&mut error).expect("text");
        }
        (status, printed, error)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until a file is longer than this.
fn wait_for_growth(path: &Path, beyond: u64, process: &mut Background) {
    let start = Instant::now();
    while length(path) <= beyond {
        let ended = process.0.try_wait().expect("the process can be asked");
        assert!(ended.is_none(), "the process has ended: {ended:?}");
        assert!(
            start.elapsed() < TIMEOUT,
            "{} does not grow",
            path.display()
        );
        thread::sleep(Duration::from_millis(1));
    }
}

fn games(path: &Path) -> Vec<GameRecord> {
    let reader = GameReader::open(path).expect("a game file");
    reader.filter_map(Result::ok).collect()
}

/// A script must not take the games of a stopped run for all games.
#[test]
fn a_stopped_run_states_what_it_lacks_and_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let mut child = Background::start(datagen(&path, 1_000_000));
    wait_for_growth(&path, 2000, &mut child);
    let (status, printed, error) = child.end_by_sigterm();
    let count = games(&path).len();
    assert_eq!(status.code(), Some(2), "{error}");
    assert_eq!(printed, "");
    let expected = format!(
        "gaur-lab: interrupted with {count} of 1000000 games; the same command continues the run\n"
    );
    assert!(error.ends_with(&expected), "{error}");
    assert!(count > 0);
    let complete = succeeded(&run(datagen(&path, count as u32)));
    assert!(
        complete.starts_with(&format!("{count} games, ")),
        "{complete}"
    );
}

/// The number of threads of a process.
fn threads(process: &Background) -> usize {
    let tasks = fs::read_dir(format!("/proc/{}/task", process.0.id()));
    tasks.map_or(0, Iterator::count)
}

/// A script must not take the result of a stopped match for that of all games.
#[test]
fn a_stopped_match_fails_after_its_result() {
    let mut command = gaur_lab();
    command.args(["duel", "--nodes", "20", "--pairs", "1000000"]);
    let child = Background::start(command);
    let start = Instant::now();
    // The games have threads of their own, which start after signals are watched.
    while threads(&child) < 2 {
        assert!(start.elapsed() < TIMEOUT, "no game begins");
        thread::sleep(Duration::from_millis(1));
    }
    let (status, printed, error) = child.end_by_sigterm();
    assert_eq!(status.code(), Some(2), "{error}");
    let pairs = error
        .strip_prefix("gaur-lab: interrupted after ")
        .and_then(|rest| rest.strip_suffix(" of 1000000 pairs; the same command starts again\n"))
        .unwrap_or_else(|| panic!("{error}"));
    let games = 2 * pairs.parse::<u32>().expect("a number");
    match games {
        0 => assert_eq!(printed, ""),
        _ => assert!(printed.starts_with(&format!("{games} games ")), "{printed}"),
    }
}

#[test]
fn twenty_kills_change_no_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let [killed, whole] = ["killed", "whole"].map(|name| folder.path().join(name));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut kept = Vec::new();
    for _ in 0..20 {
        let mut child = Background::start(datagen(&killed, 1_000_000));
        let more = u64::from(random.next_u32() % 1500);
        wait_for_growth(&killed, length(&killed) + more, &mut child);
        thread::sleep(Duration::from_micros(u64::from(random.next_u32() % 20_000)));
        child.kill();
        let now = games(&killed);
        assert!(
            now.len() >= kept.len() && now[..kept.len()] == kept[..],
            "games were lost"
        );
        kept = now;
    }
    let count = kept.len() as u32 + 3;
    assert!(count > 20, "only {count} games between the kills");
    succeeded(&run(datagen(&killed, count)));
    succeeded(&run(datagen(&whole, count)));
    assert!(fs::read(&killed).expect("a file") == fs::read(&whole).expect("a file"));
}

#[test]
fn an_incomplete_game_is_removed_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.games");
    succeeded(&run(datagen(&path, 4)));
    let whole = fs::read(&path).expect("a file");
    fs::write(&path, &whole[..whole.len() - 9]).expect("it can be written");

    let mut verify = gaur_lab();
    verify.args(["data", "verify"]).arg(&path);
    let verified = run(verify);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("incomplete game at byte "));

    let output = run(datagen(&path, 4));
    assert!(text(&output.stderr).contains("removed an incomplete part at byte "));
    assert!(succeeded(&output).starts_with("4 games, "));
    assert!(fs::read(&path).expect("a file") == whole);
}

#[test]
fn damage_stops_a_run_and_is_repaired() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.games");
    succeeded(&run(datagen(&path, 4)));
    let whole = fs::read(&path).expect("a file");
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, &damaged).expect("it can be written");

    let output = run(datagen(&path, 6));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("`gaur-lab data repair`"),
        "{output:?}"
    );
    assert!(fs::read(&path).expect("a file") == damaged);

    // Every reader reports the parts that it skips.
    let new = |name: &str| folder.path().join(name);
    let [shuffled, filtered, samples, repaired] =
        ["shuffled", "filtered", "samples", "repaired.games"].map(new);
    let commands: [(&[&str], Option<&PathBuf>); 5] = [
        (&["count"], None),
        (&["convert", "--to", "text"], None),
        (&["shuffle"], Some(&shuffled)),
        (&["filter"], Some(&filtered)),
        (&["samples"], Some(&samples)),
    ];
    for (words, out) in commands {
        let mut command = gaur_lab();
        command.arg("data").args(words).arg(&path);
        if let Some(out) = out {
            command.arg("--out").arg(out);
        }
        let output = run(command);
        succeeded(&output);
        let error = text(&output.stderr);
        assert!(
            error.contains("skipped: damaged at byte "),
            "{words:?}: {error}"
        );
    }
    let mut verify = gaur_lab();
    verify.args(["data", "verify"]).arg(&path);
    let output = run(verify);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("damaged at byte "),
        "{output:?}"
    );

    let mut repair = gaur_lab();
    repair
        .args(["data", "repair"])
        .arg(&path)
        .arg("--out")
        .arg(&repaired);
    succeeded(&run(repair));
    assert!(succeeded(&run(datagen(&repaired, 4))).starts_with("4 games, "));
    let mut found: Vec<String> = games(&repaired)
        .iter()
        .map(|game| format!("{game:?}"))
        .collect();
    fs::write(&path, &whole).expect("it can be written");
    let mut expected: Vec<String> = games(&path)
        .iter()
        .map(|game| format!("{game:?}"))
        .collect();
    found.sort();
    expected.sort();
    assert!(found == expected, "the lost game was played again");
}

#[test]
fn a_full_disk_loses_no_complete_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let [full, whole] = ["full", "whole"].map(|name| folder.path().join(name));
    // A limit of the file size ends a write in the middle of a game, as a full disk does.
    let mut command = Command::new("bash");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]);
    let datagen_here = datagen(&full, 1000);
    command
        .arg(datagen_here.get_program())
        .args(datagen_here.get_args());
    let output = run(command);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = text(&output.stderr);
    assert!(
        error.contains("make room and repeat the command"),
        "{error}"
    );
    let count = games(&full).len() as u32;
    assert!(count > 0 && length(&full) <= 4096);
    let mut verify = gaur_lab();
    verify.args(["data", "verify"]).arg(&full);
    succeeded(&run(verify));

    succeeded(&run(datagen(&full, count + 2)));
    succeeded(&run(datagen(&whole, count + 2)));
    assert!(fs::read(&full).expect("a file") == fs::read(&whole).expect("a file"));
}

#[test]
fn two_processes_cannot_write_to_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [shared, whole] = ["shared", "whole"].map(|name| folder.path().join(name));
    let mut first = Background::start(datagen(&shared, 1_000_000));
    wait_for_growth(&shared, 1000, &mut first);
    for _ in 0..3 {
        let second = run(datagen(&shared, 1_000_000));
        assert_eq!(second.status.code(), Some(2));
        assert!(
            text(&second.stderr).contains("another process is writing"),
            "{second:?}"
        );
    }
    wait_for_growth(&shared, length(&shared) + 1000, &mut first);
    let (status, _, error) = first.end_by_sigterm();
    assert_eq!(status.code(), Some(2), "{error}");
    let count = games(&shared).len() as u32;
    succeeded(&run(datagen(&whole, count)));
    assert!(fs::read(&shared).expect("a file") == fs::read(&whole).expect("a file"));
}

#[test]
fn a_foreign_file_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    for foreign in [
        "a diary",
        "a much longer diary, with more than thirty-two bytes\n",
    ] {
        fs::write(&path, foreign).expect("it can be written");
        let output = run(datagen(&path, 1));
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains("not a game file"),
            "{output:?}"
        );
        assert_eq!(fs::read_to_string(&path).expect("a file"), foreign);
    }
}

fn harvest(folder: &Path) -> Command {
    let mut command = gaur_lab();
    command.arg("harvest").arg(folder);
    command.args(["--nodes", "20", "--threads", "2", "--games-per-file", "40"]);
    command.arg("--ignore-load");
    command
}

/// The length of all game files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()))
        .sum()
}

fn wait_for_folder(folder: &Path, beyond: u64) {
    let start = Instant::now();
    while size(folder) <= beyond {
        assert!(start.elapsed() < IDLE_TIMEOUT, "no games are played");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_harvest_is_stopped_killed_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let (folder, alone) = (folder.path().join("harvest"), folder.path().join("alone"));
    for round in 0..6 {
        let child = Background::start(harvest(&folder));
        wait_for_folder(&folder, size(&folder) + 3000);
        let second = run(harvest(&folder));
        assert_eq!(second.status.code(), Some(2));
        let expected = format!("process {} generates games", child.0.id());
        assert!(text(&second.stderr).contains(&expected), "{second:?}");
        if round % 2 == 0 {
            let printed = child.terminate();
            assert!(printed.starts_with("stopped by a signal: "), "{printed}");
        } else {
            child.kill();
        }
    }
    let child = Background::start(harvest(&folder));
    wait_for_folder(&folder, size(&folder) + 1000);
    child.terminate();
    let mut verify = gaur_lab();
    verify.args(["data", "verify"]).arg(&folder);
    succeeded(&run(verify));

    // A file is what `gaur-lab datagen` writes with its seed.
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let entries = fs::read_dir(&folder).expect("a folder");
    let first = entries
        .filter_map(|entry| entry.ok().map(name))
        .find(|name| name.ends_with("-n20-s000001.games"))
        .expect("the first file");
    let mut command = gaur_lab();
    command
        .args(["datagen", "--nodes", "20", "--games", "40", "--out"])
        .arg(&alone);
    succeeded(&run(command));
    assert!(fs::read(folder.join(first)).expect("a file") == fs::read(&alone).expect("a file"));
}

#[test]
fn a_harvest_uses_idle_processors_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = Background::start(harvest(folder.path()));
    wait_for_folder(folder.path(), 2000);
    let tasks = fs::read_dir(format!("/proc/{}/task", child.0.id())).expect("its threads");
    let mut threads = 0;
    for task in tasks {
        let task = task.expect("a thread").path();
        let mut scheduling = String::new();
        let file = fs::File::open(task.join("sched"));
        // Kernels without this file have the policy in field 41 of `stat`; 5 is SCHED_IDLE.
        match file {
            Ok(mut file) => {
                file.read_to_string(&mut scheduling).expect("text");
                let policy = scheduling.lines().find(|line| line.starts_with("policy"));
                assert!(
                    policy.is_some_and(|line| line.ends_with(" 5")),
                    "{policy:?}"
                );
            }
            Err(_) => {
                let stat = fs::read_to_string(task.join("stat")).expect("text");
                let after_name = stat.rsplit_once(')').expect("a name").1;
                assert_eq!(after_name.split_whitespace().nth(38), Some("5"), "{stat}");
            }
        }
        threads += 1;
    }
    assert_eq!(threads, 3, "two players and the writer");
    child.terminate();
}
