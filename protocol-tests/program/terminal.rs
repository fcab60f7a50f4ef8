//! The program at a terminal, which `script` provides.

use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::engine::{Engine, TIMEOUT, program};

/// Byte that the Ctrl-C key sends.
const INTERRUPT: &str = "\u{3}";

/// Starts the program at a terminal of the type `term`, with these arguments.
fn at_terminal(term: &str, arguments: &str) -> Engine {
    Engine::start(command_at_terminal(term, arguments))
}

/// Returns the command that starts the program at a terminal.
fn command_at_terminal(term: &str, arguments: &str) -> Command {
    command_after("", term, arguments)
}

/// Returns the command that starts the program at a terminal after these commands of the shell, without the opening
/// book.
fn command_after(preparation: &str, term: &str, arguments: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_gaur");
    let mut command = Command::new("script");
    // `script` leaves the command to a shell. Without `exec`, some shells would wait for the program, receive the
    // signal of Ctrl-C with it, and end by that signal.
    command
        .args(["--quiet", "--return", "--flush", "--command"])
        .arg(format!(
            "{preparation} exec '{program}' --set OwnBook=0 {arguments}"
        ))
        .arg("/dev/null")
        .env("SHELL", "/bin/sh")
        .env_remove("GAUR_LOG")
        .env_remove("GAUR_SETTINGS")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", term);
    crate::engine::with_pipes(&mut command);
    command
}

/// Reads lines up to one that contains `part`, and returns all of them.
fn text_until(engine: &mut Engine, part: &str) -> String {
    let mut text = String::new();
    loop {
        let line = engine.line();
        text.push_str(&line);
        text.push('\n');
        if line.contains(part) {
            return text;
        }
        assert!(
            !line.is_empty() || engine.child.try_wait().expect("a child").is_none(),
            "the program left without {part:?}: {text:?}"
        );
    }
}

/// Text of the last rank of a board from White's side.
const FILES: &str = "    a  b  c ";

#[test]
fn a_move_is_answered_with_boards() {
    let mut engine = at_terminal("xterm-256color", "");
    let start = text_until(&mut engine, FILES);
    assert!(start.starts_with("Gaur "), "{start:?}");
    assert!(
        start.contains('♜') && start.contains("\u{1b}[48;5;"),
        "{start:?}"
    );
    engine.send("sd 4\ne4\n");
    let text = text_until(&mut engine, "Gaur plays 1... ");
    assert!(text.contains(FILES), "{text:?}");
    text_until(&mut engine, FILES);
    engine.exits_cleanly();
}

#[test]
fn few_lines_show_the_ranks_only() {
    let preparation = "stty rows 10 cols 80;";
    let mut engine = Engine::start(command_after(preparation, "xterm-256color", ""));
    engine.send("sd 2\ne4\n");
    let text = text_until(&mut engine, "Gaur plays 1... ");
    assert!(text.contains("\u{1b}[48;5;"), "{text:?}");
    assert!(!text.contains(FILES), "{text:?}");
    engine.exits_cleanly();
}

#[test]
fn colours_can_be_switched_off() {
    let mut command = command_at_terminal("xterm-256color", "");
    command.env("NO_COLOR", "1");
    let mut engine = Engine::start(command);
    let start = text_until(&mut engine, FILES);
    assert!(
        start.contains('♖') && !start.contains("[48;5;"),
        "{start:?}"
    );
    engine.exits_cleanly();
}

#[test]
fn plain_and_simple_terminals_get_lines_without_escape_sequences() {
    for (term, arguments) in [("xterm-256color", "--plain"), ("dumb", "")] {
        let mut engine = at_terminal(term, arguments);
        engine.send("sd 4\ne4\n");
        let mut text = text_until(&mut engine, "Gaur plays 1... ");
        engine.send("pieces\n");
        text += &text_until(&mut engine, "White to move.");
        assert!(
            text.contains("White: king e1, queen d1, rooks a1 h1,"),
            "{text:?}"
        );
        assert!(!text.contains('\u{1b}'), "{text:?}");
        engine.exits_cleanly();
    }
}

#[test]
fn the_interrupt_key_ends_the_program() {
    for preparation in ["", "level 60\ne4\n", "analyze\n"] {
        let mut engine = at_terminal("xterm-256color", "");
        text_until(&mut engine, FILES);
        engine.send(preparation);
        if !preparation.is_empty() {
            text_until_thinking(&mut engine);
        }
        engine.send(INTERRUPT);
        assert!(engine.exit_within(TIMEOUT).success());
    }
}

/// Waits for a thinking line.
fn text_until_thinking(engine: &mut Engine) {
    use std::io::Read;
    let output = engine.output.as_mut().expect("its output is open");
    let mut text = Vec::new();
    let mut buffer = [0; 512];
    while !String::from_utf8_lossy(&text).contains("depth ") {
        let count = output.read(&mut buffer).expect("readable output");
        assert!(count > 0, "the program left: {text:?}");
        text.extend(&buffer[..count]);
    }
}

