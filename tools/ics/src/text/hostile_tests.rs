//! Messages and texts of other users that imitate messages of the server.

use super::*;

/// Messages of the server that must have no effect as a text of another user.
const IMITATIONS: [&str; 18] = [
    "<12> rnbqkbnr pppppppp -------- -------- -------- -------- PPPPPPPP RNBQKBNR W -1 1 1 1 1 0 1 A B 1 5 0 39 39 300 \
     300 1 none (0:00) none 0 0 0",
    "{Game 5 (A vs. B) A resigns} 0-1",
    "{Game 5 (A vs. B) Creating rated blitz match.}",
    "Creating: Rabbit (1200) GuestXYZ (++++) unrated blitz 5 0",
    "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 5 0.",
    "Rabbit offers you a draw.",
    "Rabbit would like to take back 2 half move(s).",
    "Rabbit would like to abort the game; type \"abort\" to accept.",
    "Rabbit declines the draw request.",
    "Rabbit tells you: resign",
    "**** Starting FICS session as Owner ****",
    "**** Rabbit has arrived - you can't both be logged in. ****",
    "**** Invalid password! ****",
    "Illegal move (e2e4).",
    "Movelist for game 1:",
    "  1.  e4      (0:00)       e5      (0:01)",
    "fics% {Game 5 (A vs. B) A resigns} 0-1",
    "\\   {Game 5 (A vs. B) A resigns} 0-1",
];

/// Beginnings of the messages of other users, and the kinds that they have.
const OPENINGS: [(&str, ChatKind); 20] = [
    ("Rabbit tells you: ", ChatKind::Tell),
    ("Rabbit(C)(TD) tells you: ", ChatKind::Tell),
    ("GuestABCD(U) tells you: ", ChatKind::Tell),
    ("Rabbit (your partner) tells you: ", ChatKind::PartnerTell),
    ("Rabbit says: ", ChatKind::Say),
    ("Rabbit(*)[12] says: ", ChatKind::Say),
    ("Rabbit(C)(1200)[5] kibitzes: ", ChatKind::Kibitz),
    ("Rabbit(1200)(C) kibitzes: ", ChatKind::Kibitz),
    ("Rabbit(++++)[5] kibitzes: ", ChatKind::Kibitz),
    ("Rabbit( 894)[5] whispers: ", ChatKind::Whisper),
    ("Rabbit(GM) whispers: ", ChatKind::Whisper),
    ("Rabbit shouts: ", ChatKind::Shout),
    ("Rabbit(FM) shouts: ", ChatKind::Shout),
    ("Rabbit c-shouts: ", ChatKind::ChessShout),
    ("--> Rabbit ", ChatKind::Shout),
    ("--> Rabbit(C)'s friend: ", ChatKind::Shout),
    ("Rabbit(53): ", ChatKind::Channel(53)),
    ("Rabbit(*)(TD)(1): ", ChatKind::Channel(1)),
    ("    **ANNOUNCEMENT** from Rabbit: ", ChatKind::Announcement),
    (
        "**UNREG ANNOUNCEMENT** from Rabbit: ",
        ChatKind::Announcement,
    ),
];

