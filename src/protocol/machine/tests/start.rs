//! Settings from the command line and the environment: their order, their errors, and the commands that wait for them.

use std::path::Path;

use super::*;
use crate::config::Config;
use crate::protocol::machine::{FileProblem, SettingsEvent, StartSetting, StartSettings};

/// Returns a setting as the runtime describes it.
fn setting(origin: &str, text: &str) -> StartSetting {
    StartSetting {
        description: format!("{origin} {text}"),
        text: text.to_owned(),
    }
}

/// Starts a machine with these files and options.
fn start(files: &[&str], options: &[&str]) -> Session {
    start_with(files, options, false)
}

fn start_with(files: &[&str], options: &[&str], terminal: bool) -> Session {
    let settings =
        |origin, texts: &[&str]| texts.iter().map(|text| setting(origin, text)).collect();
    let mut session = Session::with(MachineSettings {
        is_terminal: terminal,
        start: StartSettings {
            files: settings("--settings", files),
            options: settings("--set", options),
        },
        ..MachineSettings::default()
    });
    let actions = session.machine.start();
    session.carry_out(actions);
    session
}

/// Reports the result of the only request for a settings file, and returns the name of the file.
fn file(session: &mut Session, result: Result<&str, FileProblem>) -> String {
    let Some(Action::ReadSettings(path)) = session.files.pop() else {
        panic!("no file is requested");
    };
    let event = SettingsEvent::Read(path.clone(), result.map(str::to_owned));
    let actions = session.machine.on_settings(event);
    session.carry_out(actions);
    path
}

fn other(problem: &str) -> Result<&str, FileProblem> {
    Err(FileProblem::Other(problem.to_owned()))
}

/// Sends `protover 2`, and returns the values of these options in the features, and the lines after the features.
fn announced(session: &mut Session, names: &[&str]) -> (Vec<String>, Vec<String>) {
    let mut lines = session.send("xboard;protover 2").lines();
    let done = lines.iter().position(|line| line == "feature done=1");
    let after = lines.split_off(done.expect("features") + 1);
    let value = |name: &&str| {
        let option = format!("option=\"{name} -");
        let line = lines.iter().find(|line| line.contains(&option));
        let (_, rest) = line
            .expect("an option")
            .split_once(&option)
            .expect("a type");
        let (_, values) = rest.split_once(' ').expect("values");
        values.trim_end_matches([' ', '"']).to_owned()
    };
    (names.iter().map(value).collect(), after)
}

#[test]
fn a_machine_without_settings_starts_at_once() {
    let mut session = start(&[], &[]);
    assert_eq!(session.send("ping 1").lines(), ["pong 1"]);
    assert!(session.orders.is_empty() && session.errors.is_empty());
    assert_eq!(session.logged_settings, [""; 0]);
    assert_eq!(session.machine.config, Config::default());
}

#[test]
fn options_replace_files_and_later_settings_replace_earlier_ones() {
    let mut session = start(
        &["first", "second"],
        &["multipv = 7", "Kibitz=whisper", "Kibitz=kibitz"],
    );
    assert_eq!(
        file(&mut session, Ok("MultiPV=2\nVariety=3\nResign=400\n")),
        "first"
    );
    assert_eq!(file(&mut session, Ok("MultiPV=5\nResign=500\n")), "second");
    let names = ["MultiPV", "Variety", "Resign", "Kibitz", "SettingsFile"];
    let (values, errors) = announced(&mut session, &names);
    assert_eq!(
        values,
        [
            "7 1 64",
            "3 0 100",
            "500 0 10000",
            "off /// *kibitz /// whisper",
            "second"
        ]
    );
    assert_eq!(errors, [""; 0]);
    assert!(session.errors.is_empty());
    // Later commands replace the settings of the start.
    session.send("option MultiPV=9");
    assert_eq!(session.machine.config.search.multi_pv, 9);
    // The search has received all settings at once.
    assert_eq!(session.configurations(), 2);
}

#[test]
fn commands_wait_for_the_files_of_the_start() {
    let mut session = start(&["a", "b"], &["Variety=5"]);
    session.send("xboard;go;ping 1");
    assert_eq!((session.lines(), session.running.is_none()), (vec![], true));
    file(&mut session, Ok("MultiPV=2\n"));
    assert_eq!((session.lines(), session.running.is_none()), (vec![], true));
    file(&mut session, Ok("MultiPV=3\n"));
    // The settings reach the search before the order to start.
    let is_start = |order: &SearchOrder| matches!(order, SearchOrder::Start(_));
    let is_configured = |order: &SearchOrder| match order {
        SearchOrder::Configure(settings) => (settings.multi_pv, settings.variety) == (3, 5),
        _ => false,
    };
    let started = session.orders.iter().position(is_start);
    let configured = session.orders.iter().position(is_configured);
    assert!(configured.is_some() && configured < started);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4"]);
    assert_eq!(session.configured().lines(), ["pong 1"]);
}