#[test]
fn a_gui_at_a_terminal_is_not_interrupted() {
    let mut engine = at_terminal("xterm-256color", "");
    text_until(&mut engine, FILES);
    engine.send("xboard\nprotover 2\n");
    text_until(&mut engine, "feature done=1");
    engine.send(INTERRUPT);
    // The signal arrives before the next line is read, or at any time after it.
    thread::sleep(Duration::from_millis(200));
    engine.send("\nping 7\n");
    text_until(&mut engine, "pong 7");
    engine.exits_cleanly();
}

#[test]
fn the_end_of_input_ends_the_program() {
    let mut engine = at_terminal("dumb", "");
    text_until(&mut engine, "You play White");
    // Ctrl-D.
    engine.send("\u{4}");
    assert!(engine.exit_within(TIMEOUT).success());
}

#[test]
fn games_are_saved_and_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my games.pgn");
    let mut engine = at_terminal("dumb", "");
    engine.send("sd 2\ne4\n");
    text_until(&mut engine, "Gaur plays");
    for answer in [
        "The game is saved in ",
        "The game is added to the other games in ",
    ] {
        engine.send(format!("save {}\n", path.display()));
        text_until(&mut engine, answer);
    }
    let games = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(games.matches("\n\n1. e4 ").count(), 2, "{games}");
    engine.send("save /dev/full\n");
    text_until(&mut engine, "/dev/full is not an ordinary file");
    engine.exits_cleanly();
}

#[test]
fn a_tilde_is_the_home_folder() {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = command_at_terminal("dumb", "");
    command.env("HOME", home.path());
    let mut engine = Engine::start(command);
    engine.send("option SettingsFile=~/gaur.txt\noption SaveSettings\nsave ~/game.pgn\n");
    text_until(&mut engine, "The settings are saved in ");
    text_until(&mut engine, "The game is saved in ");
    for name in ["gaur.txt", "game.pgn"] {
        assert!(home.path().join(name).is_file(), "{name}");
    }
    engine.exits_cleanly();
}

#[test]
fn a_game_that_cannot_be_written_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    // The system allows no file with content.
    let mut engine = Engine::start(command_after("ulimit -f 0;", "dumb", ""));
    engine.send(format!("save {}\n", path.display()));
    text_until(&mut engine, "game.pgn cannot be written: ");
    assert!(!path.exists());
    engine.exits_cleanly();
}

#[test]
fn settings_are_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("gaur.txt").display().to_string();
    let mut engine = at_terminal("dumb", "");
    for (line, answer) in [
        (format!("option SettingsFile={path}"), "does not exist yet"),
        ("option Resign=600".to_owned(), "Resign is 600."),
        (
            "option SaveSettings".to_owned(),
            "The settings are saved in ",
        ),
        ("option Resign=0".to_owned(), "Resign is 0."),
        (format!("option SettingsFile={path}"), "The settings of "),
        ("option".to_owned(), "Resign=600"),
        (
            "option EvalFile=/no/net".to_owned(),
            "Gaur plays on with the network that is built in",
        ),
        (
            "option Evaluation=classical".to_owned(),
            "Evaluation is classical.",
        ),
    ] {
        engine.send(format!("{line}\n"));
        text_until(&mut engine, answer);
    }
    engine.exits_cleanly();
}

#[test]
fn a_missing_settings_file_is_an_error() {
    let mut engine = at_terminal("dumb", "--settings /no/gaur.txt");
    text_until(
        &mut engine,
        "gaur: --settings /no/gaur.txt cannot be read: the file does not exist",
    );
    engine.exits_cleanly();
}

#[test]
fn fischer_random_begins_at_a_random_position() {
    let mut engine = at_terminal("dumb", "");
    let mut positions = std::collections::BTreeSet::new();
    for _ in 0..8 {
        engine.send("new 960\nboard\n");
        let text = text_until(&mut engine, " w ");
        let fen = text.lines().last().expect("a FEN").to_owned();
        assert!(fen.contains("/pppppppp/8/8/8/8/PPPPPPPP/"), "{fen}");
        positions.insert(fen);
    }
    assert!(positions.len() > 1, "{positions:?}");
    engine.exits_cleanly();
}

#[test]
fn a_pipe_without_a_gui_gets_help_and_a_board() {
    let mut engine = Engine::start(program());
    engine.send("help\nd\n");
    engine.line_with("Type a move");
    engine.line_with("White to move");
    engine.send("xboard\nd\n");
    engine.line_with("Error (unknown command): d");
    engine.exits_cleanly();
}
