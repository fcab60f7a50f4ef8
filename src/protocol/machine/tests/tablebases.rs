//! Tablebases that are found, and those that cannot be used.

use super::*;

/// All tables with up to four men.
fn four_men() -> TablebaseReport {
    TablebaseReport {
        men: 4,
        wdl: 35,
        dtz: 35,
        ..TablebaseReport::default()
    }
}

/// A report of a problem, with tables of up to `men` men.
fn problem(men: usize) -> TablebaseReport {
    TablebaseReport {
        men,
        wdl: men,
        dtz: men,
        problem: Some("/x does not exist".to_owned()),
        is_absence: true,
    }
}

#[test]
fn egtpath_and_the_option_name_the_same_directories() {
    let mut session = Session::new();
    session.send("egtpath syzygy /tables of mine:/x");
    assert_eq!(session.tablebases, ["/tables of mine:/x"]);
    session.found_tablebases(four_men());
    session.send("option SyzygyPath=/y");
    assert_eq!(session.tablebases, ["/y"]);
    session.found_tablebases(four_men());
    session.send("egtpath syzygy ");
    assert_eq!(session.tablebases, [""]);
    session.found_tablebases(TablebaseReport::default());
    assert_eq!(session.lines(), [""; 0], "a GUI gets no answer");
}

#[test]
fn the_path_of_a_gui_is_used_as_it_is() {
    let mut session = Session::new();
    for line in ["egtpath syzygy ~/x:~/y", "option SyzygyPath=~/x:~/y"] {
        session.send("egtpath syzygy /x");
        session.found_tablebases(four_men());
        session.tablebases.clear();
        session.send(line);
        assert_eq!(session.tablebases, ["~/x:~/y"]);
        session.found_tablebases(four_men());
    }
}

#[test]
fn other_types_of_tablebases_are_ignored() {
    let mut session = Session::new();
    session.send("egtpath nalimov /x");
    assert!(session.tablebases.is_empty());
    session.send("egtpath Syzygy /x");
    assert_eq!(session.tablebases, ["/x"]);
}

#[test]
fn the_same_directories_are_read_again_when_they_are_named_again() {
    let mut session = Session::new();
    for _ in 0..2 {
        session.send("egtpath syzygy /x");
        assert_eq!(session.tablebases, ["/x"]);
        session.found_tablebases(four_men());
    }
    session.send("option MultiPV=2");
    assert!(session.tablebases.is_empty(), "another option");
}

#[test]
fn commands_wait_until_the_directories_have_been_read() {
    let mut session = Session::new();
    session.send("egtpath syzygy /x").send("ping 1").send("go");
    assert!(session.lines().is_empty() && session.running.is_none());
    assert_eq!(session.file_limits, 1, "a move is due");
    session.found_tablebases(four_men());
    assert_eq!(session.lines(), ["pong 1"]);
    assert!(session.running.is_some());
}

#[test]
fn a_problem_is_reported_once() {
    let mut session = Session::new();
    session.send("egtpath syzygy /x");
    session.found_tablebases(problem(0));
    let message = "telluser /x does not exist. Gaur plays on without tablebases.";
    assert_eq!(session.lines(), [message]);
    session.send("egtpath syzygy /x:/y");
    session.found_tablebases(problem(3));
    let message = "telluser /x does not exist. Gaur plays on with tablebases for up to 3 men.";
    assert_eq!(session.lines(), [message]);
}

#[test]
fn directories_that_xboard_names_may_be_absent() {
    let mut session = Session::new();
    session.send("accepted debug").send("egtpath syzygy /x");
    session.found_tablebases(problem(0));
    let message = "/x does not exist. Gaur plays on without tablebases.";
    assert_eq!(session.lines(), [format!("# {message}")]);
    session.send("option SyzygyPath=/x");
    session.found_tablebases(problem(0));
    assert_eq!(session.lines(), [format!("telluser {message}")]);
    session.send("egtpath syzygy /x");
    session.found_tablebases(TablebaseReport {
        is_absence: false,
        ..problem(0)
    });
    assert_eq!(session.lines(), [format!("telluser {message}")]);
}

#[test]
fn a_failure_during_the_game_is_reported() {
    let mut session = Session::new();
    session.send("protover 2").lines();
    for (is_replaced, rest) in [
        (false, "Gaur plays on without tablebases."),
        (true, "The new tablebases apply from the next search on."),
    ] {
        let reason = "The tablebase file KRvK.rtbw has disappeared".to_owned();
        session.event(SearchEvent::TablebasesFailed {
            reason: reason.clone(),
            is_replaced,
        });
        let message = format!("tellusererror {reason}. {rest}");
        assert_eq!(session.lines(), [message]);
    }
}

#[test]
fn debug_output_names_what_was_found() {
    let mut session = Session::new();
    session.send("accepted debug").send("egtpath syzygy /x");
    session.found_tablebases(four_men());
    assert_eq!(
        session.lines(),
        ["# Gaur plays with tablebases for up to 4 men: \
             35 tables of results (WDL), 35 of distances (DTZ)."]
    );
}

#[test]
fn a_network_and_tablebases_are_read_one_after_the_other() {
    let mut session = Session::new();
    session.send("option SettingsFile=s.txt");
    let text = "EvalFile=x.net\nSyzygyPath=/x\n".to_owned();
    let event = crate::protocol::machine::SettingsEvent::Read("s.txt".to_owned(), Ok(text));
    let actions = session.machine.on_settings(event);
    session.carry_out(actions);
    session.send("ping 1");
    assert!(session.tablebases.is_empty() && session.networks.len() == 1);
    session.network(Ok(()));
    assert_eq!(session.tablebases, ["/x"]);
    session.configured();
    assert_eq!(session.lines(), [""; 0]);
    session.found_tablebases(four_men());
    assert_eq!(session.lines(), ["pong 1"]);
}

#[test]
fn the_defaults_have_no_tablebases() {
    let mut session = Session::new();
    session.send("egtpath syzygy /x");
    session.found_tablebases(four_men());
    session.send("option ResetSettings");
    assert_eq!(session.tablebases, [""]);
}

#[test]
fn a_draw_by_the_tables_is_offered_with_the_third_move() {
    let mut session = Session::new();
    session.send("force;setboard 8/8/4k3/r7/8/4K3/7R/8 w - - 0 1;go");
    let mut found = |mv: &str, reply: &str| {
        let mut event = session.best_event(mv, None, 0);
        if let SearchEvent::Best {
            is_tablebase_draw, ..
        } = &mut event
        {
            *is_tablebase_draw = true;
        }
        let lines = session.event(event).lines();
        session.send(&format!("usermove {reply}"));
        lines
    };
    assert_eq!(found("h2h3", "a5b5"), ["move h2h3"]);
    assert_eq!(found("h3h4", "b5c5"), ["move h3h4"]);
    assert_eq!(found("h4h5", "c5d5"), ["offer draw", "move h4h5"]);
}
