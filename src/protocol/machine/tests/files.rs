//! Settings files: what waits while one is read or written, and which may be replaced.

use super::*;
use crate::protocol::machine::{FileProblem, SettingsEvent};

/// Reports the result of the only request for a settings file.
fn result(session: &mut Session, result: Result<&str, FileProblem>) -> Action {
    let request = session.files.pop().expect("a request");
    assert!(session.files.is_empty());
    let event = match &request {
        Action::ReadSettings(path) => SettingsEvent::Read(path.clone(), result.map(str::to_owned)),
        Action::WriteSettings { path, .. } => {
            SettingsEvent::Written(path.clone(), result.map(drop))
        }
        other => panic!("{other:?}"),
    };
    let actions = session.machine.on_settings(event);
    session.carry_out(actions);
    request
}

fn other(problem: &str) -> Result<&str, FileProblem> {
    Err(FileProblem::Other(problem.to_owned()))
}

/// Requests to write the settings, reports success, and returns whether an existing file may be replaced.
fn may_replace(session: &mut Session) -> bool {
    session.send("option SaveSettings");
    match result(session, Ok("")) {
        Action::WriteSettings { may_replace, .. } => may_replace,
        action => panic!("{action:?}"),
    }
}

#[test]
fn lines_wait_in_order_while_settings_are_read() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt;nonsense;protover 2;go;ping 1");
    assert_eq!(session.lines(), [""; 0]);
    assert!(session.running.is_none());
    result(&mut session, Ok("MoveOverhead=77\n"));
    let lines = session.lines();
    assert!(lines[0].ends_with(" nonsense"), "{lines:?}");
    let overhead = "\"MoveOverhead -spin 77 0 5000\"";
    assert!(
        lines.iter().any(|line| line.contains(overhead)),
        "{lines:?}"
    );
    assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
}

#[test]
fn the_move_of_a_running_search_does_not_wait_for_a_file() {
    for change in ["option SettingsFile=s.txt", "option EvalFile=x.net"] {
        let mut session = Session::new();
        session.send("usermove e2e4").send(change);
        assert_eq!(session.best("e7e5").lines(), ["move e7e5"], "{change}");

        let mut session = Session::new();
        session.send("usermove e2e4").send(change);
        session.send("option MultiPV=2;ping 1;?");
        let orders = &session.orders;
        let is_ordered = orders
            .iter()
            .any(|order| matches!(order, SearchOrder::MoveNow(_)));
        assert!(is_ordered, "{change}");
        assert_eq!(session.best("e7e5").lines(), ["move e7e5"], "{change}");
        assert_eq!(session.machine.config.search.multi_pv, 1, "{change}");
    }
}

#[test]
fn a_move_now_waits_for_a_command_that_ends_the_search() {
    let mut session = Session::new();
    session.send("usermove e2e4;option SettingsFile=s.txt;force;?;ping 1");
    assert!(session.running.is_some());
    result(&mut session, Ok("MultiPV=2\n"));
    assert!(session.running.is_none());
    assert_eq!(session.configured().lines(), ["pong 1"]);
}

#[test]
fn the_time_of_a_file_is_limited_when_a_clock_may_run() {
    for urgent in [
        "usermove e2e4",
        "e2e4",
        "go",
        "force",
        "playother",
        "result *",
    ] {
        let mut session = Session::new();
        session.send("option SettingsFile=s.txt;ping 1;option MultiPV=3;new");
        assert_eq!(session.file_limits, 0);
        session.send(urgent);
        assert_eq!(session.file_limits, 1, "{urgent}");
        session.send(urgent);
        assert_eq!(session.file_limits, 1, "{urgent}");
    }
    // The next file that an urgent command waits for is limited, too.
    let mut session = Session::new();
    session.send("option SettingsFile=a;option SettingsFile=b;option EvalFile=c;go");
    result(&mut session, other("cannot be read: no answer"));
    assert_eq!(session.file_limits, 2);
    result(&mut session, other("cannot be read: no answer"));
    assert_eq!((session.file_limits, session.networks.len()), (3, 1));
    session.network(Err("c: no network".to_owned()));
    assert_eq!(session.lines().len(), 3);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4"]);
}