fn chat(line: &str) -> Chat {
    match parse(line) {
        ServerLine::Chat(chat) => chat,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_text_after_a_chat_prefix_has_no_effect() {
    for (opening, kind) in OPENINGS {
        for text in IMITATIONS
            .into_iter()
            .chain(["", "hello", ": ", "(", "\u{1F600}"])
        {
            let found = chat(&format!("{opening}{text}"));
            assert_eq!(found.kind, kind, "{opening}{text}");
            assert!(found.from == "Rabbit" || found.from == "GuestABCD");
            assert!(found.text.contains(text.trim()), "{found:?}");
        }
    }
}

#[test]
fn parts_of_a_message() {
    let found = chat("Rabbit(C)(1200)[5] kibitzes: nice  move");
    assert_eq!((found.titles.as_str(), found.game), ("(C)(1200)", Some(5)));
    assert_eq!(found.text, "nice  move");
    let found = chat("Rabbit(*)(TD)(53): hello: all");
    assert_eq!(
        (found.titles.as_str(), found.text.as_str()),
        ("(*)(TD)", "hello: all")
    );
    assert_eq!(chat("Rabbit tells you:").text, "");
    assert_eq!(chat("--> Rabbit's ears move.").text, "'s ears move.");
}

#[test]
fn the_name_of_the_sender_may_be_a_word_of_the_server() {
    for name in [
        "Challenge",
        "Creating",
        "Issuing",
        "Notification",
        "Game",
        "Movelist",
        "login",
    ] {
        for opening in ["tells you", "says", "kibitzes", "shouts"] {
            let found = chat(&format!("{name} {opening}: Rabbit offers you a draw."));
            assert_eq!(found.from, name);
        }
        assert_eq!(
            chat(&format!("{name}(50): accept")).kind,
            ChatKind::Channel(50)
        );
    }
}

/// Messages that users have stored, and texts of `finger`, stand on lines of their own. Servers indent or number them.
#[test]
fn indented_and_numbered_texts_are_no_messages_of_the_server() {
    for text in IMITATIONS {
        for indent in ["    ", " 1: ", "1: ", "10: ", ":"] {
            let line = format!("{indent}{text}");
            let found = parse(&line);
            let has_no_effect = matches!(found, ServerLine::Unknown(_) | ServerLine::Chat(_));
            assert!(has_no_effect, "{line}: {found:?}");
        }
    }
}

#[test]
fn texts_of_the_user_within_messages_of_the_server() {
    for text in IMITATIONS {
        for line in [
            format!("Rabbit's formula: {text}"),
            format!("Fwd tell: Rabbit told Fox: {text}"),
            format!("(told Rabbit, who {text} (idle: 5 mins))"),
            format!("Rabbit is in the following channels: {text}"),
        ] {
            let found = parse(&line);
            assert!(matches!(found, ServerLine::Unknown(_)), "{line}: {found:?}");
        }
    }
}

#[test]
fn more_text_behind_a_message_of_the_server_is_not_accepted() {
    for line in [
        "Rabbit offers you a draw. accept",
        "Rabbit would like to take back 2 half move(s). Rabbit offers you a draw.",
        "{Game 5 (A vs. B) A resigns} 0-1 {Game 5 (A vs. B) B resigns} 1-0",
        "{Game 5 (A vs. B) Creating rated blitz match.} 1-0",
        "Rabbit declines the draw request. no",
        "**** Starting FICS session as Owner **** really",
        "Rabbit  offers you a draw.",
        " Rabbit offers you a draw.",
    ] {
        assert_eq!(parse(line), ServerLine::Unknown(line.into()));
    }
}

#[test]
fn wrapped_texts_are_part_of_their_line() {
    let mut unwrap = Unwrap::default();
    assert_eq!(
        unwrap.push("Rabbit tells you: here comes a long text"),
        None
    );
    for text in IMITATIONS {
        assert_eq!(unwrap.push(&format!("\\   {text}")), None);
    }
    let joined = unwrap.flush().unwrap_or_default();
    let found = chat(&joined);
    assert!(
        found
            .text
            .starts_with("here comes a long text <12> rnbqkbnr")
    );
    assert!(found.text.ends_with(" {Game 5 (A vs. B) A resigns} 0-1"));
}

#[test]
fn a_continuation_without_its_line_is_dropped() {
    let mut unwrap = Unwrap::default();
    assert_eq!(unwrap.push("\\   Rabbit offers you a draw."), None);
    assert_eq!(unwrap.flush(), None);
    assert_eq!(unwrap.push("Game clock"), None);
    assert_eq!(unwrap.push("\\   paused."), None);
    assert_eq!(unwrap.push("next").as_deref(), Some("Game clock paused."));
    assert_eq!(unwrap.flush().as_deref(), Some("next"));
    assert!(!unwrap.is_pending());
}

#[test]
fn endless_continuations_are_bounded() {
    let mut unwrap = Unwrap::default();
    unwrap.push("Rabbit tells you: a");
    for _ in 0..10_000 {
        unwrap.push("\\   more and more");
    }
    assert!(unwrap.flush().is_some_and(|line| line.len() < 10_000));
}
