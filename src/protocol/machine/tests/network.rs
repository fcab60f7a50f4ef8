//! Networks that cannot be had.

use std::path::Path;

use super::*;
use crate::config::{Config, Judge};

/// The search refuses a network, and what was used before stays in use.
fn refuse(session: &mut Session, refused: Judge, used: Judge) -> &mut Session {
    session.event(SearchEvent::NetworkRefused {
        reason: "x.net: not a network of Gaur".to_owned(),
        refused,
        used,
    })
}

/// What was asked for last.
fn wanted(session: &Session) -> Judge {
    session.machine.config.judge.clone()
}

#[test]
fn a_network_that_is_none_leaves_the_old_one_in_use() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    assert_eq!(session.machine.config.judge.eval_file, Path::new("x.net"));
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with the network that is built in.";
    let refused = wanted(&session);
    assert_eq!(
        refuse(&mut session, refused, Judge::default()).hears(),
        [told]
    );
    assert_eq!(session.machine.config.judge, Config::default().judge);

    session.send("option EvalFile=good.net;option EvalFile=x.net");
    let used = Judge {
        eval_file: "good.net".into(),
        revision: 2,
        ..Judge::default()
    };
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with good.net.";
    let refused = wanted(&session);
    assert_eq!(refuse(&mut session, refused, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.judge, used);
}

#[test]
fn who_had_no_network_goes_on_without() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;option Evaluation=classical;option Evaluation=network");
    let used = Judge {
        is_classical: true,
        eval_file: "x.net".into(),
        revision: 1,
    };
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on without a network.";
    let refused = wanted(&session);
    assert_eq!(refuse(&mut session, refused, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.judge, used);
}

#[test]
fn a_late_refusal_leaves_newer_settings_alone() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    let refused = wanted(&session);
    session.send("option EvalFile=good.net");
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with good.net.";
    assert_eq!(
        refuse(&mut session, refused, Judge::default()).hears(),
        [told]
    );
    assert_eq!(
        session.machine.config.judge.eval_file,
        Path::new("good.net")
    );
}

#[test]
fn a_late_refusal_takes_the_name_back_but_not_the_evaluation() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    let refused = wanted(&session);
    session.send("option Evaluation=classical");
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on without a network.";
    assert_eq!(
        refuse(&mut session, refused, Judge::default()).hears(),
        [told]
    );
    let expected = Judge {
        is_classical: true,
        ..Judge::default()
    };
    assert_eq!(wanted(&session), expected);
    let Some(SearchOrder::Configure(config)) = session.orders.last() else {
        panic!("the search is told")
    };
    assert_eq!(config.judge, expected);
}

#[test]
fn a_file_that_is_named_again_is_another_order() {
    let mut session = Session::new();
    let mut judge = || {
        session.send("option EvalFile=good.net");
        wanted(&session)
    };
    let (first, second) = (judge(), judge());
    assert_eq!(first.eval_file, second.eval_file);
    assert_ne!(first, second);
    // Numbers never repeat, so that a late refusal is not taken for that of a newer naming.
    session.send("option EvalFile=;option EvalFile=good.net");
    assert!(![first, second].contains(&wanted(&session)));
}
