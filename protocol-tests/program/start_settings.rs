//! Options from the command line and the environment.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::engine::{Engine, TIMEOUT, program_with};

/// Returns an empty folder in Cargo's folder for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("start-{name}"));
    // It may exist from an earlier run.
    fs::remove_dir_all(&folder).unwrap_or_default();
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// Writes a file and returns its path as text.
fn file(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Sends `xboard` and `protover 2`, and returns the lines up to the pong of a ping behind them.
fn handshake(engine: &mut Engine) -> Vec<String> {
    engine.send("xboard\nprotover 2\nping 1\n");
    let mut lines = Vec::new();
    loop {
        match engine.line() {
            line if line == "pong 1" => return lines,
            line if line.is_empty() => panic!("the engine ended after {lines:?}"),
            line => lines.push(line),
        }
    }
}

/// Returns the announced type and value of an option.
fn announced(lines: &[String], name: &str) -> String {
    let option = format!("option=\"{name} -");
    let line = lines.iter().find(|line| line.contains(&option));
    let (_, rest) = line.expect("the option").split_once(&option).expect("it");
    rest.trim_end_matches(['"', ' ']).to_owned()
}

/// Returns the lines after the features.
fn after_features(lines: &[String]) -> &[String] {
    let done = lines.iter().position(|line| line == "feature done=1");
    &lines[done.expect("features") + 1..]
}

#[test]
fn later_sources_replace_earlier_ones() {
    let folder = folder("order");
    let variable = file(
        &folder,
        "variable",
        "MultiPV=2\nVariety=2\nResign=200\nDrawScore=2\n",
    );
    let argument = file(&folder, "argument", "Variety=3\nResign=300\nDrawScore=3\n");
    let loaded = file(&folder, "loaded", "DrawScore=5\n");
    let mut command = program_with(["--set", "Resign=400", "--settings", &argument]);
    command
        .arg("--set=DrawScore=4")
        .env("GAUR_SETTINGS", variable);
    let mut engine = Engine::start(command);
    let lines = handshake(&mut engine);
    for (option, value) in [
        ("MoveOverhead", "spin 30 0 5000"),
        ("MultiPV", "spin 2 1 64"),
        ("Variety", "spin 3 0 100"),
        ("Resign", "spin 400 0 10000"),
        ("DrawScore", "spin 4 -10000 10000"),
        ("SettingsFile", &format!("file {argument}")),
    ] {
        assert_eq!(announced(&lines, option), value);
    }
    assert_eq!(after_features(&lines), [""; 0]);
    // The options of the GUI come last.
    engine.send(format!("option SettingsFile={loaded}\n"));
    let lines = handshake(&mut engine);
    assert_eq!(announced(&lines, "DrawScore"), "spin 5 -10000 10000");
    assert_eq!(announced(&lines, "Resign"), "spin 400 0 10000");
    engine.exits_cleanly();
}

/// gnome-chess, Knights and DreamChess start the engine with the arguments of its entry, and send neither `protover`
/// nor `option`. Each of them sends lines such as these.
#[test]
fn arguments_work_with_guis_that_cannot_set_options() {
    let folder = folder("plain");
    let settings = file(&folder, "gaur.txt", "# two lines\nMultiPV=2\n");
    for start in [
        "xboard\nrandom\neasy\nsd 2\nforce\ng1f3\ngo\n",
        "xboard\nsd 1\ng1f3\n",
        "xboard\nnew\nrandom\nsd 1\ndepth 1\ng1f3\n",
    ] {
        for (arguments, count) in [
            (&["--set", "MultiPV=3"][..], 3),
            (&["--settings", &settings], 2),
        ] {
            let mut engine = Engine::start(program_with(arguments));
            engine.send(start);
            assert!(engine.line_with("move ").len() >= "move d7d5".len());
            engine.send("force\npost\nanalyze\n");
            let depths: Vec<String> = (0..=count)
                .map(|_| engine.line().split(' ').next().unwrap_or_default().into())
                .collect();
            assert!(
                depths[..count].iter().all(|depth| depth == "1"),
                "{depths:?}"
            );
            assert_eq!(depths[count], "2");
            engine.send("exit\nquit\n");
            assert!(engine.exit_within(TIMEOUT).success());
        }
    }
}

/// XBoard adds an empty argument to an engine command that ends with a quotation mark or a space, as in
/// `xboard -fcp "gaur --settings 'my settings.txt'"`.
#[test]
fn an_empty_argument_at_the_end_is_ignored() {
    let folder = folder("quoted");
    let path = file(&folder, "my settings.txt", "MultiPV=4\n");
    for (arguments, value) in [
        (&["--settings", &path, ""][..], 4),
        (&[&format!("--settings={path}"), ""], 4),
        (&["--set", "MultiPV=5", "", ""], 5),
        (&["--set=MultiPV=5", ""], 5),
        (&["--plain", ""], 1),
        (&[""], 1),
        // An empty value is an error of the user, with which Gaur plays on.
        (&["--set", ""], 1),
    ] {
        let mut engine = Engine::start(program_with(arguments));
        let lines = handshake(&mut engine);
        assert_eq!(announced(&lines, "MultiPV"), format!("spin {value} 1 64"));
        engine.send("quit\n");
        assert!(engine.exit_within(TIMEOUT).success());
    }
}

#[test]
fn errors_are_printed_and_shown_and_gaur_plays_on() {
    let folder = folder("errors");
    let bad = file(&folder, "bad", "MultiPV=2\nOptimism=1\n");
    let pipe = folder.join("pipe").to_str().expect("UTF-8").to_owned();
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be run").success());
    let missing = folder.join("missing").to_str().expect("UTF-8").to_owned();
    let mut command = program_with(["--settings", &bad, "--settings", &pipe]);
    command.args([
        "--set",
        "Optimism=1",
        "--set",
        "MultiPV=no",
        "--set",
        "Variety=7",
    ]);
    command.arg("--settings").arg(OsStr::from_bytes(b"caf\xe9"));
    command.env("GAUR_SETTINGS", &missing);
    let expected = [
        format!(
            "GAUR_SETTINGS={missing} cannot be read: the file does not exist; create it with an editor, or with the \
             options SettingsFile and SaveSettings"
        ),
        format!(
            "--settings {bad}, line 2: Optimism: there is no such option; `gaur man` lists all; it \
             changes no setting"
        ),
        format!("--settings {pipe} is not an ordinary file; it changes no setting"),
        "--settings caf\u{fffd}: the name of the file or folder is not UTF-8, and Gaur cannot use \
         it; rename it"
            .to_owned(),
        "--set Optimism=1: there is no such option; `gaur man` lists all".to_owned(),
        "--set MultiPV=no: the option cannot have this value, only 1 to 64".to_owned(),
    ];
    let mut engine = Engine::start(command);
    let lines = handshake(&mut engine);
    assert_eq!(announced(&lines, "MultiPV"), "spin 1 1 64");
    assert_eq!(announced(&lines, "Variety"), "spin 7 0 100");
    let shown = expected
        .iter()
        .map(|text| format!("tellusererror Error: {text}"));
    assert_eq!(after_features(&lines), shown.collect::<Vec<_>>());
    engine.send("sd 1\nusermove e2e4\n");
    assert!(engine.line().starts_with("move "));
    engine.send("quit\n");
    assert!(engine.exit_within(TIMEOUT).success());
    let printed: Vec<String> = expected
        .iter()
        .map(|text| format!("gaur: {text}"))
        .collect();
    let errors = engine.errors();
    assert_eq!(errors.lines().collect::<Vec<_>>(), printed);
}

/// The input ends at once, so that the engine handles nothing but the start.
#[test]
fn errors_are_printed_without_any_input() {
    let mut command = program_with(["--set", "Optimism=1"]);
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "gaur: --set Optimism=1: there is no such option; `gaur man` lists all\n"
    );
    assert!(output.stdout.is_empty(), "{output:?}");
}

