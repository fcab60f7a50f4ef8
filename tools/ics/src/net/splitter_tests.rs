//! Tests of the splitter: bytes in, lines, prompts and pings out.

use super::*;
use Received::{Line, Ping, Prompt};

/// Feeds the bytes in pieces of this size, then lets time pass.
fn split_in(size: usize, bytes: &[u8], timeseal: bool) -> Vec<Received> {
    let mut splitter = LineSplitter::new(timeseal);
    let mut found = Vec::new();
    for piece in bytes.chunks(size) {
        splitter.push(piece, &mut |received| found.push(received));
    }
    splitter.pause(&mut |received| found.push(received));
    found
}

fn split(bytes: &[u8]) -> Vec<Received> {
    let whole = split_in(usize::MAX, bytes, true);
    for size in [1, 2, 3, 7] {
        let pieces = split_in(size, bytes, true);
        // A prompt is reported when it stands at the end of a piece, else removed from its line.
        let without_prompts = |all: &[Received]| -> Vec<Received> {
            all.iter()
                .filter(|one| **one != Prompt(LoginPrompt::Command))
                .cloned()
                .collect()
        };
        assert_eq!(
            without_prompts(&pieces),
            without_prompts(&whole),
            "in pieces of {size}"
        );
    }
    whole
}

fn line(text: &str) -> Received {
    Line(text.into())
}

#[test]
fn line_ends_of_the_servers() {
    assert_eq!(
        split(b"\n\ra\n\rb\r\nc\nd"),
        [line("a"), line("b"), line("c")]
    );
}

#[test]
fn prompts_are_removed_from_lines() {
    assert_eq!(
        split(b"fics% \n\rfics% Rabbit offers you a draw.\n\rfics% fics% "),
        [
            line("Rabbit offers you a draw."),
            Prompt(LoginPrompt::Command)
        ]
    );
    assert_eq!(split(b"lasker% \nIllegal move.\n"), [line("Illegal move.")]);
    assert_eq!(split(b"12:05_fics% a\n"), [line("a")]);
    // A percent sign elsewhere is text.
    for text in [
        "100% sure",
        "Rabbit tells you: fics% a",
        "    fics% a",
        "a b% c",
        "fics%a",
    ] {
        assert_eq!(split(format!("{text}\n").as_bytes()), [line(text)]);
    }
}

#[test]
fn a_board_is_reported_before_its_prompt() {
    let mut splitter = LineSplitter::new(false);
    let mut found = Vec::new();
    splitter.push(b"\n\r<12> a board\n\r", &mut |received| {
        found.push(received)
    });
    assert_eq!(found, [line("<12> a board")]);
    assert!(!splitter.is_pending());
    splitter.push(b"fics% ", &mut |received| found.push(received));
    assert_eq!(found.last(), Some(&Prompt(LoginPrompt::Command)));
}

#[test]
fn a_line_waits_for_its_continuation() {
    let mut splitter = LineSplitter::new(false);
    let mut found = Vec::new();
    splitter.push(b"Rabbit tells you: a b\n\r", &mut |received| {
        found.push(received)
    });
    assert!(found.is_empty() && splitter.is_pending());
    splitter.push(
        b"\\   {Game 1 (A vs. B) A resigns} 0-1\n\r",
        &mut |received| found.push(received),
    );
    splitter.push(b"fics% ", &mut |received| found.push(received));
    let joined = line("Rabbit tells you: a b {Game 1 (A vs. B) A resigns} 0-1");
    assert_eq!(found, [joined, Prompt(LoginPrompt::Command)]);
}

#[test]
fn prompts_of_the_login_have_no_line_end() {
    assert_eq!(
        split(b"Welcome\n\rlogin: "),
        [line("Welcome"), Prompt(LoginPrompt::Name)]
    );
    assert_eq!(
        split(b"\xFF\xFB\x01\n\rpassword: "),
        [Prompt(LoginPrompt::Password)]
    );
    let enter = "Press return to enter the server as \"GuestABCD\":";
    let expected = [line(enter), Prompt(LoginPrompt::PressReturn)];
    assert_eq!(split(format!("{enter}\n\r").as_bytes()), expected);
    assert_eq!(split(enter.as_bytes()), expected);
    // As a complete line it is text.
    assert_eq!(split(b"login: \n"), [line("login: ")]);
}

#[test]
fn prompts_of_the_login_end_with_it() {
    let mut splitter = LineSplitter::new(false);
    let mut found = Vec::new();
    splitter.push(
        b"**** Starting FICS session as gaur ****\n\n\r",
        &mut |received| found.push(received),
    );
    assert!(splitter.is_logged_in());
    splitter.push(b"login: ", &mut |received| found.push(received));
    splitter.pause(&mut |received| found.push(received));
    assert_eq!(found.len(), 1);
}

