//! Tests of the words of errors.

use std::path::Path;

use super::*;

/// Returns the errors of a text.
fn errors(text: &str) -> String {
    let error = Config::parse(text, Path::new("a.toml")).expect_err(text);
    error.to_string()
}

#[test]
fn errors_name_cause_and_remedy() {
    for (text, expected) in [
        (
            "[server]\nport = 70000",
            "expected an integer from 1 to 65535",
        ),
        ("[server]\nport = 0", "allowed: 1 to 65535"),
        (
            "[server]\nhost = \"localhost:5010\"",
            "a.toml:2:8: server.host: `localhost:5010` contains a port: write `localhost` here, and 5010 in `port`",
        ),
        (
            "[challenges]\nbase_max =\naccept = true",
            "the value of `base_max` is missing",
        ),
        (
            "[challenges]\nbase_max = # none",
            "the value of `base_max` is missing",
        ),
        (
            "[challenges]\nbase_max =",
            "the value of `base_max` is missing",
        ),
        ("[challenges]\nbase_max = 5m", "not TOML: "),
        (
            "[chat]\ngreeting = \"Hello {oponent}, I am {engine}\"",
            "a.toml:2:12: chat.greeting: `{oponent}` is not known; allowed: {opponent}, {engine}",
        ),
    ] {
        let found = errors(text);
        assert!(found.contains(expected), "{text}: {found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    assert!(Config::parse("[server]\nhost = \"::1\"", Path::new("a")).is_ok());
    let text = "[chat]\ngoodbye = \"Thank you, {opponent} :-} {\"";
    assert!(Config::parse(text, Path::new("a")).is_ok());
}

#[test]
fn an_unknown_section_is_named_once() {
    for text in [
        "[sever]\nport = 1\nhost = \"a\"\n",
        "[sever]\n",
        "[ sever ]\nport = 1\n[sever.more]\na = 1\n",
        "[[sever]]\nport = 1\n",
    ] {
        let found = errors(text);
        assert!(
            found.contains("unknown section [sever]; did you mean `server`?"),
            "{found}"
        );
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

#[test]
fn a_file_with_errors_is_read_partly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    let text = "[server]\nport = \"x\"\nhost = \"localhost\"\n[seek]\ngames = [{ base = 0 }]\n";
    std::fs::write(&file, text).unwrap();
    let (error, config) = Config::load_partly(&file).expect_err("errors");
    assert_eq!(config.expect("a part").server.host, "localhost");
    for (key, is_left) in [
        ("server.host", true),
        ("server.port", false),
        ("server", false),
        ("seek.games", false),
        ("seek", false),
        ("record.pgn", true),
    ] {
        assert_eq!(error.leaves(key), is_left, "{key}");
    }
    std::fs::write(&file, "[server").unwrap();
    let (_, config) = Config::load_partly(&file).expect_err("no TOML");
    assert_eq!(config, None);
}

#[test]
fn a_binary_file_is_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, [0x7f, 0xff, 0xfe]).unwrap();
    let error = Config::load(&file).expect_err("no text").to_string();
    assert!(
        error.ends_with("a.toml: the file is not text in UTF-8"),
        "{error}"
    );
}
