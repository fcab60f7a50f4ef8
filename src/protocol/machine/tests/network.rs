//! Networks that cannot be had.

use std::path::Path;

use super::*;
use crate::config::{Config, EvaluationChoice};
use crate::protocol::machine::{FileProblem, SettingsEvent};

/// The search refuses the network named last, and goes on with `used`.
fn refuse(session: &mut Session, used: EvaluationChoice) -> &mut Session {
    let refused = wanted(session);
    let sent = session.configurations();
    session.event(SearchEvent::NetworkRefused {
        reason: format!("{}: no network", refused.eval_file.display()),
        refused,
        used,
    });
    session.configured_up_to(sent)
}

/// What was asked for last.
fn wanted(session: &Session) -> EvaluationChoice {
    session.machine.config.search.evaluation.clone()
}

#[test]
fn a_network_that_is_none_leaves_the_old_one_in_use() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    assert_eq!(
        session.machine.config.search.evaluation.eval_file,
        Path::new("x.net")
    );
    let told = "tellusererror x.net: no network. Gaur plays on with the network that is built in.";
    assert_eq!(
        refuse(&mut session, EvaluationChoice::default()).hears(),
        [told]
    );
    assert_eq!(
        session.machine.config.search.evaluation,
        Config::default().search.evaluation
    );

    session.send("option EvalFile=good.net").configured();
    let used = wanted(&session);
    session.send("option EvalFile=x.net");
    let told = "tellusererror x.net: no network. Gaur plays on with good.net.";
    assert_eq!(refuse(&mut session, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.search.evaluation, used);
}

#[test]
fn who_had_no_network_goes_on_without() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net").configured();
    session.send("option Evaluation=classical").configured();
    session.send("option Evaluation=network");
    let used = EvaluationChoice {
        is_classical: true,
        eval_file: "x.net".into(),
        revision: 1,
    };
    let told = "tellusererror x.net: no network. Gaur plays on without a network.";
    assert_eq!(refuse(&mut session, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.search.evaluation, used);
}

#[test]
fn each_of_several_refused_networks_is_told_with_the_one_in_use() {
    let mut session = Session::new();
    session.send("xboard;option EvalFile=a;option EvalFile=b;option EvalFile=c;ping 1");
    for name in ["a", "b", "c"] {
        assert_eq!(wanted(&session).eval_file, Path::new(name));
        let told = format!(
            "tellusererror {name}: no network. Gaur plays on with the network that is built in."
        );
        assert_eq!(
            refuse(&mut session, EvaluationChoice::default()).hears(),
            [told]
        );
    }
    assert_eq!(session.configured().hears(), ["pong 1"]);
    assert_eq!(wanted(&session), EvaluationChoice::default());
}

#[test]
fn a_refused_network_is_not_saved() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    let missing = SettingsEvent::Read("s.txt".to_owned(), Err(FileProblem::Missing));
    let actions = session.machine.on_settings(missing);
    session.take(actions);
    session.configured();
    session.files.clear();
    session.send("option EvalFile=x.net;option SaveSettings;option MultiPV=7;quit");
    assert!(session.files.is_empty() && session.is_leaving && !session.has_quit);
    refuse(&mut session, EvaluationChoice::default());
    let Some(Action::WriteSettings { path, text }) = session.files.pop() else {
        panic!("the settings are saved");
    };
    assert_eq!(path, "s.txt");
    assert!(text.contains("\nEvalFile=\n") && text.contains("\nMultiPV=1\n"));
    assert!(!session.has_quit, "the file comes first");
    let actions = session
        .machine
        .on_settings(SettingsEvent::Written(path, Ok(())));
    session.take(actions);
    assert_eq!(session.machine.config.search.multi_pv, 7);
    assert!(session.has_quit);
}

#[test]
fn lines_behind_a_network_wait_for_it_in_their_order() {
    let mut session = Session::new();
    session.send("xboard;option EvalFile=x.net;nonsense;protover 2;force;go;?;force;ping 1");
    assert_eq!(session.hears(), [""; 0]);
    let said = refuse(&mut session, EvaluationChoice::default()).hears();
    assert!(said[0].starts_with("tellusererror x.net") && said[1].ends_with(" nonsense"));
    assert!(said.iter().any(|line| line.contains("\"EvalFile -file \"")));
    assert!(said[said.len() - 1].ends_with("done=1"));
    // What stands behind `?` waits for its move.
    assert_eq!(session.best("e2e4").hears(), ["move e2e4"]);
    assert_eq!(session.configured().hears(), ["pong 1"]);
    assert!(matches!(session.machine.mode, super::super::Mode::Force));
}

#[test]
fn the_end_of_input_comes_behind_lines_that_wait_for_a_network() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;go;ping 1").leave(false);
    assert!(session.is_leaving && !session.has_quit && session.running.is_none());
    refuse(&mut session, EvaluationChoice::default()).hears();
    assert!(!session.has_quit);
    assert_eq!(session.best("e2e4").hears(), ["move e2e4"]);
    assert_eq!(session.configured().hears(), ["pong 1"]);
    assert!(session.has_quit);
}

#[test]
fn nothing_behind_quit_is_obeyed() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;ping 1;quit;ping 2;go");
    refuse(&mut session, EvaluationChoice::default()).hears();
    assert_eq!(session.configured().hears(), ["pong 1"]);
    assert!(session.has_quit && session.running.is_none());
}

#[test]
fn a_file_that_is_named_again_is_another_order() {
    let mut session = Session::new();
    let mut evaluation = || {
        session.send("option EvalFile=good.net").configured();
        wanted(&session)
    };
    let (first, second) = (evaluation(), evaluation());
    assert_eq!(first.eval_file, second.eval_file);
    assert_ne!(first, second);
    // Numbers never repeat, so that a late refusal is not taken for that of a newer naming.
    session.send("option EvalFile=").configured();
    session.send("option EvalFile=good.net").configured();
    assert!(![first, second].contains(&wanted(&session)));
}