/// XBoard joins standard error and standard output. Reading such a pipe, it would end the engine because of some words
/// of the system.
#[test]
fn errors_in_the_pipe_of_the_replies_do_not_disturb_the_handshake() {
    let mut command = Command::new("bash");
    let script = "exec \"$0\" --set 'Permission denied=1' --set 'No such file=2' 2>&1";
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_gaur")])
        .env_remove("GAUR_LOG")
        .env_remove("GAUR_SETTINGS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut engine = Engine::start(command);
    let lines = handshake(&mut engine);
    let known = ["feature ", "tellusererror Error: --set ", "gaur: --set "];
    for line in &lines {
        assert!(known.iter().any(|word| line.starts_with(word)), "{line}");
        for phrase in ["Permission denied", "No such file"] {
            assert!(!line.contains(phrase), "{line}");
        }
    }
    engine.exits_cleanly();
}

#[test]
fn errors_that_nobody_reads_do_not_stop_the_engine() {
    // More than a pipe holds.
    let options =
        (0..2_000).flat_map(|number| ["--set".to_owned(), format!("Optimism={number:060}")]);
    let mut engine = Engine::start(program_with(options));
    let lines = handshake(&mut engine);
    assert!(lines.contains(&"feature done=1".to_owned()));
    engine.send("sd 1\nusermove e2e4\n");
    engine.line_with("move ");
    engine.send("quit\n");
    assert!(engine.exit_within(TIMEOUT).success());
}

/// `/proc/kmsg` is an ordinary file that blocks readers, for those who may open it; others get an error. Both must not
/// delay the features.
#[test]
fn files_that_block_or_cannot_be_read_delay_the_start_only_briefly() {
    let folder = folder("blocks");
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be run").success());
    for path in [
        Path::new("/proc/kmsg"),
        &pipe,
        &folder,
        Path::new("/dev/zero"),
    ] {
        let mut command = program_with([OsStr::new("--settings"), path.as_os_str()]);
        command.args(["--set", "MultiPV=3"]);
        let started = Instant::now();
        let mut engine = Engine::start(command);
        let lines = handshake(&mut engine);
        let elapsed = started.elapsed();
        assert_eq!(announced(&lines, "MultiPV"), "spin 3 1 64");
        let [error] = after_features(&lines) else {
            panic!("one error: {:?}", after_features(&lines))
        };
        let beginning = format!("tellusererror Error: --settings {} ", path.display());
        assert!(error.starts_with(&beginning), "{error}");
        // The limit is one second after `protover`; a file that no limit ends would block for five.
        assert!(elapsed < Duration::from_secs(4), "{elapsed:?}");
        engine.send("quit\n");
        assert!(engine.exit_within(TIMEOUT).success());
    }
}

#[test]
fn settings_are_saved_to_the_file_of_the_start() {
    let folder = folder("save");
    let path = file(&folder, "settings", "MultiPV=2\n");
    let read = || fs::read_to_string(&path).expect("the file");
    let mut engine = Engine::start(program_with(["--settings", &path, "--set", "Variety=9"]));
    handshake(&mut engine);
    engine.send("option Resign=700\noption SaveSettings\n");
    engine.ping(2);
    for line in ["MultiPV=2", "Variety=9", "Resign=700"] {
        assert!(read().lines().any(|saved| saved == line), "{line}");
    }
    // The defaults are those of Gaur, not those of the start.
    engine.send("option ResetSettings\noption SaveSettings\n");
    engine.ping(3);
    for line in ["MultiPV=1", "Variety=0", "Resign=0"] {
        assert!(read().lines().any(|saved| saved == line), "{line}");
    }
    engine.exits_cleanly();

    // A file with an error is not replaced.
    fs::write(&path, "not a settings file\n").expect("written");
    let mut engine = Engine::start(program_with(["--settings", &path]));
    handshake(&mut engine);
    engine.send("option SaveSettings\n");
    assert!(
        engine
            .line_with("tellusererror ")
            .contains("first name a file")
    );
    engine.send("quit\n");
    assert!(engine.exit_within(TIMEOUT).success());
    assert_eq!(read(), "not a settings file\n");
}

/// Settings files that `SaveSettings` has written contain an empty `LogFolder`.
#[test]
fn a_settings_file_does_not_end_the_log_of_the_environment() {
    let folder = folder("log");
    let logs = folder.join("logs");
    let path = file(&folder, "settings", "LogFolder=\nMultiPV=2\n");
    let mut command = program_with(["--set", "LogNote=a note"]);
    command.env("GAUR_LOG", &logs).env("GAUR_SETTINGS", &path);
    let mut engine = Engine::start(command);
    let lines = handshake(&mut engine);
    let name = logs.to_str().expect("UTF-8");
    assert_eq!(announced(&lines, "LogFolder"), format!("path {name}"));
    assert_eq!(announced(&lines, "MultiPV"), "spin 2 1 64");
    engine.exits_cleanly();
    let mut entries = fs::read_dir(&logs).expect("a folder");
    let entry = entries.next().expect("a log").expect("an entry");
    assert!(entries.next().is_none(), "a second log");
    let log = fs::read_to_string(entry.path()).expect("a log");
    // GUIs that set no options do not ask for them, either: the log itself must show the settings.
    let settings = [
        format!(" # GAUR_SETTINGS={path}\n"),
        " # --set LogNote=a note\n".to_owned(),
        " # Config { search: SearchSettings { hash_megabytes: 64, threads: 1, multi_pv: 2, "
            .to_owned(),
    ];
    for line in &settings {
        assert!(log.contains(line), "{line} in\n{log}");
    }
    for line in [" > xboard\n", " < feature done=1\n", " > quit\n"] {
        assert!(log.contains(line), "{log}");
    }
}
