//! The log: when it is opened, remarks for it, and trouble with it.

use std::path::Path;

use super::*;
use crate::config::Config;

const FULL: &str = "no log is written to /logs: the disk is full";

fn trouble(session: &mut Session) -> &mut Session {
    let folder = Path::new("/logs");
    let actions = session.machine.on_log_error(folder, FULL);
    session.take(actions);
    session
}

#[test]
fn the_runtime_hears_of_changes_only() {
    let mut session = Session::new();
    session.send("option LogFolder=;option LogSize=10;option Variety=5");
    assert!(session.logs.is_empty());
    session.send("option LogFolder=/my logs;option LogFolder=/my logs;option LogSize=3");
    assert_eq!(session.logs, ["/my logs", "/my logs"].map(PathBuf::from));
    session.send("option LogFolder=");
    assert_eq!(session.logs.last(), Some(&PathBuf::new()));
}

#[test]
fn remarks_need_a_log() {
    let mut session = Session::new();
    let advice = "telluser No log is open. Choose a folder for it with the option LogFolder.";
    assert_eq!(session.send("option LogNote=too late").hears(), [advice]);
    assert_eq!(session.send("option LogNote=").hears(), [""; 0]);
    session.send("option LogFolder=/logs");
    let before = session.machine.config.clone();
    session.send("option LogNote=quit, the clock jumped");
    assert_eq!(session.hears(), [""; 0]);
    assert_eq!(session.machine.config, before, "a remark is no setting");
    assert!(!session.has_quit);
}

#[test]
fn trouble_is_told_once_and_ends_the_log() {
    let mut session = Session::new();
    session.send("new;option LogFolder=/logs");
    let told = format!("tellusererror {FULL}. Gaur plays on without a log.");
    assert_eq!(trouble(&mut session).hears(), [told]);
    assert_eq!(session.send("new").hears(), [""; 0]);
    session.send("option LogFolder=/logs");
    assert_eq!(session.logs.len(), 2, "the same folder again is a new try");
}

#[test]
fn trouble_that_comes_late_does_not_end_a_new_log() {
    let mut session = Session::new();
    session.send("new;option LogFolder=/logs;option LogFolder=/other");
    assert_eq!(trouble(&mut session).hears(), [""; 0]);
    assert_eq!(session.machine.config.log.folder, Path::new("/other"));
}

#[test]
fn trouble_at_the_start_waits_for_the_features() {
    for greeting in ["protover 2", "new"] {
        let mut config = Config::default();
        let set = config.set("LogFolder", Some("/logs"));
        assert!(set.is_ok());
        let mut session = Session::with(MachineSettings {
            terminal: false,
            config,
        });
        assert_eq!(trouble(&mut session).hears(), [""; 0]);
        assert_eq!(session.send("xboard").hears(), [""; 0]);
        let said = session.send(greeting).hears();
        assert!(said.last().is_some_and(|line| line.contains(FULL)));
        assert!(
            !said[..said.len() - 1]
                .iter()
                .any(|line| line.contains(FULL))
        );
    }
}