#[test]
fn play_does_not_wait_while_settings_are_written() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    result(&mut session, Err(FileProblem::Missing));
    session.lines();
    session.send("option SaveSettings;usermove e2e4");
    assert_eq!(session.best("e7e5").lines(), ["move e7e5"]);
    let id = session.running_id();
    session.send("ping 1;usermove d2d4;option SaveSettings;quit");
    assert!(session.running_id() == id && session.is_quitting && !session.has_quit);
    assert_eq!((session.lines(), session.file_limits), (vec![], 1));
    let problem = "s.txt cannot be written: the disk is full; the settings were not saved";
    result(&mut session, other("cannot be written: the disk is full"));
    assert_eq!(
        session.lines(),
        [format!("tellusererror {problem}"), "pong 1".to_owned()]
    );
    assert!(
        session.running_id() != id && !session.has_quit,
        "the second file is written"
    );
    result(&mut session, Ok(""));
    assert!(session.has_quit);
}

#[test]
fn only_a_file_that_gaur_has_read_or_written_may_be_replaced() {
    let mut session = Session::new();
    session.send("option SettingsFile=read");
    result(&mut session, Ok("MultiPV=2\n"));
    assert!(may_replace(&mut session));
    session.send("option SettingsFile=missing");
    result(&mut session, Err(FileProblem::Missing));
    session.send("option SaveSettings");
    let request = result(&mut session, other("has been created"));
    assert!(matches!(
        request,
        Action::WriteSettings {
            may_replace: false,
            ..
        }
    ));
    assert!(!may_replace(&mut session));
    assert!(may_replace(&mut session), "it has been written");
    session.send("option SettingsFile=other");
    result(&mut session, Err(FileProblem::Missing));
    assert!(!may_replace(&mut session));
    session
        .send("option SettingsFile=")
        .send("option SettingsFile=third");
    result(&mut session, Err(FileProblem::Missing));
    session.send("option ResetSettings");
    assert!(!may_replace(&mut session));
    // A file that is refused leaves the name of the one before.
    session.send("option SettingsFile=bad");
    result(&mut session, Ok("nonsense"));
    assert!(may_replace(&mut session));
    assert_eq!(session.machine.config.settings_file, "third");
}

#[test]
fn names_that_are_not_utf_8_are_refused() {
    let mut session = Session::new();
    for name in ["SettingsFile", "EvalFile", "LogFolder"] {
        let lines = session.send(&format!("option {name}=caf\u{fffd}")).lines();
        let expected = format!("tellusererror {name}: the name of the file or folder is not UTF-8");
        assert!(
            lines.len() == 1 && lines[0].starts_with(&expected),
            "{lines:?}"
        );
    }
    assert!(session.files.is_empty() && session.networks.is_empty() && session.logs.is_empty());
    assert_eq!(session.machine.config, crate::config::Config::default());
}

#[test]
fn only_a_person_learns_that_a_file_has_been_used() {
    for (is_terminal, read, written) in [
        (
            true,
            &["The settings of s.txt apply."][..],
            &["The settings are saved in s.txt."][..],
        ),
        (false, &[], &[]),
    ] {
        let mut session = Session::with(MachineSettings {
            is_terminal,
            ..MachineSettings::default()
        });
        session.send("option SettingsFile=s.txt");
        assert!(session.machine.has_pending_work());
        result(&mut session, Ok("MultiPV=2\n"));
        assert_eq!(session.lines(), read);
        session.send("option SaveSettings");
        result(&mut session, Ok(""));
        assert_eq!(session.lines(), written);
        assert!(!session.machine.has_pending_work());
    }
}

#[test]
fn a_person_gets_one_line_about_a_rejected_option() {
    let mut session = Session::with(MachineSettings {
        is_terminal: true,
        ..MachineSettings::default()
    });
    assert_eq!(
        session.send("option Resign=x").lines(),
        ["Resign: the option cannot have this value, only 0 to 10000."]
    );
}
