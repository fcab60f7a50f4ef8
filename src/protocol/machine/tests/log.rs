//! Tests of the log settings, notes for the log, and log errors.

use std::path::Path;

use super::*;
use crate::config::Config;

const FULL: &str = "no log is written to /logs: the disk is full";

fn log_error(session: &mut Session) -> &mut Session {
    let folder = Path::new("/logs");
    let actions = session.machine.on_log_error(folder, FULL);
    session.carry_out(actions);
    session
}

#[test]
fn only_changes_are_sent_to_the_log() {
    let mut session = Session::new();
    session.send("option LogFolder=;option LogSize=10;option Variety=5");
    assert!(session.logs.is_empty());
    session.send("option LogFolder=/my logs;option LogFolder=/my logs;option LogSize=3");
    assert_eq!(session.logs, ["/my logs", "/my logs"].map(PathBuf::from));
    session.send("option LogFolder=");
    assert_eq!(session.logs.last(), Some(&PathBuf::new()));
}

#[test]
fn notes_need_a_log() {
    let mut session = Session::new();
    let advice = "telluser No log is open. Choose a folder for it with the option LogFolder.";
    assert_eq!(session.send("option LogNote=too late").lines(), [advice]);
    assert_eq!(session.send("option LogNote=").lines(), [""; 0]);
    session.send("option LogFolder=/logs");
    let before = session.machine.config.clone();
    session.send("option LogNote=quit, the clock jumped");
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(session.machine.config, before, "a note is not a setting");
    assert!(!session.has_quit);
}

#[test]
fn an_error_is_reported_once_and_closes_the_log() {
    let mut session = Session::new();
    session.send("new;option LogFolder=/logs");
    let expected = format!("tellusererror {FULL}. Gaur plays on without a log.");
    assert_eq!(log_error(&mut session).lines(), [expected]);
    assert_eq!(session.send("new").lines(), [""; 0]);
    session.send("option LogFolder=/logs");
    assert_eq!(
        session.logs.len(),
        2,
        "naming the same folder again opens the log again"
    );
}

#[test]
fn a_late_error_does_not_close_a_new_log() {
    let mut session = Session::new();
    session.send("new;option LogFolder=/logs;option LogFolder=/other");
    assert_eq!(log_error(&mut session).lines(), [""; 0]);
    assert_eq!(session.machine.config.log.folder, Path::new("/other"));
}

#[test]
fn an_error_at_the_start_waits_for_the_features() {
    for greeting in ["protover 2", "new", "force"] {
        let mut config = Config::default();
        let set = config.set("LogFolder", Some("/logs"));
        assert!(set.is_ok());
        let mut session = Session::with(MachineSettings {
            config,
            ..MachineSettings::default()
        });
        assert_eq!(log_error(&mut session).lines(), [""; 0]);
        assert_eq!(session.send("xboard").lines(), [""; 0]);
        let lines = session.send(greeting).lines();
        assert!(lines.last().is_some_and(|line| line.contains(FULL)));
        assert!(
            !lines[..lines.len() - 1]
                .iter()
                .any(|line| line.contains(FULL))
        );
    }
}
