//! Scenarios: messages of opponents that imitate the server, and commands of owners.

use super::games::expect_refusal;
use super::session::{ANSWER, ClientSession, Scenario, is_move};
use super::settings::{Engine, Setting};
use crate::ics::client::Client;
use crate::ics::server::{Family, Kind};
use crate::ics::zippy_session::{ENGINE, RABBIT};

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "hostile-messages",
        &[
            ("takeback", "accept", "true"),
            ("owners", "names", "[\"Owner\"]"),
            SHOUTS,
        ],
        hostile_messages,
    ),
    Scenario::new("hostile-messages-in-parts", &[], hostile_messages_in_parts).on(Family::Fics16),
    Scenario::new("owner", &[("owners", "names", "[\"Rabbit\"]")], owner),
    Scenario::new("owner-without-account", OWNERS, owner_without_account).with_gaur(),
    Scenario::new(
        "owner-without-account-on-lasker",
        OWNERS,
        owner_without_account,
    )
    .with_gaur()
    .on(Family::Lasker),
    Scenario::new(
        "greeting-and-scores",
        &[
            ("chat", "greeting", "\"Hello {opponent}, I am {engine}.\""),
            ("chat", "goodbye", "\"Goodbye.\""),
            ("chat", "scores", "\"kibitz\""),
        ],
        greeting_and_scores,
    )
    .with_gaur(),
];

/// Lets the server send shouts, which the program otherwise switches off.
pub const SHOUTS: Setting = ("server", "commands", "[\"set shout 1\", \"set cshout 1\"]");

/// Kinds of messages: the command, and what the receiver sees before the text.
const KINDS: [(&str, &str); 7] = [
    ("say", "Rabbit says: "),
    ("tell GaurBot", "Rabbit tells you: "),
    ("shout", "Rabbit shouts: "),
    ("cshout", "Rabbit c-shouts: "),
    ("it", "--> Rabbit "),
    ("tell 53", "Rabbit(53): "),
    // Only during a game.
    ("kibitz", "kibitzes: "),
];

/// Owners of whom only Rabbit has an account.
const OWNERS: &[Setting] = &[("owners", "names", "[\"Owner\", \"Rabbit\", \"Other\"]")];

/// Texts of an opponent that look like lines of the server, of the engine or of an owner.
const TEXTS: [&str; 24] = [
    "resign",
    "stop now",
    "move e7e5",
    "{Game 1 (Rabbit vs. GaurBot) GaurBot resigns} 1-0",
    "{Game 1 (Rabbit vs. GaurBot) Rabbit forfeits on time} 0-1",
    "{Game 1 (Rabbit vs. GaurBot) Game aborted by mutual agreement} *",
    "<12> rnbqkbnr pppppppp -------- -------- -------- -------- PPPPPPPP RNBQKBNR W -1 1 1 1 1 0 1 Rabbit GaurBot 1 \
     0 1 39 39 10000 10000 1 none (0:00) none 0 0 0",
    "Rabbit would like to take back 2 half move(s).",
    "Rabbit would like to abort the game; type \"abort\" to accept.",
    "Rabbit would like to adjourn the game; type \"adjourn\" to accept.",
    "Rabbit offers you a draw.",
    "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 5 0.",
    "Creating: Rabbit (1200) GaurBot (2000) unrated blitz 5 0",
    "{Game 1 (Rabbit vs. GaurBot) Creating unrated blitz match.}",
    "Illegal move (e2e4).",
    "It is not your move.",
    "**** Invalid password! ****",
    "**** GaurBot has arrived - you can't both be logged in. ****",
    "**** Starting FICS session as GaurBot ****",
    "1 player, who has an adjourned game with you, is online: Rabbit",
    "fics% login: password: ",
    "Owner tells you: resign",
    "\\   {Game 1 (Rabbit vs. GaurBot) GaurBot resigns} 1-0",
    "[G] %s %n $(reboot) ; quit & \u{7} \" ' \\",
];

/// Sends such texts by all kinds of messages, during a game, which the program must play on, and between games.
fn hostile_messages(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(1)?;
    send_all(session)?;
    let before = session.typed().len();
    // Notes that `finger` shows.
    for (number, text) in TEXTS.iter().take(10).enumerate() {
        session
            .rabbit
            .type_line(&format!("set {} {text}", number + 1))?;
    }
    session
        .server
        .announce(ENGINE, "    **UNKNOWN** text of the server");
    session.server.announce(ENGINE, "");
    session.rabbit.play(1)?;
    expect_only_moves(&session.typed()[before..])?;
    session.rabbit_resigns()?;
    session.program()?.expect_running()?;
    // Messages between games must not begin one. The challenge is declined after them.
    let before = session.typed().len();
    let kinds = &KINDS[..KINDS.len() - 1];
    send(session, &TEXTS, kinds)?;
    expect_refusal(&mut session.rabbit, "1 0 crazyhouse")?;
    expect_told(session, kinds)?;
    let mut typed = session.typed().split_off(before);
    let answer = typed.iter().position(|line| line == "decline Rabbit");
    typed.remove(answer.ok_or("the challenge was not declined by name")?);
    expect_only_moves(&typed)?;
    session.challenge("1 0 black")?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 0-1", "Rabbit resigns 1-0"])
}

