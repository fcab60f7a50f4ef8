//! Networks that are loaded, and those that cannot be used.

use std::path::{Path, PathBuf};

use super::*;
use crate::config::{Config, EvaluationChoice};
use crate::protocol::machine::{FileProblem, SettingsEvent};

/// Reports that the network requested last cannot be used.
fn reject(session: &mut Session) -> &mut Session {
    let path = session.networks[0].display().to_string();
    session.network(Err(format!("{path}: no network")))
}

/// The evaluation that the machine's settings select.
fn selected(session: &Session) -> EvaluationChoice {
    session.machine.config.search.evaluation.clone()
}

/// The evaluation of the settings sent to the search last.
fn sent(session: &Session) -> Option<EvaluationChoice> {
    let mut configs = session.orders.iter().filter_map(|order| match order {
        SearchOrder::Configure(config) => Some(config.evaluation.clone()),
        _ => None,
    });
    configs.next_back()
}

/// The settings file `s.txt` has this content.
fn read_settings(session: &mut Session, text: &str) {
    let event = SettingsEvent::Read("s.txt".to_owned(), Ok(text.to_owned()));
    let actions = session.machine.on_settings(event);
    session.carry_out(actions);
}

#[test]
fn a_network_that_cannot_be_used_leaves_the_old_one_in_use() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    assert_eq!(selected(&session).eval_file, Path::new("x.net"));
    let message =
        "tellusererror x.net: no network. Gaur plays on with the network that is built in.";
    assert_eq!(reject(&mut session).lines(), [message]);
    assert_eq!(selected(&session), Config::default().search.evaluation);
    assert_eq!(
        session.configurations(),
        0,
        "an unchanged configuration was sent"
    );

    session.send("option EvalFile=good.net").configured();
    let expected = selected(&session);
    session.send("option EvalFile=x.net");
    let message = "tellusererror x.net: no network. Gaur plays on with good.net.";
    assert_eq!(reject(&mut session).lines(), [message]);
    assert_eq!(selected(&session), expected);
}

#[test]
fn the_classical_evaluation_stays_in_use_without_a_network() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net").configured();
    session.send("option Evaluation=classical").configured();
    session.send("option Evaluation=network");
    let message = "tellusererror x.net: no network. Gaur plays on without a network.";
    assert_eq!(reject(&mut session).lines(), [message]);
    let expected = EvaluationChoice {
        is_classical: true,
        eval_file: "x.net".into(),
        revision: 1,
    };
    assert_eq!(selected(&session), expected);
}

#[test]
fn each_of_several_rejected_networks_is_reported_with_the_one_in_use() {
    let mut session = Session::new();
    session.send("xboard;option EvalFile=a;option EvalFile=b;option EvalFile=c;ping 1");
    for name in ["a", "b", "c"] {
        assert_eq!(selected(&session).eval_file, Path::new(name));
        let message = format!(
            "tellusererror {name}: no network. Gaur plays on with the network that is built in."
        );
        let mut expected = vec![message];
        if name == "c" {
            expected.push("pong 1".to_owned());
        }
        assert_eq!(reject(&mut session).lines(), expected);
    }
    assert_eq!(selected(&session), EvaluationChoice::default());
}

#[test]
fn settings_are_sent_when_their_network_has_been_loaded() {
    let mut session = Session::new();
    session.send("option EvalFile=good.net;ping 1");
    assert_eq!(session.networks, [Path::new("good.net")]);
    assert_eq!(sent(&session), None);
    session.network(Ok(()));
    assert_eq!(sent(&session), Some(selected(&session)));
    let last = session.orders.last();
    assert!(
        matches!(last, Some(SearchOrder::ConfirmNow)),
        "the ping requires a confirmation"
    );
    assert_eq!(
        session.lines(),
        [""; 0],
        "a pong before the confirmation by the search"
    );
    assert_eq!(session.configured().lines(), ["pong 1"]);
}

#[test]
fn the_classical_evaluation_needs_no_network_but_the_return_from_it_does() {
    let mut session = Session::new();
    session.send("option EvalFile=good.net").configured();
    session.send("option Evaluation=classical");
    assert!(session.networks.is_empty());
    assert!(sent(&session).is_some_and(|evaluation| evaluation.is_classical));
    session.configured().send("option Evaluation=network");
    assert_eq!(session.networks, [Path::new("good.net")]);
    session.configured().send("option EvalFile=");
    assert_eq!(session.networks, [Path::new("")], "the embedded network");
}

#[test]
fn the_classical_evaluation_is_used_though_its_settings_name_a_missing_network() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    read_settings(
        &mut session,
        "Evaluation=classical\nEvalFile=x.net\nMultiPV=7\n",
    );
    assert_eq!(session.configurations(), 0);
    let message = "tellusererror x.net: no network. Gaur plays on without a network.";
    assert_eq!(reject(&mut session).lines(), [message]);
    let classical = EvaluationChoice {
        is_classical: true,
        ..EvaluationChoice::default()
    };
    assert_eq!(selected(&session), classical);
    assert_eq!(
        (session.configurations(), sent(&session)),
        (1, Some(classical))
    );
    assert_eq!(session.machine.config.search.multi_pv, 7);
}

#[test]
fn other_settings_beside_a_missing_network_are_sent_to_the_search() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    read_settings(&mut session, "EvalFile=x.net\nMultiPV=7\n");
    assert_eq!(
        session.configurations(),
        0,
        "a configuration before the network has been loaded"
    );
    reject(&mut session);
    assert_eq!(session.configurations(), 1);
    assert_eq!(sent(&session), Some(EvaluationChoice::default()));
}

