//! Tests of start-up, settings, unknown commands and terminals.

use super::*;
use crate::messages::Resources;
use crate::protocol::machine::SettingsEvent;

#[test]
fn pongs_wait_until_settings_are_applied() {
    let mut session = Session::new();
    session.send("memory 64;ping 1;option MultiPV=2;ping 2");
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(session.event(SearchEvent::Configured).lines(), ["pong 1"]);
    assert_eq!(session.event(SearchEvent::Configured).lines(), ["pong 2"]);
    // Neither an unchanged setting nor one that the search does not use is sent to the search.
    for settings in [
        "option MultiPV=2",
        "option MoveOverhead=200",
        "option Kibitz=kibitz",
    ] {
        let pong = session.send(&format!("{settings};ping 3")).lines();
        assert_eq!(pong, ["pong 3"], "{settings}");
    }
}

#[test]
fn lines_after_a_waiting_ping_are_handled_after_its_pong() {
    for settings in ["memory 32", "cores 2", "option Variety=20"] {
        let mut session = Session::after_e4("e7e5", Some("g1f3"));
        session.send(settings).send("ping 1");
        assert!(
            !requests_confirmation(&session),
            "{settings}: no line waits yet"
        );
        session.send("hint;ping 2");
        assert_eq!(session.lines(), [""; 0], "{settings}");
        assert!(requests_confirmation(&session), "{settings}");
        let lines = session.configured().lines();
        assert_eq!(lines, ["pong 1", "Hint: g1f3", "pong 2"], "{settings}");
    }
}

#[test]
fn lines_after_a_ping_that_waits_for_a_new_game_are_handled_after_its_pong() {
    let mut session = Session::after_e4("e7e5", None);
    session.holds_new_games = true;
    let last = session.running_id();
    session.send("new;ping 1;nonsense;go");
    assert_eq!(session.lines(), [""; 0]);
    assert!(requests_confirmation(&session));
    assert_eq!(session.running_id(), last, "a search has started");
    let lines = session.configured().lines();
    assert_eq!(lines, ["pong 1", "Error (unknown command): nonsense"]);
    assert_eq!(session.searched(), START);

    // Without a ping, no line waits.
    session.send("new;go");
    assert_eq!(session.searched(), START);
    assert_eq!(session.best("e2e4").lines(), ["move e2e4"]);
}

fn requests_confirmation(session: &Session) -> bool {
    let mut orders = session.orders.iter();
    orders.any(|order| matches!(order, SearchOrder::ConfirmNow))
}

#[test]
fn settings_are_sent_to_the_search() {
    let mut session = Session::new();
    session.send("cores 3");
    let Some(SearchOrder::Configure(config)) = session.orders.last() else {
        panic!("no order")
    };
    assert_eq!(config.threads, 3);
    session.send("memory 132");
    let Some(SearchOrder::Configure(config)) = session.orders.last() else {
        panic!("no order")
    };
    assert_eq!((config.threads, config.hash_megabytes), (3, 109));
}

#[test]
fn wrong_options_are_rejected() {
    let mut session = Session::new();
    assert_eq!(
        session.send("option Foo=1").lines(),
        ["Error (unknown option): option Foo=1"]
    );
    assert_eq!(
        session.send("option Resign=x").lines(),
        ["Error (bad argument): option Resign=x"]
    );
    assert!(session.orders.is_empty());
    assert_eq!(session.send("option ClearHash").lines(), [""; 0]);
}

#[test]
fn settings_while_thinking_do_not_stop_the_search() {
    let mut session = Session::new();
    session.send("usermove e2e4;memory 20;cores 2;ping 1");
    let id = session.running_id();
    session
        .event(SearchEvent::Configured)
        .event(SearchEvent::Configured);
    assert_eq!((session.lines(), session.running_id()), (vec![], id));
    assert_eq!(session.best("e7e5").lines(), ["move e7e5", "pong 1"]);
}

#[test]
fn start_up_commands_have_no_reply() {
    let mut session = Session::new();
    session.send(
        "accepted;accepted foo;rejected setscore;rejected option Foo;random;computer;name A [B];\
         rating 0 1800;ics -;ics a.b.c;holding [] [];partner x;ptell hi;;   ;exit;egtpath syzygy /x;put e4;hover e3",
    );
    session.found_tablebases(TablebaseReport::default());
    assert_eq!(session.lines(), [""; 0]);
    session.send("usermove e2e4;rejected x;accepted y;name Z");
    assert_eq!(session.best("e7e5").lines(), ["move e7e5"]);
}

#[test]
fn errors_contain_the_whole_unknown_command() {
    let mut session = Session::new();
    session.send("xboard");
    for line in [
        "frobnicate 3",
        "uci",
        "isready",
        "bd",
        "d",
        "show",
        "help",
        "setscore",
    ] {
        let lines = session.send(line).lines();
        assert!(
            lines.len() == 1 && lines[0].starts_with("Error (") && lines[0].ends_with(line),
            "{lines:?}"
        );
    }
}