/// Returns `true` if the session has begun after these texts of the server, with a pause behind each one.
fn begins_session(texts: &[&str]) -> bool {
    let mut splitter = LineSplitter::new(false);
    for text in texts {
        splitter.push(text.as_bytes(), &mut |_| ());
        splitter.pause(&mut |_| ());
    }
    splitter.is_logged_in()
}

#[test]
fn a_session_without_an_announcement_begins_with_a_command_prompt() {
    let enter = "Press return to enter the FICS as \"GuestABCD\":";
    assert!(begins_session(&["login: ", "password: ", "\n\rfics% "]));
    assert!(begins_session(&["login: ", enter, "Welcome\n\rfics% "]));
    // Not before the answer, and not again after a wrong password.
    assert!(!begins_session(&["fics% "]));
    assert!(!begins_session(&["login: ", "fics% "]));
    assert!(!begins_session(&["login: ", "password: "]));
    assert!(!begins_session(&[
        "password: ",
        "Invalid password!\n\rlogin: ",
        "fics% "
    ]));
    // The prompt is the last text, and is a prompt.
    assert!(!begins_session(&["password: ", "fics% Wel"]));
    assert!(!begins_session(&["password: ", "a fics% "]));
    assert!(!begins_session(&["password: ", "fics% \n\rWelcome\n"]));
    let mut splitter = LineSplitter::new(false);
    splitter.push(b"password: ", &mut |_| ());
    splitter.pause(&mut |_| ());
    splitter.push(b"\n\rfics% ", &mut |_| ());
    splitter.push(b"Welcome\n\r", &mut |_| ());
    splitter.pause(&mut |_| ());
    assert!(!splitter.is_logged_in());
}

#[test]
fn telnet_commands_are_removed() {
    assert_eq!(
        split(b"a\xFF\xFC\x01b\xFF\xF9c\xFF\xFA\x18\x01x\xFF\xF0d\n"),
        [line("abcd")]
    );
    // A subnegotiation without an end does not last forever.
    let mut endless = b"\xFF\xFA".to_vec();
    endless.extend([b'x'; 1000]);
    endless.extend(b"\na\n");
    assert_eq!(split(&endless).last(), Some(&line("a")));
}

#[test]
fn control_characters_and_terminal_commands_are_removed() {
    assert_eq!(
        split(b"\x07\n\x1B[7mRabbit\x1B[0m offers\x08 you\ta draw.\n"),
        [line("Rabbit offers you a draw.")]
    );
    assert_eq!(split(b"a\rb\n"), [line("ab")]);
    assert_eq!(split(b"\x1B[3\na\n"), [line("a")]);
    assert_eq!(split("a\u{85}b\u{9b}c\n".as_bytes()), [line("abc")]);
}

#[test]
fn text_that_is_not_utf8_is_latin1() {
    assert_eq!(split(b"Caf\xE9 \xA7\n"), [line("Caf\u{e9} \u{a7}")]);
    assert_eq!(
        split("Caf\u{e9} \u{265e}\n".as_bytes()),
        [line("Caf\u{e9} \u{265e}")]
    );
}

#[test]
fn long_lines_are_cut_off() {
    let mut bytes = b"Rabbit tells you: ".to_vec();
    bytes.extend(vec![b'x'; 100_000]);
    bytes.extend(b"{Game 1 (A vs. B) A resigns} 0-1\nnext\n");
    let found = split(&bytes);
    assert_eq!(found.len(), 2);
    assert!(matches!(&found[0], Line(text) if text.len() == MAX_LINE));
    assert_eq!(found[1], line("next"));
}

#[test]
fn pings_are_found_within_text() {
    assert_eq!(split(b"ab[G]\0c\n"), [Ping, line("abc")]);
    assert_eq!(split(b"[G]\0[G]\0"), [Ping, Ping]);
    assert_eq!(split(b"\n[G]\n<12> x\n"), [Ping, line("<12> x")]);
    assert_eq!(
        split(b"fics% \n\r[G]\0fics% "),
        [Ping, Prompt(LoginPrompt::Command)]
    );
}

#[test]
fn a_text_of_a_user_is_no_ping() {
    assert_eq!(
        split(b"Rabbit tells you: [G]\n"),
        [line("Rabbit tells you: [G]")]
    );
    assert_eq!(split(b"G\0[G\0]\n"), [line("G[G]")]);
    assert_eq!(
        split_in(9, b"[G]\0\n[G]\n", false),
        [line("[G]"), line("[G]")]
    );
}