#[test]
fn a_rejected_network_is_not_saved() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    let missing = SettingsEvent::Read("s.txt".to_owned(), Err(FileProblem::Missing));
    let actions = session.machine.on_settings(missing);
    session.carry_out(actions);
    session.configured();
    session.files.clear();
    session.send("option EvalFile=x.net;option SaveSettings;option MultiPV=7;quit");
    assert!(session.files.is_empty() && session.is_quitting && !session.has_quit);
    reject(&mut session);
    let Some(Action::WriteSettings { path, text, .. }) = session.files.pop() else {
        panic!("the settings are saved");
    };
    assert_eq!(path, "s.txt");
    assert!(text.contains("\nEvalFile=\n") && text.contains("\nMultiPV=1\n"));
    assert!(!session.has_quit, "quit before the file has been written");
    let actions = session
        .machine
        .on_settings(SettingsEvent::Written(path, Ok(())));
    session.carry_out(actions);
    assert_eq!(session.machine.config.search.multi_pv, 7);
    assert!(session.has_quit);
}

#[test]
fn lines_after_a_network_wait_for_it_in_order() {
    let mut session = Session::new();
    session.send("xboard;option EvalFile=x.net;nonsense;protover 2;force;go;?;force;ping 1");
    assert_eq!(session.lines(), [""; 0]);
    let lines = reject(&mut session).lines();
    assert!(lines[0].starts_with("tellusererror x.net") && lines[1].ends_with(" nonsense"));
    assert!(
        lines
            .iter()
            .any(|line| line.contains("\"EvalFile -file \""))
    );
    assert!(lines[lines.len() - 1].ends_with("done=1"));
    // Lines after `?` wait for the move.
    assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
    assert!(matches!(
        session.machine.mode,
        super::super::mode::Mode::Force
    ));
}

#[test]
fn a_requested_move_precedes_waiting_lines_whatever_arrives() {
    for last in ["ping 2", "quit", ""] {
        let mut session = Session::new();
        session.send("option EvalFile=x.net;go;?;force;ping 1");
        reject(&mut session).lines();
        if last.is_empty() {
            session.quit(false);
        } else {
            session.send(last);
        }
        assert!(session.machine.must_not_quit() && session.lines().is_empty());
        let lines = session.best("e2e4").lines();
        assert_eq!(lines[..2], ["move e2e4", "pong 1"], "{last}");
        assert!(!session.machine.must_not_quit());
        assert_eq!(session.has_quit, last != "ping 2");
    }
}

#[test]
fn only_a_move_and_a_save_delay_the_end_while_a_file_is_read() {
    for (lines, delays_end) in [
        ("ping 1", false),
        ("go;ping 1", false),
        ("go;?", true),
        ("option SaveSettings", true),
        ("option Variety=3", false),
    ] {
        let mut session = Session::new();
        session.send("option EvalFile=x.net");
        session.send(lines).send("quit");
        assert!(session.is_quitting && !session.has_quit);
        assert_eq!(session.machine.must_not_quit(), delays_end, "{lines}");
    }
}

#[test]
fn the_end_of_input_follows_lines_that_wait_for_a_network() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;go;ping 1").quit(false);
    assert!(session.is_quitting && !session.has_quit && session.running.is_none());
    reject(&mut session).lines();
    assert!(!session.has_quit);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4", "pong 1"]);
    assert!(session.has_quit);
}

#[test]
fn lines_after_quit_are_ignored() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;ping 1;quit;ping 2;go");
    let lines = reject(&mut session).lines();
    assert_eq!(lines[1..], ["pong 1"]);
    assert!(session.has_quit && session.running.is_none());
}

#[test]
fn a_file_that_is_named_again_is_loaded_again() {
    let mut session = Session::new();
    let mut evaluation = || {
        session.send("option EvalFile=good.net").configured();
        selected(&session)
    };
    let (first, second) = (evaluation(), evaluation());
    assert_eq!(first.eval_file, second.eval_file);
    assert_ne!(first, second);
    session.send("option EvalFile=").configured();
    session.send("option EvalFile=good.net").configured();
    assert!(![first, second].contains(&selected(&session)));
}

#[test]
fn a_second_network_is_requested_only_after_the_result_of_the_first() {
    for changes in [
        "option EvalFile=b;option EvalFile=c",
        "option Evaluation=classical;option Evaluation=network;option EvalFile=c",
        "option SettingsFile=s.txt;option EvalFile=c",
        "option ResetSettings;option EvalFile=c",
        "new;memory 10;cores 2;force;analyze;exit;option EvalFile=c",
    ] {
        let mut session = Session::new();
        session.send("option EvalFile=a").send(changes);
        assert_eq!(session.networks, [Path::new("a")], "{changes}");
        let mut requested = Vec::new();
        while !(session.networks.is_empty() && session.machine.backlog.is_empty()) {
            assert!(session.networks.len() <= 1, "{changes}");
            requested.extend(session.networks.iter().cloned());
            assert!(session.files.is_empty(), "{changes}");
            session.configured();
            // The driver reads a settings file at once.
            if session.files.pop().is_some() {
                assert!(session.networks.is_empty(), "{changes}");
                read_settings(&mut session, "EvalFile=b\n");
            }
        }
        assert_eq!(requested.last(), Some(&PathBuf::from("c")), "{changes}");
        assert_eq!(selected(&session).eval_file, Path::new("c"), "{changes}");
    }
}