#[test]
fn help_and_board_are_available_until_xboard_arrives() {
    for (is_terminal, lines_of_error) in [(true, 2), (false, 1)] {
        for gui in ["xboard", "protover 2"] {
            let mut session = Session::with(MachineSettings {
                is_terminal,
                ..MachineSettings::default()
            });
            assert!(session.send("help").lines().len() > 10);
            let board = session.send("e4;d").lines();
            assert!(board.iter().any(|line| line.contains("4P3")), "{board:#?}");
            let error = session.send("Ke3").lines();
            assert_eq!(error.len(), lines_of_error, "{error:?}");
            session.send("setboard x;d");
            assert!(session.lines().len() > 2);
            if !is_terminal || gui == "xboard" {
                session.send(gui).lines();
                session.send("help");
                assert_eq!(session.lines(), ["Error (unknown command): help"]);
            }
        }
    }
}

#[test]
fn a_long_line_is_truncated_in_the_error() {
    let mut session = Session::new();
    let line = "\u{fffd}".repeat(20_000);
    let lines = session.send(&line).lines();
    assert!(lines.len() == 1 && lines[0].len() < 1000);
    session.send(&format!("usermove {line}"));
    assert!(session.lines()[0].starts_with("Illegal move: "));
}

#[test]
fn a_line_that_is_too_long_is_rejected_completely() {
    let mut session = Session::new();
    session.send("force");
    let blanks = " ".repeat(MAX_LINE_BYTES - "usermove e2e4".len());
    let error = "Error (line too long): usermove e2e4";
    for line in [
        format!("usermove e2e4{blanks} "),
        format!("usermove e2e4{blanks}z"),
    ] {
        let lines = session.send(&line).lines();
        assert!(lines[0].starts_with(error), "{lines:?}");
    }
    assert_eq!(session.send("edit").lines(), [""; 0]);
    assert!(
        session
            .send(&format!(".{}", " ".repeat(MAX_LINE_BYTES)))
            .lines()[0]
            .starts_with("Error")
    );
    session.send(".");
    assert_eq!(
        session.send(&format!("usermove e2e4{blanks}")).lines(),
        [""; 0]
    );
    let lines = session.send("usermove e2e4").lines();
    assert!(
        lines[0].starts_with("Illegal move"),
        "the longest line is handled"
    );
}

#[test]
fn the_settings_file_is_loaded_by_its_option_and_saved_by_the_button() {
    let mut session = Session::new();
    session.send("option MoveOverhead=70;option SaveSettings");
    assert_eq!(
        session.lines(),
        ["tellusererror SaveSettings: first name a file in the option SettingsFile"]
    );
    session.send("option SettingsFile= a file ");
    assert!(matches!(session.files.pop(), Some(Action::ReadSettings(path)) if path == "a file"));
    let read = |text: &str| SettingsEvent::Read("a file".into(), Ok(text.into()));
    let actions = session
        .machine
        .on_settings(read("Variety=8\nMoveOverhead=x"));
    session.carry_out(actions);
    assert_eq!(session.lines().len(), 1);
    assert_eq!(
        (session.machine.config.search.variety, session.files.len()),
        (0, 0)
    );

    let actions = session.machine.on_settings(read("Variety=8"));
    session.carry_out(actions);
    assert_eq!(session.lines(), [""; 0]);
    assert_eq!(session.machine.config.search.variety, 8);
    session.send("option SaveSettings");
    let Some(Action::WriteSettings {
        path,
        text,
        may_replace,
    }) = session.files.pop()
    else {
        panic!("nothing is written")
    };
    assert_eq!((path.as_str(), may_replace), ("a file", true));
    assert!(text.contains("\nVariety=8\n") && text.contains("\nMoveOverhead=70\n"));

    let event = SettingsEvent::Written(path, Ok(()));
    let actions = session.machine.on_settings(event);
    session.carry_out(actions);
    session.send("option ResetSettings");
    assert_eq!(
        session.lines().first().map(String::as_str),
        Some("feature done=0")
    );
    let config = &session.machine.config;
    assert_eq!(
        (config.search.variety, config.settings_file.as_str()),
        (0, "a file")
    );
}

#[test]
fn refused_memory_is_reported_after_the_handshake() {
    let mut session = Session::new();
    let mut resources = Resources {
        table_megabytes: 64,
        requested_megabytes: 3072,
        threads: 2,
        requested_threads: 2,
    };
    session.event(SearchEvent::Reduced(resources));
    assert_eq!(session.lines(), [""; 0]);
    let lines = session.send("new").lines();
    let expected = "tellusererror The system has refused memory: the hash table has 64 of 3072 MB. \
                    Gaur plays on. Select less memory or fewer cores, or raise the limit of the process.";
    assert_eq!(lines, [expected]);
    (resources.table_megabytes, resources.threads) = (0, 1);
    let lines = session.event(SearchEvent::Reduced(resources)).lines();
    let expected = "the hash table has less than 1 of 3072 MB, and 1 of 2 threads search.";
    assert!(lines[0].contains(expected), "{lines:?}");
    resources.table_megabytes = resources.requested_megabytes;
    let lines = session.event(SearchEvent::Reduced(resources)).lines();
    assert!(
        lines[0].contains("memory: 1 of 2 threads search."),
        "{lines:?}"
    );
}