#[test]
fn the_time_of_a_file_is_limited_when_a_gui_waits_for_features() {
    for command in ["protover 2", "usermove e2e4", "go", "quit"] {
        let mut session = start(&["a", "b"], &[]);
        assert_eq!(session.file_limits, 0);
        session.send("xboard");
        assert_eq!(session.file_limits, 0);
        session.send(command);
        assert_eq!(session.file_limits, 1, "{command}");
        file(&mut session, other("cannot be read: no answer"));
        assert_eq!(session.file_limits, 2, "{command}: the second file");
    }
}

#[test]
fn only_the_network_selected_last_is_loaded() {
    let mut session = start(&["a"], &["EvalFile=c.net", "EvalFile=d.net", "MultiPV=2"]);
    file(&mut session, Ok("EvalFile=b.net\n"));
    assert_eq!(session.networks, [PathBuf::from("d.net")]);
    session.send("ping 1");
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(session.configured().lines(), ["pong 1"]);
    assert!(session.errors.is_empty());
}

#[test]
fn a_network_that_cannot_be_used_is_reported_like_other_errors() {
    let mut session = start(&[], &["Optimism=1", "EvalFile=d.net", "MultiPV=2"]);
    session.send("xboard;protover 2");
    assert_eq!(session.lines(), [""; 0]);
    session.network(Err("d.net does not exist".to_owned()));
    let expected = [
        "--set Optimism=1: there is no such option; `gaur man` lists all",
        "d.net does not exist. Gaur plays on with the network that is built in.",
    ];
    assert_eq!(session.errors, expected);
    let lines = session.lines();
    let (features, errors) = lines.split_at(lines.len() - 2);
    assert_eq!(features.last().map(String::as_str), Some("feature done=1"));
    assert_eq!(
        errors,
        expected.map(|text| format!("tellusererror Error: {text}"))
    );
    assert_eq!(session.machine.config.search.multi_pv, 2);
}

#[test]
fn errors_leave_the_other_settings() {
    let mut session = start(
        &["pipe", "bad", "good", "caf\u{fffd}", ""],
        &[
            "MultiPV=x",
            "Variety",
            "Resign=99999",
            "ClearHash",
            "=1",
            "AcceptDraws=off",
        ],
    );
    file(&mut session, other("is not an ordinary file"));
    file(&mut session, Ok("Variety=4\nnonsense\n"));
    file(&mut session, Ok("KibitzEvery=3\n"));
    let expected = [
        "--settings pipe is not an ordinary file; it changes no setting",
        "--settings bad, line 2 is not Name=Value; it changes no setting",
        "--settings caf\u{fffd}: the name of the file or folder is not UTF-8, and Gaur cannot use it; rename it",
        "--settings : it names no file",
        "--set MultiPV=x: the option cannot have this value, only 1 to 64",
        "--set Variety: the value is missing; write Variety=VALUE, where VALUE is 0 to 100",
        "--set Resign=99999: the value must lie between 0 and 10000",
        "--set ClearHash: the option is a button and has no value",
        "--set =1: there is no such option; `gaur man` lists all",
    ];
    assert_eq!(session.errors, expected);
    let names = [
        "MultiPV",
        "Variety",
        "KibitzEvery",
        "AcceptDraws",
        "SettingsFile",
    ];
    let (values, errors) = announced(&mut session, &names);
    assert_eq!(values, ["1 1 64", "0 0 100", "3 1 100", "0", "good"]);
    assert_eq!(
        errors,
        expected.map(|text| format!("tellusererror Error: {text}"))
    );
}

#[test]
fn errors_are_shown_once_and_not_before_the_handshake() {
    for (before, first) in [
        ("xboard;random;easy", "force"),
        ("xboard", "usermove e2e4"),
        ("xboard", "new"),
        ("", "e2e4"),
    ] {
        let mut session = start(&[], &["Optimism=1"]);
        assert_eq!(session.errors.len(), 1);
        assert_eq!(session.send(before).lines(), [""; 0], "{before}");
        let error =
            "tellusererror Error: --set Optimism=1: there is no such option; `gaur man` lists all";
        assert_eq!(session.send(first).lines(), [error], "{first}");
        assert_eq!(session.send("force;new").lines(), [""; 0]);
        assert_eq!(session.errors.len(), 1);
    }
}

#[test]
fn a_terminal_shows_standard_error_only() {
    let mut session = start_with(&[], &["Optimism=1"], true);
    assert_eq!(session.errors.len(), 1);
    assert_eq!(session.send("force").lines(), [""; 0]);
}

