//! Explanations of commands and options.

use super::{PLAIN, Terminal, assert_parts};

#[test]
fn help_explains_a_command() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    for (line, answer) in [
        (
            "help book",
            "  moves, book       list the legal moves, those of the opening book\n",
        ),
        (
            "help Option",
            "  option NAME=VALUE change an option; option lists all\n",
        ),
        (
            "help black",
            "  white, black      play White, Black from here on\n",
        ),
        (
            "help egtpath",
            "Write egtpath syzygy and a folder of tablebases; egtpath syzygy alone switches them off.\n",
        ),
        (
            "help elo",
            "  option Elo  Playing strength if LimitStrength is on; moves take about as long as those of a person\n",
        ),
    ] {
        assert_eq!(terminal.send(line), answer, "{line}");
    }
    assert_eq!(terminal.send("help level").lines().count(), 4);
    for line in ["help", "help xyzzy", "help 5+3"] {
        assert_parts(
            &terminal.send(line),
            &[
                "Type a move in any usual notation",
                "option LimitStrength=1",
            ],
        );
    }
}

#[test]
fn a_setting_without_an_equals_sign_is_explained() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    for (line, setting) in [
        ("option LimitStrength 1", "LimitStrength=1"),
        ("option elo 1200", "Elo=1200"),
        ("set Elo  1200", "Elo=1200"),
        ("option Greeting Good day", "Greeting=Good day"),
    ] {
        let answer = format!("An option is set with =. Write option {setting}.\n");
        assert_eq!(terminal.send(line), answer, "{line}");
    }
    assert_eq!(
        terminal.send("option ClearHash now"),
        "ClearHash has no value. Write option ClearHash.\n"
    );
    assert_eq!(
        terminal.send("option Hsah 3"),
        "Hsah 3: there is no such option; type option for a list.\n"
    );
}

#[test]
fn random_names_the_level_that_it_selects() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.send("sd 3");
    assert_eq!(
        terminal.send("random"),
        "Gaur plays with a strength of 1200 Elo.\n"
    );
    assert_parts(
        &terminal.send("random"),
        &["Gaur varies its moves if you set the option Variety"],
    );
}

#[test]
fn egtpath_without_an_argument_is_explained() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    assert_eq!(
        terminal.send("egtpath"),
        "Write egtpath syzygy and a folder of tablebases; egtpath syzygy alone switches them off.\n"
    );
}