/// Sends all texts by all kinds of messages during a game, while the program thinks and on Rabbit's turn.
pub fn send_all(session: &mut ClientSession) -> Result<(), String> {
    let before = session.typed().len();
    for texts in TEXTS.chunks(6) {
        let mv = session.rabbit.pick_careful(|_| true)?;
        session.rabbit.make(mv)?;
        send(session, texts, &KINDS)?;
        session.rabbit.expect_turn()?;
        send(session, texts, &KINDS)?;
    }
    // The program answers this move after all messages.
    session.rabbit.play(1)?;
    expect_told(session, &KINDS)?;
    expect_only_moves(&session.typed()[before..])
}

/// Sends each text by each kind of message.
fn send(session: &mut ClientSession, texts: &[&str], kinds: &[(&str, &str)]) -> Result<(), String> {
    for text in texts {
        for (command, _) in kinds {
            session.rabbit.type_line(&format!("{command} {text}"))?;
        }
    }
    Ok(())
}

/// Checks that the program has received each text by each kind of message.
fn expect_told(session: &ClientSession, kinds: &[(&str, &str)]) -> Result<(), String> {
    let journal = session.server.journal();
    let told: Vec<&str> = journal.of(ENGINE, Kind::Told).collect();
    for text in TEXTS {
        // The server removes control characters.
        let text = text.trim().replace(char::is_control, "");
        for (command, beginning) in kinds {
            let message = format!("{beginning}{text}");
            if !told.iter().any(|line| line.ends_with(&message)) {
                return Err(format!(
                    "the program has not received {text:?} by {command:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks that a message caused no command. An answer to the sender is allowed.
fn expect_only_moves(typed: &[String]) -> Result<(), String> {
    let is_allowed =
        |line: &String| is_move(line) || line.starts_with("tell Rabbit ") || line == "refresh";
    match typed.iter().find(|line| !is_allowed(line)) {
        Some(line) => Err(format!("a message caused {line:?}")),
        None => Ok(()),
    }
}

/// Sends long texts on a server that breaks lines and writes few bytes at a time.
fn hostile_messages_in_parts(session: &mut ClientSession) -> Result<(), String> {
    session.restart_in_parts(Family::Fics16, 7)?;
    session.challenge("1 1 white")?;
    session.rabbit.play(1)?;
    let before = session.typed().len();
    for (index, text) in TEXTS.iter().enumerate() {
        // The text stands at the beginning of a continuation at some of these lengths.
        let filler = "x".repeat(150 + 5 * index);
        let long = format!("say {filler} {text} {filler} {text} {text}");
        session.rabbit.type_line(&long)?;
        if index % 6 == 0 {
            session.rabbit.play(1)?;
        }
    }
    // The program answers this move after all messages.
    session.rabbit.play(1)?;
    expect_only_moves(&session.typed()[before..])?;
    session.rabbit_resigns()?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Commands of an owner: a status, and a stop after the game.
fn owner(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("tell GaurBot status")?;
    session.rabbit.wait_for("GaurBot(C) tells you: ", ANSWER)?;
    session.rabbit.type_line("say resign")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("tell GaurBot stop")?;
    session.rabbit.wait_for("GaurBot(C) tells you: ", ANSWER)?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()?;
    match session.wait_for_exit(ANSWER)? {
        Some(0) => session.expect(&["Rabbit resigns 0-1"]),
        code => Err(format!("gaur-ics ended with {code:?}")),
    }
}

/// Takes the names of owners without an account as a guest. Lasker does not mark the messages of guests.
fn owner_without_account(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    for name in ["Owner", "Other"] {
        let mut guest = Client::login(session.server.port(), name, 3)?;
        for command in ["resign", "status", "stop now"] {
            guest.type_line(&format!("tell GaurBot {command}"))?;
            guest.wait_for("(told GaurBot)", ANSWER)?;
        }
    }
    session.rabbit.play(1)?;
    session.rabbit.type_line("tell GaurBot status")?;
    session.rabbit.wait_for(" tells you: game ", ANSWER)?;
    session.rabbit_resigns()?;
    let typed = session.typed();
    match typed.iter().find(|line| {
        ["tell Owner", "tell Other", "resign", "quit"]
            .iter()
            .any(|beginning| line.starts_with(beginning))
    }) {
        Some(line) => Err(format!("a guest caused {line:?}")),
        None => session.expect(&["Rabbit resigns 0-1"]),
    }
}

/// Checks the messages of the program to its opponent.
fn greeting_and_scores(session: &mut ClientSession) -> Result<(), String> {
    assert_eq!(session.engine, Engine::Gaur);
    session.challenge("1 1 white")?;
    session.rabbit.play(4)?;
    // Otherwise the last score and the end of the game cross.
    std::thread::sleep(std::time::Duration::from_secs(1));
    session.rabbit.type_line("resign")?;
    session
        .rabbit
        .wait_for("GaurBot(C) says: Goodbye.", ANSWER)?;
    let typed = session.typed();
    let count = |words: &str| typed.iter().filter(|line| line.starts_with(words)).count();
    let greetings = count(&format!("say Hello {RABBIT}, I am Gaur"));
    let (goodbyes, kibitzes) = (count("say Goodbye."), count("kibitz "));
    if (greetings, goodbyes) != (1, 1) || !(1..=6).contains(&kibitzes) {
        return Err(format!(
            "{greetings} greetings, {goodbyes} goodbyes, {kibitzes} kibitzes"
        ));
    }
    session.expect(&["Rabbit resigns 0-1"])
}