#[test]
fn settings_are_saved_to_the_file_that_was_read_last() {
    let save = |session: &mut Session| {
        session.send("option SaveSettings");
        match session.files.pop() {
            Some(Action::WriteSettings {
                path,
                text,
                may_replace,
            }) => (path, may_replace, text.contains("\nMultiPV=2\n")),
            other => panic!("{other:?}"),
        }
    };
    let mut session = start(&["a"], &["SettingsFile=b", "MultiPV=2"]);
    file(&mut session, Ok("MultiPV=5\n"));
    file(&mut session, Ok("Variety=1\n"));
    assert_eq!(save(&mut session), ("b".to_owned(), true, true));

    // A file that does not exist is an error, and `SaveSettings` does not write it.
    let mut session = start(&["a"], &["SettingsFile=b", "MultiPV=2"]);
    file(&mut session, Err(FileProblem::Missing));
    file(&mut session, Err(FileProblem::Missing));
    let remedy = "cannot be read: the file does not exist; create it with an editor, or with the options \
                  SettingsFile and SaveSettings";
    assert_eq!(
        session.errors,
        [
            format!("--settings a {remedy}"),
            format!("--set SettingsFile=b {remedy}"),
        ]
    );
    session.lines();
    let lines = session.send("force;option SaveSettings").lines();
    assert!(
        lines.iter().any(|line| line.contains("first name a file")),
        "{lines:?}"
    );

    // A file that has been refused does not replace the one before.
    let mut session = start(&["a", "b"], &["MultiPV=2"]);
    file(&mut session, Ok("MultiPV=5\n"));
    file(&mut session, Ok("nonsense"));
    assert_eq!(save(&mut session), ("a".to_owned(), true, true));
}

#[test]
fn a_reset_restores_the_built_in_defaults() {
    let mut session = start(&["a"], &["MultiPV=2"]);
    file(&mut session, Ok("Variety=5\n"));
    session.send("option ResetSettings");
    let mut expected = Config::default();
    assert!(expected.set("SettingsFile", Some("a")).is_ok());
    assert_eq!(session.machine.config, expected);
}

#[test]
fn the_log_is_configured_once() {
    let mut config = Config::default();
    assert!(config.set("LogFolder", Some("logs")).is_ok());
    let log = |description: &str, folder: &str| StartSetting {
        description: description.to_owned(),
        text: format!("LogFolder={folder}"),
    };
    for (options, expected) in [
        (vec![log("GAUR_LOG", "logs")], [""; 0].as_slice()),
        (
            vec![log("GAUR_LOG", "logs"), log("--set", "other")],
            ["other"].as_slice(),
        ),
    ] {
        let mut session = Session::with(MachineSettings {
            is_terminal: false,
            config: config.clone(),
            start: StartSettings {
                files: vec![setting("--settings", "a")],
                options,
            },
            ..MachineSettings::default()
        });
        let actions = session.machine.start();
        session.carry_out(actions);
        file(&mut session, Ok("LogFolder=\nMultiPV=2\n"));
        let folders: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
        assert_eq!(session.logs, folders);
        // The head of the log has been written before the files were read.
        let summary = session.machine.config.summary();
        assert_eq!(session.logged_settings, [summary]);
        assert_eq!(session.machine.config.search.multi_pv, 2);
    }
}

#[test]
fn an_error_of_the_log_before_the_files_are_read_is_reported_once() {
    let mut config = Config::default();
    assert!(config.set("LogFolder", Some("/logs")).is_ok());
    let mut session = Session::with(MachineSettings {
        config,
        start: StartSettings {
            files: vec![setting("--settings", "a")],
            options: vec![setting("--set", "LogFolder=/logs")],
        },
        ..MachineSettings::default()
    });
    let actions = session.machine.start();
    session.carry_out(actions);
    let reason = "no log is written to /logs: the disk is full";
    let actions = session.machine.on_log_error(Path::new("/logs"), reason);
    session.carry_out(actions);
    file(&mut session, Ok("MultiPV=2\n"));
    assert!(session.logs.is_empty(), "the log is not opened again");
    let (values, errors) = announced(&mut session, &["LogFolder", "MultiPV"]);
    assert_eq!(values, ["", "2 1 64"]);
    let expected = format!("tellusererror {reason}. Gaur plays on without a log.");
    assert_eq!(errors, [expected]);
    // Naming the folder later is a new attempt.
    session.send("option LogFolder=/logs");
    assert_eq!(session.logs, [PathBuf::from("/logs")]);
}

#[test]
fn the_end_of_input_waits_for_the_start() {
    let mut session = start(&["a"], &["Optimism=1"]);
    session.send("protover 2").quit(false);
    assert!(!session.has_quit);
    file(&mut session, Ok("MultiPV=2\n"));
    assert!(session.has_quit);
    let lines = session.lines();
    assert!(lines.iter().any(|line| line.contains("MultiPV -spin 2 ")));
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("tellusererror Error: "))
    );
}
