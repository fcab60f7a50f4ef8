//! Networks that cannot be had.

use std::path::Path;

use super::*;
use crate::config::{Config, Judge};

/// The search refuses the network that was asked for last.
fn refuse(session: &mut Session, used: Judge) -> &mut Session {
    let refused = session.machine.config.judge.clone();
    session.event(SearchEvent::NetworkRefused {
        reason: "x.net: not a network of Gaur".to_owned(),
        refused,
        used,
    })
}

#[test]
fn a_network_that_is_none_leaves_the_old_one_in_use() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    assert_eq!(session.machine.config.judge.eval_file, Path::new("x.net"));
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with the network that is built in.";
    assert_eq!(refuse(&mut session, Judge::default()).hears(), [told]);
    assert_eq!(session.machine.config.judge, Config::default().judge);

    session.send("option EvalFile=good.net;option EvalFile=x.net");
    let used = Judge {
        eval_file: "good.net".into(),
        ..Judge::default()
    };
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with good.net.";
    assert_eq!(refuse(&mut session, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.judge, used);
}

#[test]
fn who_had_no_network_goes_on_without() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net;option Evaluation=classical;option Evaluation=network");
    let used = Judge {
        is_classical: true,
        eval_file: "x.net".into(),
    };
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on without a network.";
    assert_eq!(refuse(&mut session, used.clone()).hears(), [told]);
    assert_eq!(session.machine.config.judge, used);
}

#[test]
fn a_late_refusal_leaves_newer_settings_alone() {
    let mut session = Session::new();
    session.send("option EvalFile=x.net");
    let refused = session.machine.config.judge.clone();
    session.send("option EvalFile=good.net");
    session.event(SearchEvent::NetworkRefused {
        reason: "x.net: not a network of Gaur".to_owned(),
        refused,
        used: Judge::default(),
    });
    let told = "tellusererror x.net: not a network of Gaur. Gaur plays on with good.net.";
    assert_eq!(session.hears(), [told]);
    assert_eq!(
        session.machine.config.judge.eval_file,
        Path::new("good.net")
    );
}
